"""Triton kernels of the algorithms in `simulator/algorithms`, under the same names and in the same loop order.

Import a kernel from its own module: `from kernels.flash_attention_2 import flash_attention_2`.
Nothing is imported here, so that the command line can answer without Triton or a GPU.
"""
