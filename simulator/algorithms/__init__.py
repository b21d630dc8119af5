"""The algorithms as short programs on the simulated GPU, named as in the papers."""

from .decode import decode
from .flash_attention_1 import flash_attention_1
from .flash_attention_1_backward import flash_attention_1_backward
from .flash_attention_2 import flash_attention_2
from .flash_attention_2_backward import flash_attention_2_backward
from .split_kv import split_kv
from .standard import standard
from .standard_backward import standard_backward

__all__ = ["decode", "flash_attention_1", "flash_attention_1_backward", "flash_attention_2",
           "flash_attention_2_backward", "split_kv", "standard", "standard_backward"]
