// The program that ran, with the running line lit and each tensor in its colour.

import { family } from "./draw_room.js";
import { panel } from "./draw_panels.js";
import { el, group } from "./vdom.js";

const TOKEN =
  /(#.*$)|("""|"[^"]*"|'[^']*')|\b(def|with|for|in|if|return|else|while|not|and|or|True|False|None|import|from)\b|\b([QKVOSPmlaL](?:_(?:i|j|ij|new))?)\b|([\s\S])/g;

/** A line of the program in pieces: comments, strings, words of Python, and tensors in their own colour. */
function tokens(line) {
  const pieces = [];
  for (const [text, comment, string, keyword, tensor] of line.matchAll(TOKEN)) {
    const look = comment
      ? "dc-comment"
      : string
        ? "dc-string"
        : keyword
          ? "dc-keyword"
          : tensor
            ? family(tensor[0])
            : "";
    const last = pieces[pieces.length - 1];
    if (last && last.look === look && !tensor) last.text += text;
    else pieces.push({ text, look, tensor: Boolean(tensor) });
  }
  return pieces.map(({ text, look, tensor }) =>
    el("tspan", tensor ? { fill: `var(--dc-${look}-line)`, class: "dc-letter" } : look ? { class: look } : {}, text),
  );
}

/** The program that ran, a window of it around the lit line. */
export function drawCode(view, box) {
  const { model, focus, say, present } = view;
  const { first, lines } = model.code;
  const longest = Math.max(...lines.map((line) => line.replace(/ {3,}#.*/, "").trim().length), 1);
  const size = Math.min(present ? 15 : 12.5, Math.max(11, (box.w - 70) / (longest * 0.61)));
  const leading = size * 1.5;
  const head = box.h < 100 ? 4 : 30;
  const fits = Math.max(1, Math.floor((box.h - head - 4) / leading));
  const lit = focus ? focus.line - first : -1;
  const from = Math.max(0, Math.min(lines.length - fits, lit < 0 ? firstStatement(lines) : lit - Math.floor(fits / 2)));
  const y = (index) => box.y + head + (index - from + 0.5) * leading;
  const shown = lines.slice(from, from + fits).map((text, offset) => [text, from + offset]);
  const margin = indent(shown.map(([text]) => text));
  return group(
    { key: "code", class: "dc-code" },
    panel(box),
    head > 20 && el("text", { x: box.x + 14, y: box.y + 20, class: "dc-soft", "font-size": 12 }, say("code")),
    lit >= from &&
      lit < from + fits &&
      el("rect", {
        key: "lit",
        x: box.x + 5,
        y: y(lit) - leading / 2,
        width: box.w - 10,
        height: leading,
        rx: 5,
        fill: "var(--lit)",
      }),
    el(
      "svg",
      {
        key: "lines",
        x: box.x,
        y: box.y,
        width: box.w - 8,
        height: box.h,
        viewBox: `${box.x} ${box.y} ${box.w - 8} ${box.h}`,
      },
      shown.map(([text, index]) =>
        codeLine(
          view,
          text.slice(margin).replace(/ {3,}#/, "   #"),
          index,
          box.x,
          y(index) + size * 0.33,
          size,
          index === lit,
        ),
      ),
    ),
  );
}

const firstStatement = (lines) => Math.max(0, lines.findIndex((line) => /^\s*(with|for) /.test(line)) - 1);
const indent = (lines) =>
  Math.min(...lines.filter((line) => line.trim()).map((line) => line.match(/^ */)[0].length), 99);

function codeLine({ model, memo }, text, index, x, y, size, lit) {
  const known = memo.code || (memo.code = new Map());
  const key = `${index} ${y} ${lit} ${text}`;
  if (!known.has(key)) {
    known.set(
      key,
      group(
        { key: index },
        el(
          "text",
          { x: x + 32, y, "font-size": size - 1.5, "text-anchor": "end", class: "dc-mono dc-number" },
          model.code.first + index,
        ),
        el(
          "text",
          {
            x: x + 42,
            y,
            "font-size": size,
            class: lit ? "dc-mono dc-strong dc-lit" : "dc-mono",
            "xml:space": "preserve",
          },
          tokens(text),
        ),
      ),
    );
  }
  return known.get(key);
}
