// The stack as boxes, one per word, with the locations that the truth and each table give.
// Addresses descend unless the user reverses them.
const VOICES = ["truth", ".sframe", ".eh_frame"];

const drawStack = (picture, width, ascending) => {
  const narrow = width < 520;
  const left = narrow ? 100 : 128, box = narrow ? 62 : 196, lane = Math.min((width - left - box - 8) / 3, 112);
  const wordHeight = 40, gapHeight = 24, top = 32;
  const order = picture.l.map((_, index) => index);
  if (ascending) order.reverse();
  const place = new Map();
  let y = top;
  for (const index of order) {
    const height = typeof picture.l[index] === "string" ? gapHeight : wordHeight;
    place.set(index, { y, height });
    y += height;
  }
  const laneAt = (voice) => left + box + 8 + voice * lane;
  const parts = [];
  VOICES.forEach((voice, index) => {
    parts.push(svg("rect", { class: `lane v${index}`, x: laneAt(index) + 2, y: top, width: lane - 4, height: y - top }));
    parts.push(svg("text", { class: `head v${index}${narrow ? " small" : ""}`, x: laneAt(index) + lane / 2, y: 16, "text-anchor": "middle" }, voice));
  });
  for (const index of order) {
    const line = picture.l[index], { y: at, height } = place.get(index);
    if (typeof line === "string") {
      parts.push(svg("text", { class: "gap", x: left + box / 2, y: at + 16, "text-anchor": "middle" }, `⋮ ${line} bytes`));
      continue;
    }
    const [address, fromCfa, value] = line;
    const ours = fromCfa.startsWith("-");
    parts.push(svg("rect", { class: ours ? "word" : "word caller", x: left, y: at, width: box, height },
      svg("title", null, `${address}: ${value || "not read"}`)));
    parts.push(svg("text", { class: "address", x: left - 8, y: at + (ascending ? 12 : height - 5), "text-anchor": "end" }, address));
    parts.push(svg("text", { class: "offset", x: left + 8, y: at + height / 2 + 4 }, `CFA${fromCfa.replace("-", "−")}`));
    if (value && !narrow) parts.push(svg("text", { class: "value", x: left + box - 8, y: at + height / 2 + 4, "text-anchor": "end" }, value));
  }
  // CFA and SP are addresses: a line at the edge. RA and FP are words: a label in the box.
  const taken = new Map();
  const plates = [];
  for (const [line, voice, what, above, wrong] of picture.m) {
    const { y: at, height } = place.get(line);
    const edge = what === "CFA" || what === "SP";
    const up = (Number(above) / 8) * height;
    const middle = edge ? (ascending ? at + up : at + height - up) : at + height / 2;
    const spot = `${voice} ${Math.round(middle)}`;
    const row = taken.get(spot) ?? [];
    row.push({ what, wrong, edge, voice, middle, above });
    taken.set(spot, row);
  }
  for (const row of taken.values()) {
    const { voice, middle } = row[0];
    if (row.some((mark) => mark.edge)) {
      const from = voice === 0 ? left : laneAt(voice) + 2;
      parts.push(svg("line", { class: `edge v${voice}`, x1: from, x2: laneAt(voice) + lane - 2, y1: middle, y2: middle }));
    }
    const room = (lane - 8) / row.length, size = Math.min(room - 2, 46);
    row.forEach((mark, nth) => {
      const center = laneAt(voice) + lane / 2 + (nth - (row.length - 1) / 2) * (size + 2);
      const name = mark.what + (mark.above !== "0" && !mark.edge ? `+${mark.above}` : "") + (mark.wrong ? "≠" : "");
      plates.push(svg("g", { class: `mark v${voice}${mark.wrong ? " wrong" : ""}${mark.what === "SP" ? " sp" : ""}` },
        svg("rect", { x: center - size / 2, y: middle - 8, width: size, height: 16, rx: 3 }),
        svg("text", { x: center, y: middle + 4, "text-anchor": "middle" }, name)));
    });
  }
  const words = picture.m.map(([line, voice, what, , wrong]) =>
    `${VOICES[voice]} has ${what} at ${picture.l[line][0]}${wrong ? ", which is wrong" : ""}`);
  return svg("svg", { class: "stack", viewBox: `0 0 ${width} ${y + 12}`, width, height: y + 12, role: "img", "aria-label": `The stack: ${words.join("; ")}` }, parts, plates);
};

// The picture, its switch, and the values that are not on the stack.
const stackFigure = (picture) => {
  let ascending = false;
  const frame = h("div", { class: "draw" });
  const draw = () => frame.replaceChildren(drawStack(picture, Math.max(318, Math.min(frame.clientWidth || 640, 680)), ascending));
  const turn = h("button", { type: "button", "aria-pressed": "false", onclick: () => {
    ascending = !ascending;
    turn.textContent = ascending ? "addresses ascend ↓" : "addresses descend ↓";
    turn.setAttribute("aria-pressed", String(ascending));
    draw();
  } }, "addresses descend ↓");
  const asides = picture.a.map(([voice, words, wrong]) =>
    h("li", { class: wrong ? "wrong" : null }, h("b", { class: `v${voice}` }, VOICES[voice]), " ", words, wrong ? " ≠" : ""));
  return drawnFigure("The stack", draw, frame, turn, h("ul", { class: "asides" }, asides));
};

// A figure that is drawn when it is shown and again when the window changes.
let redraws = [];
const drawnFigure = (caption, draw, ...content) => {
  redraws.push(draw);
  return h("figure", null, h("figcaption", null, caption, content.find((node) => node.tagName === "BUTTON")),
    content.filter((node) => node.tagName !== "BUTTON"));
};
