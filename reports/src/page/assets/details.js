// The views of one trial and of one finding.
const crumbs = (...steps) => h("nav", { class: "crumbs", "aria-label": "Path" }, steps.map(([label, href], index) => [index ? " › " : "", h("a", { href }, label)]));
const commandBlock = (trial) => {
  const commands = commandsOf(trial);
  return commands.length ? h("pre", { class: "commands", tabindex: "0" }, commands.map((line) => `$ ${line}\n`).join("")) : h("p", { class: "note" }, "No commands: the file was there.");
};
const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(Boolean).map(([name, ...value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
const scroller = (label, node) => h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, node);
const heads = (names, numeric = []) => h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col", class: numeric.includes(name) ? "n" : null }, name))));

const ruleBlock = (id) => {
  const rule = raw.r[id];
  if (!rule) return h("p", null, h("code", null, id), " ", h("span", { class: "note" }, "is not in this version's catalogue."));
  const [severity, versions, clause, statement, example, demands] = rule;
  return h("blockquote", { class: "rule" }, h("p", null, statement),
    h("footer", null, h("code", null, id), ` · ${severity} · ${versions} · ${clause}`, h("div", null, `Would break it: ${example}`),
      demands.length ? h("details", { class: "demands" }, h("summary", null, `${plural(demands.length, "clause")} behind it`),
        h("ul", { class: "plain" }, demands.map(([name, demand]) => h("li", null, h("a", { href: link("trials", { covers: name }) }, h("code", null, name)), ` ${demand}`)))) : null));
};

// What each voice says. Wrong is what the truth has otherwise; where the truth has nothing to compare with, what the finding charges.
const FIELDS = ["cfa", "ra", "fp"];
const voiceTable = (group, example) => {
  const [truth] = example.v, blamed = charged(group, windowLines(example));
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
  return [h("h3", null, example.x ? "At the first step that shows it" : "What the tables say"), scroller("What each voice says", h("table", { class: "plain voices" }, heads(["", "CFA", "RA", "caller's FP", "row"]), h("tbody", null, rows)))];
};

// A row as its equations, the one at fault marked.
const equations = (words, field, wrong) =>
  words.split(" ").map((word, index) => [index ? " " : "", wrong && word.startsWith(`${field}=`) ? h("mark", null, word) : word]);

const windowTable = (group, example) => {
  const lines = windowLines(example);
  if (!lines.length) return null;
  const blamed = charged(group, lines);
  return scroller("Instructions and rows", h("table", { class: "plain window" }, heads(["", "at", "instruction", ...VOICES]),
    h("tbody", null, lines.map((line) => h("tr", { class: line.wrong ? "wrong" : null },
      h("td", { class: "arrow" }, line.wrong ? h("span", { title: "the finding is shown here" }, "▶") : ""),
      h("td", { title: `0x${line.pc.toString(16)}` }, line.place), h("td", null, line.code),
      line.rows.map((words, voice) => h("td", { class: words && !NO_ROW.has(words) ? null : "note" }, equations(words || "not executed", group.field, line.wrong && blamed.includes(voice)))))))));
};

const exampleView = (group, example) => [
  facts([
    ["shown by", h("a", { href: trialLink(example.i) }, keyOf(example.i))],
    [text(example.p).includes("..") ? "PCs" : "where", h("code", null, text(example.p) || "–"), example.n > 1 ? ` and ${plural(example.n - 1, "more range")}` : ""],
    example.x ? ["executed", `${plural(example.s, "step")}${example.d ? `, ${plural(example.d, "frame")} up` : ""}`] : ["executed", example.v.some(Boolean) ? "no: the tables were compared" : "no: read from the file"],
    ["byte", h("code", null, text(example.e)), example.o ? [" at ", h("code", null, `0x${example.o}`)] : ""],
  ]),
  ...(voiceTable(group, example) ?? []),
  timelineFigure(group, example),
  windowTable(group, example),
  example.pic ? stackFigure(example.pic) : null,
  example.n > 1 ? h("details", null, h("summary", null, h("span", { class: "name" }, "All ranges of PCs")),
    h("p", { class: "ranges" }, example.r.map(([from, to]) => [h("code", null, `0x${from}..0x${to}`), " "]), example.n > example.r.length ? `and ${number(example.n - example.r.length)} more` : "")) : null,
  h("h3", null, "Commands"), commandBlock(example.i),
];

// Producer by target, with how many trials show it.
const shownTable = (group) => {
  const rows = new Map();
  for (const trial of group.trials) {
    const producer = part(trial, "p"), target = targetOf(trial);
    const row = rows.get(producer) ?? { trials: 0, targets: new Map() };
    row.trials++;
    row.targets.set(target, (row.targets.get(target) ?? 0) + 1);
    rows.set(producer, row);
  }
  const all = [...rows].sort(([a, x], [b, y]) => y.trials - x.trials || (a < b ? -1 : 1));
  return scroller("Producers that show it", h("table", { class: "plain fit" }, heads(["producer", "trials", "targets and versions"], ["trials"]),
    h("tbody", null, all.map(([producer, row]) => h("tr", null, h("th", { scope: "row" }, producer),
      h("td", { class: "n" }, h("a", { href: link("trials", { producer, finding: group.fingerprint }) }, number(row.trials))),
      h("td", null, [...row.targets].map(([target, count]) => h("span", { class: "target" }, `${target} ${number(count)}`))))))));
};

const findingView = (fingerprint, from) => {
  const group = groupNamed.get(fingerprint);
  if (!group) return [h("h2", { tabindex: "-1" }, "No such finding"), h("p", null, "This run has no finding ", h("code", null, fingerprint), ". ", h("a", { href: "#findings" }, "All findings"))];
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
    ruleBlock(group.rule),
    facts([
      ["ledger", group.ledger.size ? [...group.ledger].sort().map((name) => h("div", null, mistake(name))) : "no entry"],
      ["explains", h("a", { href: link("trials", { finding: group.fingerprint }) }, plural(group.trials.length, "trial")), group.fresh && group.ledger.size ? `, new in ${number(group.fresh)}` : ""],
      group.steps ? ["steps", number(group.steps)] : null,
    ]),
    select, place,
    h("h3", null, "Who shows it"), shownTable(group),
  ];
  return { nodes: nodes.filter(Boolean), start: () => show(chosen) };
};

const trialView = (key) => {
  const trial = trialNamed(key);
  if (trial === undefined) return [h("h2", { tabindex: "-1" }, "No such trial"), h("p", null, "This run has no trial ", h("code", null, key), ". ", h("a", { href: "#trials" }, "All trials"))];
  const [producer, abi, sframe, topic] = ["p", "a", "v", "t"].map((name) => part(trial, name));
  const cellOf = { producer, abi, sframe };
  const tools = texts(column.z[trial]), counts = lists[column.m[trial]], sizes = lists[column.y[trial]];
  const pairs = (id) => { const list = lists[id], all = []; for (let at = 0; at < list.length; at += 2) all.push([list[at], list[at + 1]]); return all; };
  const named = ["functions", "steps executed", "steps judged", "PCs judged", "PCs compared", "frames walked", "deepest chain", "warnings", "undecided", "missing"];
  const bytes = [".sframe", ".eh_frame", ".eh_frame_hdr", "functions", "rows", "text"];
  const problems = texts(column.r[trial]), found = freshFirst(shownBy(trial)), covers = texts(column.o[trial]), tables = texts(column.b[trial]), gaps = pairs(column.g[trial]), warnings = pairs(column.w[trial]);
  return [
    crumbs(["Overview", "#overview"], [producer, link("trials", { producer })], [targetOf(trial), link("trials", cellOf)], [topic, link("trials", { ...cellOf, topic })]),
    h("h2", { tabindex: "-1" }, part(trial, "c")),
    h("p", { class: "tags" }, statusTag(statusOf(trial)), h("code", { class: "key" }, keyOf(trial))),
    problems.length ? h("ul", { class: "problems" }, problems.map((line) => h("li", null, line))) : null,
    h("h3", null, "Findings"),
    found.length ? h("ol", { class: "ranked" }, found.map(({ group, known, stage, steps }) => h("li", null,
      known ? h("span", { class: "tag XFAIL" }, "≈ known") : h("span", { class: "tag FAIL" }, "✗ new"), " ", h("a", { href: findingLink(group, trial) }, group.message),
      h("div", { class: "note" }, h("code", null, group.rule), ` · ${group.blame} · first wrong in ${stage} · ${plural(steps, "step")}`, known ? [" · ", h("code", null, known)] : "")))) : h("p", { class: "note" }, "None of severity error."),
    h("h3", null, "Commands"), commandBlock(trial),
    tools.length ? facts(pairs(column.z[trial]).map(([kind, tool]) => [text(kind), text(tool)])) : null,
    counts.length ? [h("h3", null, "What was judged"), facts(named.map((name, index) => [name, number(counts[index])]))] : null,
    sizes.length ? [h("h3", null, "Bytes and counts of the final file"), facts(bytes.map((name, index) => [name, number(sizes[index])]))] : null,
    tables.length ? [h("h3", null, "Tables that were judged"), h("ul", { class: "plain" }, tables.map((line) => h("li", null, line)))] : null,
    gaps.length ? [h("h3", null, "Functions without a descriptor"), h("ul", { class: "plain" }, gaps.map(([name, why]) => h("li", null, h("code", null, text(name)), `: ${why ? text(why) : "the format could describe it"}`)))] : null,
    warnings.length ? [h("h3", null, "Milder findings"), h("ul", { class: "plain" }, warnings.map(([rule, count]) => h("li", null, h("code", null, text(rule)), ` ${number(count)}`)))] : null,
    covers.length ? [h("h3", null, "Covers"), h("p", { class: "covers" }, covers.map((id) => h("a", { href: link("trials", { covers: id }), class: "target" }, id)))] : null,
  ].flat().filter(Boolean);
};
