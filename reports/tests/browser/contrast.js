// Texts in the window with poor contrast (WCAG 2.1, 1.4.3: 4.5 to 1), worst first, also in pictures
// and placeholders; and the number of examined points. The background is composed from the bottom:
// backgrounds of elements and fills of shapes, with their opacity.
const contrast = () => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (known.has(colour)) return known.get(colour);
    paint.clearRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data, made = [r, g, b, a / 255];
    known.set(colour, made);
    return made;
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, nth) => part * a + under[nth] * (1 - a));
  const light = (colour) => { const [r, g, b] = colour.map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const style = (node) => getComputedStyle(node);
  const once = (make) => { const made = new Map(); return (node) => { if (!made.has(node)) made.set(node, make(node)); return made.get(node); }; };
  const opacity = once((node) => (node ? Number(style(node).opacity) * opacity(node.parentElement) : 1));
  const faded = ([r, g, b, a], node) => [r, g, b, a * opacity(node)];
  const isShape = (node) => node instanceof SVGElement;
  const layer = once((node) => {
    const colour = isShape(node) ? (node.tagName === "text" || node.tagName === "svg" ? "transparent" : style(node).fill) : style(node).backgroundColor;
    // A pattern: the hatching of what is wrong, as dense as it gets.
    if (colour.startsWith("url")) return rgba("color-mix(in srgb, " + style(document.querySelector(".hatch")).fill + " 35%, transparent)");
    return colour === "none" ? [0, 0, 0, 0] : faded(rgba(colour), node);
  });
  const poor = new Map();
  let looked = 0;
  const judge = (node, colour, x, y, words, own) => {
    const stack = document.elementsFromPoint(x, y), at = stack.indexOf(node);
    // Not there: clipped, scrolled away, or below something that is open above it.
    if (at < 0) return;
    const behind = stack.slice(own ? at : at + 1).reverse().reduce((under, node) => over(layer(node), under), rgba(style(document.body).backgroundColor).slice(0, 3));
    looked++;
    const [a, b] = [light(over(faded(colour, node), behind)), light(behind)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.set(`${ratio.toFixed(2)} ${node.tagName}.${node.getAttribute("class")} ${words.trim().slice(0, 30)}`, ratio);
  };
  // In a long list or table, some of those that are alike up to three elements above, and have the
  // same colours there.
  const look = once((node) => `${node.tagName}.${node.getAttribute("class")} ${style(node).color} ${style(node).fill} ${style(node).backgroundColor}`);
  const alike = new Map(), kind = (node, up) => (node && up ? `${look(node)} ${kind(node.parentElement, up - 1)}` : "");
  const isOneMore = (node) => { const name = kind(node, 4), count = (alike.get(name) ?? 0) + 1; alike.set(name, count); return count > 10; };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || node.closest("script, style, option, title, .away") || !node.checkVisibility({ visibilityProperty: true })) continue;
    if (isOneMore(node)) continue;
    const shape = isShape(node), colour = rgba(shape ? style(node).fill : style(node).color);
    range.selectNodeContents(text);
    const box = range.getClientRects()[0];
    if (!box || !box.width) continue;
    for (const x of new Set([box.left + 2, (box.left + box.right) / 2, box.right - 2])) judge(node, colour, x, (box.top + box.bottom) / 2, text.data, !shape);
  }
  for (const input of document.querySelectorAll("input[placeholder]")) {
    const box = input.getBoundingClientRect();
    judge(input, rgba(getComputedStyle(input, "::placeholder").color), box.left + 12, box.top + box.height / 2, input.placeholder, true);
  }
  return { looked, poor: [...poor].sort((a, b) => a[1] - b[1]).slice(0, 6).map(([words]) => words).join("\n") };
};
