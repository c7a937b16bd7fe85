// The view of one trial.
const trialView = (key) => {
  const trial = trialNamed(key);
  if (trial === undefined) return missing("trial", key, "trials");
  const [producer, abi, sframe, topic] = ["p", "a", "v", "t"].map((name) => part(trial, name));
  const calls = stepsOf(column.h[trial], "", keyOf(trial));
  const cellOf = { producer, abi, sframe };
  const tools = texts(column.z[trial]), counts = lists[column.m[trial]], sizes = lists[column.y[trial]];
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
      h("div", { class: "note" }, ruleLink(group.rule), ` · ${group.blame} · first wrong in ${stage} · ${plural(steps, "step")}`, known ? [" · ", bugWords(entryName(known))] : "")))) : h("p", { class: "note" }, "None of severity error."),
    calls.length ? [h("h3", null, "Files"), stepList(calls)] : null,
    h("h3", null, "Commands"), commandBlock(trial),
    tools.length ? facts(pairs(column.z[trial]).map(([kind, tool]) => [text(kind), text(tool)])) : null,
    counts.length ? [h("h3", null, "What was judged"), facts(named.map((name, index) => [name, number(counts[index])]))] : null,
    sizes.length ? [h("h3", null, "Bytes and counts of the final file"), facts(bytes.map((name, index) => [name, number(sizes[index])]))] : null,
    tables.length ? [h("h3", null, "Tables that were judged"), h("ul", { class: "plain" }, tables.map((line) => h("li", null, line)))] : null,
    gaps.length ? [h("h3", null, "Functions without a descriptor"), h("ul", { class: "plain" }, gaps.map(([name, why]) => h("li", null, h("code", null, text(name)), `: ${why ? text(why) : "the format could describe it"}`)))] : null,
    warnings.length ? [h("h3", null, "Warnings and notes"), h("ul", { class: "plain" }, warnings.map(([rule, count]) => h("li", null, ruleLink(text(rule)), ` ${number(count)}`)))] : null,
    covers.length ? [h("h3", null, "Covers"), h("p", { class: "covers" }, covers.map((id) => h("span", { class: "target" }, ruleNamed.has(id) ? ruleLink(id) : clauseNamed.has(id) ? clauseLink(id) : h("a", { href: link("trials", { covers: id }) }, id))))] : null,
  ].flat().filter(Boolean);
};
