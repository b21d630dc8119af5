// A picture as plain data: el("rect", {x: 1}) → node. One drawing feeds the page (patch), PNG and HTML (markup), and
// the animated SVG (film.js). Text is always text: nothing here reads markup.

const SVG_NS = "http://www.w3.org/2000/svg";

/** A node of a picture; `children` is a list of nodes (empty places are dropped) or a string of text. */
export function el(tag, attrs = {}, children = []) {
  const { key, ...rest } = attrs;
  for (const name in rest) if (typeof rest[name] === "number") rest[name] = Math.round(rest[name] * 100) / 100;
  if (!Array.isArray(children)) return { tag, key, attrs: rest, text: String(children), children: [] };
  return { tag, key, attrs: rest, text: null, children: children.flat(Infinity).filter(Boolean) };
}

export const group = (attrs, ...children) => el("g", attrs, children);

/** Make the DOM under `parent` equal to `nodes`, touching only what changed since the last call. */
export function patch(parent, nodes) {
  const old = parent.__nodes || new Map();
  const fresh = new Map();
  let cursor = parent.firstChild;
  nodes.forEach((node, index) => {
    const name = identity(node, index);
    const was = old.get(name);
    const dom = was ? was.dom : document.createElementNS(SVG_NS, node.tag);
    if (!was || was.node !== node) update(dom, was ? was.node : null, node);
    if (dom !== cursor) parent.insertBefore(dom, cursor);
    else cursor = cursor.nextSibling;
    fresh.set(name, { dom, node });
  });
  for (const [name, { dom }] of old) if (!fresh.has(name)) dom.remove();
  parent.__nodes = fresh;
}

/** What makes two nodes of successive pictures the same: their key, or their tag and place. */
export const identity = (node, index) => (node.key === undefined ? `${node.tag}#${index}` : `${node.tag}:${node.key}`);

function update(dom, was, node) {
  const before = was ? was.attrs : {};
  for (const name in node.attrs) {
    const value = node.attrs[name];
    if (value !== before[name]) setAttribute(dom, name, value);
  }
  for (const name in before) if (!(name in node.attrs)) dom.removeAttribute(name);
  if (node.text !== null) {
    if (!was || was.text !== node.text) dom.textContent = node.text;
  } else patch(dom, node.children);
}

function setAttribute(dom, name, value) {
  if (given(value)) dom.setAttribute(name, value);
  else dom.removeAttribute(name);
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// Control characters have no place in XML, escaped or not.
export const escapeXml = (text) =>
  String(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (mark) => ESCAPES[mark]);

export const given = (value) => value !== null && value !== undefined && value !== false;
/** The names of a node's attributes that belong in a file: marks for finding a node on the page (data-…) do not. */
export const namesOf = ({ attrs }) =>
  Object.keys(attrs).filter((name) => given(attrs[name]) && !name.startsWith("data-"));

export function openTag(node) {
  return `<${node.tag}${namesOf(node)
    .map((name) => ` ${name}="${escapeXml(node.attrs[name])}"`)
    .join("")}>`;
}

/** A node as SVG text. */
export function markup(node) {
  const inner = node.text === null ? node.children.map(markup).join("") : escapeXml(node.text);
  return `${openTag(node)}${inner}</${node.tag}>`;
}
