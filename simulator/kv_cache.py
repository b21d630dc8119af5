"""The KV cache: what every token leaves behind for those that come after it, by the four ways of keeping it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .problem import dtype

WAYS = ("mha", "gqa", "mqa", "mla")


@dataclass(frozen=True)
class Kept:
    """What one layer keeps of one token: K and V of some heads, or one latent vector and one positional key.

    mha: a K and a V for each of the heads (Vaswani et al. 2017). gqa: for each group of them (Ainslie et al.
    2023, 2305.13245). mqa: one of each (Shazeer 2019, 1911.02150). mla: a latent of which K and V of all heads
    are made again, and the key that carries the position (DeepSeek-V2, 2405.04434): not times two.
    """

    way: str                            # of WAYS
    kv_heads: int = 0
    d: int = 0
    latent: int = 0
    rope: int = 0

    @property
    def numbers(self):
        """Numbers that one token leaves in one layer: 2 · kv_heads · d, or latent + rope."""
        return 2 * self.kv_heads * self.d + self.latent + self.rope

    def bytes(self, layers, tokens=1, dtype_name="fp16"):
        """Bytes in the cache of so many layers and tokens."""
        return self.numbers * layers * tokens * dtype(dtype_name).bytes


def ways(heads, d, kv_heads):
    """{way: Kept} of one shape: every head's, every group's, one, and a latent as wide as DeepSeek-V2's (4 d + d/2)."""
    return {"mha": Kept("mha", heads, d), "gqa": Kept("gqa", kv_heads, d), "mqa": Kept("mqa", 1, d),
            "mla": Kept("mla", latent=4 * d, rope=d // 2)}


@dataclass(frozen=True)
class Model:
    """One model's shape, as `kv_caches.toml` gives it, and what it keeps of a token."""

    key: str
    name: str
    layers: int
    heads: int
    d: int
    kept: Kept
    source: str

    def bytes(self, tokens=1, dtype_name="fp16"):
        """Bytes of the cache of so many tokens."""
        return self.kept.bytes(self.layers, tokens, dtype_name)

    @property
    def unshared(self):
        """What it would keep with a K and a V for every head."""
        return Kept("mha", self.heads, self.d)


@cache
def models():
    """The catalogue as {key: Model}, in the order of `kv_caches.toml`."""
    text = files(__package__).joinpath("kv_caches.toml").read_text(encoding="utf-8")
    return {key: _model(key, entry) for key, entry in tomllib.loads(text).items()}


def projected(prompt, output, cached):
    """Tokens whose K and V are worked out in one layer while `output` tokens are written after a prompt.

    With a cache each token once; without one, all so far anew for every token written.
    """
    if cached:
        return prompt + output - 1      # nobody asks after the last
    return sum(prompt + written for written in range(output))


def _model(key, entry):
    shape = {name: entry[name] for name in ("kv_heads", "latent", "rope") if name in entry}
    d = entry["d"] if "kv_heads" in entry else 0
    return Model(key, entry["name"], entry["layers"], entry["heads"], entry["d"],
                 Kept(entry["way"], d=d, **shape), entry["source"])
