// Makes elements. Text is always set as text: nothing of the results is ever parsed as HTML.
const put = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
};
const h = (name, attributes, ...children) => put(document.createElement(name), attributes, children);
// Text whose parts in backticks are code.
const coded = (text) => text.split("`").map((part, nth) => (nth % 2 ? h("code", null, part) : part));
const svg = (name, attributes, ...children) => put(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
const byId = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en-US");
const plural = (value, one) => `${number(value)} ${one}${value === 1 ? "" : "s"}`;
