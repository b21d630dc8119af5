"""The algorithms as short programs on the simulated GPU, named as in the papers."""

from .flash_attention_1 import flash_attention_1
from .flash_attention_2 import flash_attention_2
from .standard import standard

__all__ = ["flash_attention_1", "flash_attention_2", "standard"]
