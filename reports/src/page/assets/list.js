// A virtual list: rows of one height, of which only those near the viewport are in the document.
// Keys: arrows, Page Up/Down, Home, End, Enter.
const virtualList = (label, size, rowHeight, drawRow) => {
  const body = h("div", { class: "rows", role: "listbox", tabindex: "0", "aria-label": label, style: `height:${size * rowHeight}px` });
  let active = 0, from = 0, to = 0;
  const rows = new Map();
  const row = (index) => {
    const { href, title, content, kind = "row" } = drawRow(index);
    const link = h("a", { href, title, class: kind, role: "option", id: `row-${index}`, tabindex: "-1", "aria-posinset": index + 1,
      "aria-setsize": size, style: `top:${index * rowHeight}px;height:${rowHeight}px` }, content);
    link.addEventListener("focus", () => choose(index));
    return link;
  };
  const draw = () => {
    const top = body.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor((-top - 400) / rowHeight));
    const last = Math.min(size, Math.ceil((innerHeight - top + 400) / rowHeight));
    if (first === from && last === to && rows.size) return;
    [from, to] = [first, last];
    for (const [index, node] of rows) if (index < first || index >= last) { node.remove(); rows.delete(index); }
    for (let index = first; index < last; index++) {
      if (!rows.has(index)) { const node = row(index); rows.set(index, node); body.append(node); }
    }
    mark();
  };
  const mark = () => {
    for (const [index, node] of rows) node.setAttribute("aria-selected", index === active ? "true" : "false");
    if (rows.has(active)) body.setAttribute("aria-activedescendant", `row-${active}`);
  };
  const choose = (index) => { active = Math.min(Math.max(index, 0), size - 1); mark(); };
  const reveal = () => {
    const top = body.getBoundingClientRect().top + active * rowHeight;
    const sticky = document.querySelector("header").offsetHeight + 8;
    if (top < sticky) scrollBy(0, top - sticky);
    else if (top + rowHeight > innerHeight) scrollBy(0, top + rowHeight - innerHeight + 8);
    draw();
  };
  body.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 3);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -size, End: size }[event.key];
    if (event.key === "Enter" && document.activeElement === body) rows.get(active)?.click();
    else if (step !== undefined && size) { choose(active + step); reveal(); body.focus({ preventScroll: true }); }
    else return;
    event.preventDefault();
  });
  body.redraw = draw;
  body.choose = choose;
  return body;
};
