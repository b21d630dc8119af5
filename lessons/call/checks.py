"""What a call takes its tensors for, and what would go wrong: rules of two functions, applied to three shapes."""

from dataclasses import dataclass

from lessons.text import Several
from simulator import Problem

SDPA, FLASH = "sdpa", "flash"
# Where batch, heads, rows and width stand in a tensor of four sizes.
LAYOUT = {SDPA: {"batch": 0, "heads": 1, "rows": 2, "width": 3}, FLASH: {"batch": 0, "rows": 1, "heads": 2, "width": 3}}
WIDEST, MULTIPLE = 256, 8               # head width of the package's kernels
MOST_HEADS = 256                        # of a model in use; more are most likely rows
KERNEL_DTYPES = ("fp16", "bf16")


@dataclass(frozen=True)
class Asked:
    """One call: the function, the three shapes, the type and the mask."""

    function: str
    q: tuple[int, ...]
    k: tuple[int, ...]
    v: tuple[int, ...]
    dtype: str = "fp16"
    causal: bool = False
    window: tuple[int, int] = (-1, -1)

    def size(self, tensor: str, name: str) -> int:
        """Return what the function takes one size of a tensor for."""
        return getattr(self, tensor)[LAYOUT[self.function][name]]


@dataclass(frozen=True)
class Finding:
    """One thing to say: stop (the call fails), trap (it runs, but not as meant) or note; the label `call.<name>`."""

    level: str
    name: str
    values: dict


def findings(asked: Asked) -> tuple[Finding, ...]:
    """Return what is wrong with a call, the worst first; nothing for a call that does what it says."""
    if broken := tuple(_ranks(asked)) or tuple(_sizes(asked)):
        return broken
    return (*_kernel(asked), *_layout(asked), *_mask(asked), *_groups(asked))


def problem(asked: Asked) -> Problem:
    """Return the attention problem that a sound call asks; raises BadProblem."""
    return Problem(n=asked.size("q", "rows"), n_kv=asked.size("k", "rows"), d=asked.size("q", "width"),
                   batch=asked.size("q", "batch"), heads=asked.size("q", "heads"), kv_heads=asked.size("k", "heads"),
                   dtype=asked.dtype, causal=asked.causal, window=asked.window if asked.function == FLASH else (-1, -1))


def _ranks(asked):
    for name in "qkv":
        if len(getattr(asked, name)) != 4:
            yield Finding("stop", "rank", {"tensor": name, "count": len(getattr(asked, name))})


def _sizes(asked):
    """Batch everywhere, width of q and k, rows and heads of k and v; and heads that divide."""
    pairs = (("q", "k", "batch"), ("k", "v", "batch"), ("q", "k", "width"), ("k", "v", "rows"), ("k", "v", "heads"),
             *((("k", "v", "width"),) if asked.function == FLASH else ()))
    for one, other, name in pairs:
        left, right = asked.size(one, name), asked.size(other, name)
        if left != right:
            yield Finding("stop", f"unequal_{name}", {"one": one, "other": other, "left": left, "right": right})
    heads, kv = asked.size("q", "heads"), asked.size("k", "heads")
    if heads % kv:
        yield Finding("stop", "heads", {"heads": heads, "kv": kv})


def _kernel(asked):
    """What the fused kernel takes: the package refuses the rest, PyTorch quietly answers by another way."""
    width, level = asked.size("q", "width"), "stop" if asked.function == FLASH else "trap"
    name = "refuses" if asked.function == FLASH else "other_way"
    if asked.dtype not in KERNEL_DTYPES:
        yield Finding(level, f"dtype_{name}", {"dtype": asked.dtype, "possible": Several(KERNEL_DTYPES)})
    if width > WIDEST:
        yield Finding(level, f"width_{name}", {"width": width, "widest": WIDEST})
    elif width % MULTIPLE:
        padded = -(-width // MULTIPLE) * MULTIPLE
        yield Finding("note", "multiple", {"width": width, "multiple": MULTIPLE, "padded": padded})


def _layout(asked):
    """More heads than rows and than keys, or than any model has: most likely the other function's layout."""
    heads, rows = asked.size("q", "heads"), asked.size("q", "rows")
    if heads > rows > 1 and heads > min(asked.size("k", "rows"), MOST_HEADS):
        yield Finding("trap", "swapped_trap", {"heads": heads, "rows": rows})


def _mask(asked):
    rows, keys = asked.size("q", "rows"), asked.size("k", "rows")
    if asked.causal and rows < keys and asked.function == SDPA:
        yield Finding("trap", "top_left", {"rows": rows, "keys": keys, "seen": rows})
    if asked.causal and rows < keys and asked.function == FLASH:
        yield Finding("note", "bottom_right", {"rows": rows, "keys": keys, "first": keys - rows + 1})
    if asked.causal and rows > keys:
        yield Finding("note", "more_rows", {"rows": rows, "keys": keys, "empty": rows - keys})
    if asked.window != (-1, -1) and asked.function == SDPA:
        yield Finding("trap", "no_window", {"left": asked.window[0], "right": asked.window[1]})


def _groups(asked):
    heads, kv = asked.size("q", "heads"), asked.size("k", "heads")
    if heads != kv and asked.function == SDPA:
        yield Finding("note", "gqa_flag", {"heads": heads, "kv": kv})


def code(asked: Asked) -> str:
    """Return the call as one writes it."""
    heads, kv = asked.size("q", "heads"), asked.size("k", "heads")
    if asked.function == SDPA:
        options = [*(["is_causal=True"] if asked.causal else []), *(["enable_gqa=True"] if heads != kv else [])]
        return _written("F.scaled_dot_product_attention", "(B, H, N, d)", options)
    window = [f"window_size=({asked.window[0]}, {asked.window[1]})"] if asked.window != (-1, -1) else []
    return _written("flash_attn_func", "(B, N, H, d)", [*(["causal=True"] if asked.causal else []), *window])


def _written(name, layout, options):
    return f"# q, k, v, out: {layout}\nout = {name}({', '.join(('q', 'k', 'v', *options))})"
