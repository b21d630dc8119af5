"""How a run shows itself: a table of bytes for a notebook and for a terminal."""

from html import escape


def rows(run):
    """(kernel, tensor, bytes read, bytes written) of the desk ruler, in the order of launch."""
    return [(kernel, tensor, t.read, t.write) for (kernel, tensor), t in run.cost.desk.moves.items()]


def title(run):
    """One line: algorithm, sizes, ruler and tag."""
    p, t = run.problem, run.tiling
    keys = "" if p.n_k == p.n else f" × {p.n_k:,}"
    heads = "" if p.heads * p.batch == 1 else f", {p.batch} × {p.heads} heads"
    return (f"{run.program.name}: N = {p.n:,}{keys}, d = {p.d}, {p.dtype}, B_r = {t.br}, B_c = {t.bc}{heads}"
            f" · desk ruler · {run.tag}")


def text(run):
    """The run as a plain table for a terminal."""
    desk = run.cost.desk
    lines = [title(run), f"{'kernel':<20}{'tensor':<8}{'bytes read':>20}{'bytes written':>20}"]
    lines += [f"{kernel:<20}{tensor:<8}{read:>20,}{write:>20,}" for kernel, tensor, read, write in rows(run)]
    return "\n".join([*lines, f"{'total':<28}{desk.read:>20,}{desk.write:>20,}"])


def html(run):
    """The run as an HTML table for a notebook."""
    desk = run.cost.desk
    body = "".join(f"<tr><td>{escape(kernel)}</td><td>{escape(tensor)}</td>"
                   f"<td style='text-align:right'>{read:,}</td><td style='text-align:right'>{write:,}</td></tr>"
                   for kernel, tensor, read, write in rows(run))
    return (f"<table><caption>{escape(title(run))}</caption>"
            "<thead><tr><th>kernel</th><th>tensor</th><th>bytes read</th><th>bytes written</th></tr></thead>"
            f"<tbody>{body}</tbody><tfoot><tr><th colspan='2'>total</th>"
            f"<td style='text-align:right'>{desk.read:,}</td><td style='text-align:right'>{desk.write:,}</td></tr>"
            "</tfoot></table>")
