"""A worksheet as one HTML page for any printer: the tasks, then the answers on a page of their own."""

from html import escape

from lessons.teach.sheet import Sheet

STYLE = """
@page { size: A4; margin: 18mm; }
body { font: 11pt/1.6 system-ui, "PingFang SC", "PingFang TC", "Microsoft YaHei", "Microsoft JhengHei",
  "Noto Sans CJK SC", "Noto Sans CJK TC", sans-serif; color: #20262e; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; font-weight: 500; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .3rem; }
section + section { break-before: page; margin-top: 4rem; } article { break-inside: avoid; }
p { margin: .3rem 0; } .quiet { color: #56606c; font-size: .85rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; margin: .5rem 0;
  font-variant-numeric: tabular-nums; }
th, td { border: 1px solid #9aa3ad; padding: .3rem .5rem; text-align: start; height: 1.5rem; }
th { font-weight: 600; font-size: .85rem; overflow-wrap: anywhere; }
"""


def html(sheet: Sheet) -> bytes:
    """Return the worksheet and its answers as a page that asks nobody for anything."""
    return (f'<!doctype html>\n<html lang="{sheet.lang}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1"><title>{escape(sheet.title)}</title>'
            f"<style>{STYLE}</style></head><body>"
            f"{section(sheet, answers=False)}{section(sheet, answers=True)}</body></html>\n").encode()


def section(sheet: Sheet, answers: bool) -> str:
    """Return the tasks, or the answers, as an HTML section."""
    title = f"{sheet.title} · {sheet.key}" if answers else sheet.title
    under = sheet.note if answers else f"{sheet.name} ______________________________"
    tasks = "".join(_task(number, task, task.solved if answers else task.rows, sheet.check)
                    for number, task in enumerate(sheet.tasks, 1))
    return f'<section><h1>{escape(title)}</h1><p class="quiet">{escape(under)}</p>{tasks}</section>'


def _task(number, task, rows, check):
    asks = "".join(f"<p>{escape(words)}</p>" for words in task.ask)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in task.head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (f"<article><h2>{number}. {escape(task.title)}</h2>{asks}<table><thead><tr>{head}</tr></thead>"
            f'<tbody>{body}</tbody></table><p class="quiet">{escape(check)} {escape(task.scene)}</p></article>')
