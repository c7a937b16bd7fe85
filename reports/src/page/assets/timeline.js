// A function's PCs from left to right, and the rows of the truth and of each table there, as
// stripes: a row that starts late or ends late has an edge that is not below the others.
const NO_ROW = new Set(["-", "no row"]);

const windowLines = (example) =>
  (example.w ?? []).map(([pc, ids, wrong]) => {
    const [place, code, ...rows] = ids.map(text);
    return { pc: BigInt(`0x${pc}`), place, code, rows, wrong: wrong !== 0, cells: new Map(wrong || []) };
  });

// A letter for each distinct row, in order of first use: truth, .sframe, .eh_frame.
const letters = (lines) => {
  const seen = new Map();
  for (const voice of [0, 1, 2]) for (const { rows } of lines) {
    const words = rows[voice];
    if (words && !NO_ROW.has(words) && !seen.has(words)) seen.set(words, seen.size);
  }
  return seen;
};
const letter = (nth) => (nth < 26 ? String.fromCharCode(65 + nth) : `#${nth + 1}`);

const drawTimeline = (blamed, lines, ends, width) => {
  const named = letters(lines);
  const left = 78, laneHeight = 30, pitch = 38, top = 12, bottom = top + 3 * pitch;
  const from = lines[0].pc, span = Number(ends[ends.length - 1] - from) || 1;
  const x = (pc) => left + (Number(pc - from) / span) * (width - left - 6);
  const parts = [svg("defs", null, svg("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { class: "hatch", width: 2, height: 6 })))];
  lines.forEach((line, index) => {
    if (line.wrong) parts.push(svg("rect", { class: "band", x: x(line.pc), y: 2, width: x(ends[index]) - x(line.pc), height: bottom - 4 }));
  });
  VOICES.forEach((voice, lane) => {
    const y = top + lane * pitch;
    parts.push(svg("text", { class: `head v${lane}`, x: left - 8, y: y + 19, "text-anchor": "end" }, voice));
    for (let first = 0; first < lines.length;) {
      let last = first;
      while (last + 1 < lines.length && lines[last + 1].rows[lane] === lines[first].rows[lane]) last++;
      const words = lines[first].rows[lane], at = x(lines[first].pc), size = Math.max(x(ends[last]) - at - 1, 1);
      const nth = named.get(words);
      const none = nth === undefined;
      parts.push(svg("rect", { class: none ? "stripe none" : `stripe t${nth % 6}`, x: at, y, width: size, height: laneHeight },
        svg("title", null, `${voice} from ${lines[first].place}: ${words || "not executed"}`)));
      // A label ends where the hatching of a wrong range begins.
      const charge = blamed.includes(lane) ? lines.findIndex((line, index) => index > first && index <= last && line.wrong) : -1;
      const room = (charge > 0 ? x(lines[charge].pc) : at + size) - at;
      const full = none ? (words === "" ? "not executed" : "no row") : `${letter(nth)}  ${words}`;
      const shown = full.length * 7.1 + 12 < room ? full : none ? "" : letter(nth);
      if (shown.length * 7.1 + 8 < room) parts.push(svg("text", { class: none ? "label none" : "label", x: at + 7, y: y + 19 }, shown));
      first = last + 1;
    }
    if (blamed.includes(lane)) lines.forEach((line, index) => {
      if (!line.wrong) return;
      const at = x(line.pc), size = x(ends[index]) - at - 1;
      parts.push(svg("rect", { class: "charge", x: at, y, width: size, height: laneHeight, fill: "url(#hatch)" }));
      // A stripe that began earlier has its label again where it is wrong.
      const nth = named.get(line.rows[lane]);
      if (index && lines[index - 1].rows[lane] === line.rows[lane] && !lines[index - 1].wrong && nth !== undefined && size > 16) {
        parts.push(svg("text", { class: "label again", x: at + 7, y: y + 19 }, letter(nth)));
      }
    });
  });
  let free = 0;
  lines.forEach((line, index) => {
    const at = x(line.pc);
    parts.push(svg("line", { class: "tick", x1: at, x2: at, y1: bottom - 4, y2: bottom + 4 }));
    const label = line.place.replace(/^.*(?=\+0x)/, "") || line.place;
    const size = label.length * 6.2 + 8;
    if (at >= free && at + size - 8 <= width) {
      parts.push(svg("text", { class: line.wrong ? "tick wrong" : "tick", x: at, y: bottom + 18 }, line.wrong ? `▲${label}` : label));
      free = at + size + (line.wrong ? 8 : 0);
    }
  });
  return svg("svg", { class: "timeline", viewBox: `0 0 ${width} ${bottom + 26}`, width, height: bottom + 26, role: "img",
    "aria-label": "Rows of truth and tables over the instructions, as in the table above" }, parts);
};

const timelineFigure = (example) => {
  const lines = windowLines(example);
  if (!lines.length) return null;
  const ranges = example.r.map((range) => range.map((end) => BigInt(`0x${end}`)));
  const last = lines[lines.length - 1].pc;
  // The length of the last instruction is unknown: up to the end of the wrong range, or four bytes.
  const reach = ranges.map(([, end]) => end).find((end) => end > last && end - last <= 16n) ?? last + 4n;
  const ends = lines.map((_, index) => lines[index + 1]?.pc ?? reach);
  const frame = h("div", { class: "draw" });
  const draw = () => frame.replaceChildren(drawTimeline(example.b, lines, ends, Math.max(318, frame.clientWidth || 800)));
  const legend = [...letters(lines)].map(([words, nth]) => h("li", null, h("span", { class: `letter t${nth % 6}` }, letter(nth)), " ", h("code", null, words)));
  return drawnFigure("Rows around it", draw, frame,
    h("ul", { class: "legend" }, legend, h("li", null, h("span", { class: "letter charge" }, "▲"), " wrong here")));
};
