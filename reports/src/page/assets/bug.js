// The views of a bug, of a rule and of a clause.
const tracker = (place) => (/^https:/.test(place) ? h("a", { href: place, rel: "noreferrer" }, place) : place || "–");
const bugWords = (name) => [h("a", { href: bugLink(name) }, ...coded(entries.get(name)?.t || name)), entries.get(name)?.t ? [" · ", h("code", null, name)] : ""];
const days = ([first, last]) => (first === last ? first : `${first} to ${last}`);

const bugView = (name) => {
  const bug = bugs.get(name);
  if (!bug) return missing("known bug", name, "bugs");
  const entry = entries.get(name);
  const shown = byGravity(bug.trials);
  const all = [...bug.groups].sort((a, b) => a.rank - b.rank);
  const blames = [...new Set(all.map((group) => group.blame))].sort();
  const nodes = [
    crumbs(["Overview", "#overview"], ["Known bugs", "#bugs"]),
    h("h2", { tabindex: "-1" }, ...coded(entry?.t || name)),
    h("p", { class: "tags" }, h("span", { class: "tag XFAIL" }, "≈ known"), h("span", { class: "tag" }, "blame ", h("b", null, entry?.b ?? blames.join(", "))),
      entry?.p ? h("span", { class: "tag" }, "of ", h("b", null, entry.p)) : null, h("span", { class: "tag" }, h("code", null, name))),
    entry?.y ? h("p", { class: "reason" }, ...coded(entry.y)) : h("p", { class: "note" }, "These results do not have the entry's reason; the ledger does."),
    facts([
      entry?.v[0] ? ["versions", days(entry.v), entry.x ? `, fixed in ${entry.x}` : ", not seen fixed"] : null,
      entry ? ["report", tracker(entry.l)] : null,
      entry?.d[0] ? ["recorded", entry.d[0]] : null,
      entry?.n ? ["seen here", days(entry.n)] : null,
      entry?.d[1] ? ["expires", entry.d[1]] : null,
      ["shown by", h("a", { href: link("trials", { bug: name }) }, plural(bug.trials.length, "trial"))],
      ["bundle", entry?.z ? [h("code", null, `reports/known/${name}`), ", ready to be filed"] : "none yet"],
    ]),
    entry && pairs(entry.c).length ? [h("h3", null, "Commands"), stepList(stepsOf(entry.c, "", entry.i))] : null,
    h("h3", null, "Shown by"), shownTable(bug.trials, { bug: name }),
    h("h3", null, "Findings ", h("span", { class: "note" }, number(all.length))), groupList(all, link("findings", { q: name })),
    h("h3", null, "Trials ", h("span", { class: "note" }, number(shown.length))),
  ].flat(3).filter(Boolean);
  const place = h("div", { class: "listing" });
  const start = () => {
    liveList = virtualList("Trials that show it", shown.length, isNarrow() ? 52 : 31, (index) => trialRow(shown[index]));
    place.replaceChildren(liveList);
    liveList.redraw();
  };
  return { nodes: [...nodes, place], start };
};

const clauseList = (ids) => h("ul", { class: "plain" }, ids.map((id) => h("li", null, clauseNamed.has(id) ? [clauseLink(id), ` ${clauseNamed.get(id).demand}`] : h("code", null, id))));
const ruleList = (ids) => h("ul", { class: "plain" }, ids.map((id) => h("li", null, ruleLink(id), ` ${ruleNamed.get(id)?.[3] ?? ""}`)));
const coveredBy = (id) => Array.from({ length: trialCount }, (_, trial) => trial).filter(covering(id)).length;

const ruleView = (id) => {
  const rule = ruleNamed.get(id);
  if (!rule) return missing("rule", id, "clauses");
  const [severity, versions, clause, statement, example, clauses, implies] = rule;
  const broken = groups.filter((group) => group.rule === id), covered = coveredBy(id);
  return [
    crumbs(["Overview", "#overview"], ["Clauses", "#clauses"]),
    h("h2", { tabindex: "-1" }, h("code", null, id)),
    h("p", { class: "reason" }, statement),
    facts([["severity", severity], ["versions", versions], ["source", clause], ["broken by", example],
      ["cases for it", covered ? h("a", { href: link("trials", { covers: id }) }, plural(covered, "trial")) : "none of this run"]]),
    clauses.length ? [h("h3", null, "Its clauses"), clauseList(clauses)] : null,
    implies.length ? [h("h3", null, "Rules broken with it"), ruleList(implies)] : null,
    h("h3", null, "Findings"), broken.length ? groupList(broken, link("findings", { q: id })) : h("p", { class: "note" }, "Nothing in this run breaks it."),
  ].flat(2).filter(Boolean);
};

const clauseView = (id) => {
  const clause = clauseNamed.get(id);
  if (!clause) return missing("clause", id, "clauses");
  const broken = groups.filter((group) => clause.rules.includes(group.rule));
  return [
    crumbs(["Overview", "#overview"], ["Clauses", "#clauses"]),
    h("h2", { tabindex: "-1" }, h("code", null, id)),
    h("p", { class: "reason" }, clause.demand),
    facts([["section", clause.section], ["shown by", clause.shownBy],
      ["covered by", clause.trials ? h("a", { href: link("trials", { covers: id }) }, plural(clause.trials, "trial")) : "no trial of this run", !clause.trials && clause.needed ? `: ${clause.needed}` : ""]]),
    clause.rules.length ? [h("h3", null, "Rules that check it"), ruleList(clause.rules)] : h("p", { class: "note" }, "No rule checks it."),
    broken.length ? [h("h3", null, "Findings that break one of them"), groupList(broken, "#findings")] : null,
  ].flat(2).filter(Boolean);
};
