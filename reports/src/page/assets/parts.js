// Parts that the views of a finding, bug, rule, clause and trial share.
const crumbs = (...steps) => h("nav", { class: "crumbs", "aria-label": "Path" }, steps.map(([label, href], index) => [index ? " › " : "", h("a", { href }, label)]));
const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(Boolean).map(([name, ...value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
const scroller = (label, node) => h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, node);
const heads = (names, numeric = []) => h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col", class: numeric.includes(name) ? "n" : null }, name))));

const ruleLink = (id) => h("a", { href: `#rule=${encodeURIComponent(id)}` }, h("code", null, id));
const clauseLink = (id) => h("a", { href: `#clause=${encodeURIComponent(id)}` }, h("code", null, id));
const bugLink = (name) => `#bug=${encodeURIComponent(name)}`;

const missing = (what, id, all) => [h("h2", { tabindex: "-1" }, `No such ${what}`),
  h("p", null, `This run has no ${what} `, h("code", null, id), ". ", h("a", { href: `#${all}` }, `All ${all}`))];

const ruleBlock = (id) => {
  const rule = ruleNamed.get(id);
  if (!rule) return h("p", null, h("code", null, id), " ", h("span", { class: "note" }, "is not in this version's catalogue."));
  const [severity, versions, clause, statement, example] = rule;
  return h("blockquote", { class: "rule" }, h("p", null, statement),
    h("footer", null, ruleLink(id), ` · ${severity} · ${versions} · ${clause}`, h("div", null, `Example of a breach: ${example}`)));
};

// Number of these trials by producer and target; `filter` links to them.
const shownTable = (trials, filter) => {
  const rows = new Map();
  for (const trial of trials) {
    const producer = part(trial, "p"), target = targetOf(trial);
    const row = rows.get(producer) ?? { trials: 0, targets: new Map() };
    row.trials++;
    row.targets.set(target, (row.targets.get(target) ?? 0) + 1);
    rows.set(producer, row);
  }
  const all = [...rows].sort(([a, x], [b, y]) => y.trials - x.trials || (a < b ? -1 : 1));
  return scroller("Producers that show it", h("table", { class: "plain fit" }, heads(["producer", "trials", "targets and versions"], ["trials"]),
    h("tbody", null, all.map(([producer, row]) => h("tr", null, h("th", { scope: "row" }, producer),
      h("td", { class: "n" }, h("a", { href: link("trials", { producer, ...filter }) }, number(row.trials))),
      h("td", null, [...row.targets].map(([target, count]) => h("span", { class: "target" }, `${target} ${number(count)}`))))))));
};

// The first findings as a list; the others are counted, and `more` links to all.
const MOST = 100;
const groupList = (all, more) => [
  h("ol", { class: "ranked" }, all.slice(0, MOST).map((group) => h("li", null, freshTag(group), " ", h("a", { href: findingLink(group) }, group.message),
    h("div", { class: "note" }, h("code", null, group.rule), ` · ${group.blame} · ${group.function} · ${plural(group.trials.length, "trial")}`)))),
  all.length > MOST ? h("p", null, h("a", { href: more }, `and ${number(all.length - MOST)} more`)) : null,
];
