"""The compiler's text of a kernel, and what is counted in it."""

from lessons.gpu import assembly


def test_instructions_are_sorted_by_what_they_do_and_counted_as_they_are_written():
    text = """
    //  mma.sync in a remark is no instruction
    cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2}], [%r3];
    wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%f1}, %rd2, %rd3, p, 1, 1, 0, 0;
    wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%f1}, %rd4, %rd5, p, 1, 1, 0, 0;
    @%p1 ld.global.v4.b32 { %r4 }, [ %rd6 + 0 ];
    ex2.approx.ftz.f32 %f2, %f3;
    st.global.v4.b32 [ %rd7 + 0 ], { %r5 };
    """
    assert assembly.tally(text) == [
        ("multiply", "wgmma.mma_async", 2), ("fetch", "cp.async.bulk.tensor", 1), ("fetch", "ld.global", 1),
        ("file", "st.global", 1), ("exp", "ex2.approx", 1)]


def test_waiting_for_a_product_is_no_product():
    text = "%1 = ttng.warp_group_dot %a, %b, %c\n%2 = ttng.warp_group_dot_wait %1"
    assert assembly.tally(text) == [("multiply", "ttng.warp_group_dot", 1)]


def test_a_kernel_that_is_not_known_has_no_text():
    assert assembly.listing("nothing", 128, "90", "ptx") == ""
