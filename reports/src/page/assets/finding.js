// The view of one finding: stack, code, commands, the broken rule, and the trials that show it.

// The values of the truth and of each table. A value is wrong if the truth differs; without a
// truth, if the finding reports it.
const FIELDS = ["cfa", "ra", "fp"];
const voiceTable = (group, example) => {
  const [truth] = example.v, blamed = example.b;
  const cell = (values, index, voice) => {
    const value = values[index];
    if (value === null) return h("td", { class: "note" }, "–");
    const wrong = truth && values !== truth &&
      (truth[index] === null ? FIELDS[index] === group.field && blamed.includes(voice) : truth[index] !== value);
    return h("td", { class: wrong ? "wrong" : null }, h("code", null, `0x${value}`), wrong ? " ≠" : "");
  };
  const rows = example.v.map((values, voice) => values && h("tr", null, h("th", { scope: "row", class: `v${voice}` }, VOICES[voice]),
    [0, 1, 2].map((index) => cell(values, index, voice)), h("td", null, h("code", null, text(values[3])))));
  if (!rows.some(Boolean)) return null;
  return [h("h3", null, example.x ? "At the first step that shows it" : "The tables"), scroller("Truth and tables", h("table", { class: "plain voices" }, heads(["source", "CFA", "RA", "caller's FP", "row"]), h("tbody", null, rows)))];
};

// A row as its equations, with wrong ones marked; the whole row if the finding names none.
const equations = (words, wrong) => {
  if (wrong === undefined) return words;
  const at = (word) => FIELDS.findIndex((name, index) => wrong & (1 << index) && word.startsWith(`${name}=`));
  const parts = words.split(" ");
  if (!parts.some((word) => at(word) >= 0)) return [h("mark", null, words), " ≠"];
  return [parts.map((word, index) => [index ? " " : "", at(word) >= 0 ? h("mark", null, word) : word]), " ≠"];
};

const windowTable = (example) => {
  const lines = windowLines(example);
  if (!lines.length) return null;
  const cell = (line, words, voice) => h("td", { class: words && !NO_ROW.has(words) ? null : "note" }, equations(words || "not executed", line.cells.get(voice)));
  return [h("h3", null, "The code"), scroller("Instructions and rows", h("table", { class: "plain window" }, heads(["at", "instruction", ...VOICES]),
    h("tbody", null, lines.map((line) => h("tr", { class: line.wrong ? "wrong" : null },
      h("th", { scope: "row", title: `0x${line.pc.toString(16)}` }, h("span", { class: "arrow", "aria-hidden": "true" }, line.wrong ? "▶ " : ""), line.wrong ? h("span", { class: "away" }, "wrong here: ") : "", line.place),
      h("td", null, line.code), line.rows.map((words, voice) => cell(line, words, voice)))))))];
};

// A similar entry of the ledger: a link if this run shows it too.
const alike = (name) => (bugs.has(name) ? h("a", { href: bugLink(name) }, name) : h("code", null, name));

const exampleView = (group, example) => {
  const calls = stepsOf(example.c, group.fingerprint, keyOf(example.i));
  return [
    example.pic ? stackFigure(example.pic) : null,
    windowTable(example),
    voiceTable(group, example),
    calls.length ? [h("h3", null, "Commands"), stepList(calls)] : null,
    timelineFigure(example),
    facts([
      ["message", text(example.m)],
      ["shown by", h("a", { href: trialLink(example.i) }, keyOf(example.i))],
      [text(example.p).includes("..") ? "PCs" : "where", h("code", null, text(example.p) || "–"), example.n > 1 ? ` and ${plural(example.n - 1, "more range")}` : ""],
      example.x ? ["executed", `${plural(example.s, "step")}${example.d ? `, ${plural(example.d, "frame")} up` : ""}`] : ["executed", example.v.some(Boolean) ? "no: the tables were compared" : "no: read from the file"],
      ...(example.fix ?? []).map((edit) => ["repair", h("code", null, text(edit))]),
      example.src ? ["source", h("code", null, text(example.src))] : null,
      example.like ? [example.like[2] ? "known as" : "looks like", alike(text(example.like[0])), ` in ${text(example.like[1])}`] : null,
      ["byte", h("code", null, text(example.e)), example.o ? [" at ", h("code", null, `0x${example.o}`)] : ""],
    ]),
    example.n > 1 ? h("details", null, h("summary", null, h("span", { class: "name" }, "All ranges of PCs")),
      h("p", { class: "ranges" }, example.r.map(([from, to]) => [h("code", null, `0x${from}..0x${to}`), " "]), example.n > example.r.length ? `and ${number(example.n - example.r.length)} more` : "")) : null,
    h("h3", null, "Commands that made it"), commandBlock(example.i),
  ].flat();
};

const findingView = (fingerprint, from) => {
  const group = groupNamed.get(fingerprint);
  if (!group) return missing("finding", fingerprint, "findings");
  const trial = from === undefined ? undefined : trialNamed(from);
  const same = (example) => trial !== undefined && example.i === trial;
  const near = (example) => trial !== undefined && column.a[example.i] === column.a[trial] && column.v[example.i] === column.v[trial];
  let chosen = Math.max(group.examples.findIndex(same), -1);
  if (chosen < 0) chosen = Math.max(group.examples.findIndex(near), 0);
  const place = h("div", { class: "example" });
  const show = (index) => {
    redraws = [];
    place.replaceChildren(...exampleView(group, group.examples[index]).filter(Boolean));
    for (const draw of redraws) draw();
  };
  const select = group.examples.length > 1 ? h("label", { class: "pick" }, "As shown by ", h("select", { id: "example", onchange: (event) => show(Number(event.target.value)) },
    group.examples.map((example, index) => h("option", { value: index, selected: index === chosen }, keyOf(example.i))))) : null;
  const stage = STAGES.find((name) => group.stages.has(name)) ?? [...group.stages][0] ?? "";
  const nodes = [
    crumbs(["Overview", "#overview"], ["Findings", "#findings"]),
    h("h2", { tabindex: "-1" }, group.message),
    h("p", { class: "tags" }, freshTag(group), h("span", { class: "tag" }, "blame ", h("b", null, group.blame)),
      stage ? h("span", { class: "tag" }, "first wrong in ", h("b", null, stage)) : null, h("span", { class: "tag" }, "field ", h("b", null, group.field)),
      h("span", { class: "tag" }, "in ", h("b", null, group.function)), h("span", { class: "tag" }, h("code", null, group.fingerprint))),
    select, place,
    h("h3", null, "What it breaks"), ruleBlock(group.rule),
    facts([
      ["ledger", group.ledger.size ? [...group.ledger].sort().map((name) => h("div", null, bugWords(name))) : "no entry"],
      ["explains", h("a", { href: link("trials", { finding: group.fingerprint }) }, plural(group.trials.length, "trial")), group.fresh && group.ledger.size ? `, new in ${number(group.fresh)}` : ""],
      group.steps ? ["steps", number(group.steps)] : null,
    ]),
    h("h3", null, "Shown by"), shownTable(group.trials, { finding: group.fingerprint }),
  ];
  return { nodes: nodes.filter(Boolean), start: () => show(chosen) };
};

