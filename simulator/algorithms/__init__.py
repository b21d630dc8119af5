"""The algorithms as short programs on the simulated GPU, named as in the papers."""

from .decode import decode
from .flash_attention_1 import flash_attention_1
from .flash_attention_2 import flash_attention_2
from .split_kv import split_kv
from .standard import standard

__all__ = ["decode", "flash_attention_1", "flash_attention_2", "split_kv", "standard"]
