"""The tiled matrix product: the same desk and cabinet without attention (every textbook on GPUs; CUTLASS, Triton)."""


def matmul(gpu, A, B, block):
    """One thread block a tile of C = A B; it stays on the desk while tiles of A and B pass by.

    A (m, k), B (k, n) and the result C (m, n) lie in HBM; tiles are block × block.
    """
    sram = gpu.sram
    C = gpu.empty("C", (A.shape[0], B.shape[1]), A.dtype).split(block, block)
    A, B = A.split(block, block), B.split(block, block)
    down, across = C.shape

    with sram.launch("matmul"):
        for tile in sram.grid("i", down * across):
            r, c = divmod(tile, across)
            C_rc = sram.full("C", A[r, 0], B[0, c].shape[1])              # (block, block), in registers
            for j in sram.loop("j", len(B)):
                A_rj, B_jc = sram.load(A[r, j]), sram.load(B[j, c])       # (block, block)
                C_rc[:] = C_rc + A_rj @ B_jc
            sram.store(C[r, c], C_rc)                                     # written once
    return C.tensor
