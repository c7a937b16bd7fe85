// The lists of findings and trials with their filters. The filter is part of the link, so it can be
// bookmarked and sent.
const statusTag = (status) => h("span", { class: `status ${status.word}` }, `${status.sign} ${status.word}`);
const freshTag = (group) => (group.fresh ? h("span", { class: "tag FAIL" }, "✗ new") : h("span", { class: "tag XFAIL" }, "≈ known"));

// Reads and writes `#view&name=value&name=value`.
const parseRoute = (hash) => {
  // Older addresses have `mistake` for a bug.
  const [head, ...rest] = hash.replace(/^#/, "").replace(/(^|&)mistake/, "$1bug").split("&");
  const decode = (value) => { try { return decodeURIComponent(value); } catch { return value; } };
  const [view, id] = head.split(/=(.*)/s);
  const filter = {};
  for (const item of rest) {
    const [name, value] = item.split(/=(.*)/s);
    if (value) filter[name] = decode(value);
  }
  return { view: view || "overview", id: id === undefined ? null : decode(id), filter };
};
const link = (view, filter) =>
  `#${view}` + Object.entries(filter).filter(([, value]) => value).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
const findingLink = (group, trial) => `#finding=${encodeURIComponent(group.fingerprint)}` + (trial === undefined ? "" : `&trial=${encodeURIComponent(keyOf(trial))}`);
const trialLink = (trial) => `#trial=${encodeURIComponent(keyOf(trial))}`;

const COLUMNS = [["producer", "p"], ["abi", "a"], ["sframe", "v"], ["topic", "t"]];
const NAMES = { producer: "producer", abi: "target", sframe: "SFrame", topic: "topic", blame: "blame", status: "status", finding: "finding", bug: "known bug", covers: "covers", q: "text" };

// A clause is covered by the contents of a trial's tables, or because its case names it; a rule
// only because its case names it.
const covering = (id) => {
  const clause = clauseNamed.get(id)?.index ?? -1, name = strings.indexOf(id);
  return clause >= 0 ? (trial) => lists[column.q[trial]].includes(clause) : (trial) => lists[column.o[trial]].includes(name);
};

const selectedTrials = (filter) => {
  const wanted = filter.status ? new Set(filter.status.split(",")) : null;
  const by = COLUMNS.filter(([name]) => filter[name]).map(([name, key]) => [column[key], strings.indexOf(filter[name])]);
  const words = (filter.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const group = filter.finding ? groupNamed.get(filter.finding) : null;
  const named = filter.bug ? new Set(bugs.get(filter.bug)?.trials) : null;
  const base = filter.finding ? group?.trials ?? [] : Array.from({ length: trialCount }, (_, trial) => trial);
  const covers = filter.covers ? covering(filter.covers) : null;
  return byGravity(base.filter((trial) =>
    (!wanted || wanted.has(statusOf(trial).word)) &&
    by.every(([values, id]) => values[trial] === id) &&
    (!filter.blame || shownBy(trial).some((shown) => shown.group.blame === filter.blame)) &&
    (covers === null || covers(trial)) && (named === null || named.has(trial)) &&
    words.every((word) => haystack(trial).includes(word))));
};

const selectedGroups = (filter) => {
  const words = (filter.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const by = COLUMNS.filter(([name]) => filter[name]).map(([name, key]) => [column[key], strings.indexOf(filter[name])]);
  const wanted = filter.status ? new Set(filter.status.split(",")) : null;
  return groups.filter((group) =>
    (!filter.blame || group.blame === filter.blame) &&
    (!wanted || wanted.has(group.fresh ? "new" : "known")) &&
    words.every((word) => searched(group).toLowerCase().includes(word)) &&
    (!by.length || group.trials.some((trial) => by.every(([values, id]) => values[trial] === id))));
};

// Filters above a list; `show` is called with the current filter.
const filterBar = (view, filter, statuses, show) => {
  const now = { ...filter };
  const change = () => {
    history.replaceState(null, "", link(view, now));
    show(now);
  };
  let timer = 0;
  const search = h("input", { type: "search", id: `${view}-q`, value: now.q ?? "", placeholder: "filter by text ( / )", "aria-label": "Filter by text", autocomplete: "off", spellcheck: "false",
    oninput: () => { clearTimeout(timer); timer = setTimeout(() => { now.q = search.value.trim(); change(); }, trialCount > 5000 ? 120 : 0); } });
  const choice = (name, values) => values.length < 2 && !now[name] ? null :
    h("select", { "aria-label": NAMES[name], onchange: (event) => { now[name] = event.target.value; change(); } },
      h("option", { value: "" }, `${NAMES[name]}: any`), values.map((value) => h("option", { value, selected: value === now[name] }, value)));
  const pressed = () => new Set((now.status ?? "").split(",").filter(Boolean));
  const toggles = statuses.map(([word, label, kind]) =>
    h("button", { type: "button", class: `status ${kind}`, "data-status": word, "aria-pressed": String(pressed().has(word)), onclick: (event) => {
      const set = pressed();
      if (!set.delete(word)) set.add(word);
      now.status = [...set].join(",");
      event.currentTarget.setAttribute("aria-pressed", String(set.has(word)));
      change();
    } }, label));
  const blames = [...new Set(groups.map((group) => group.blame))].sort();
  const chips = ["finding", "bug", "covers"].filter((name) => now[name]).map((name) =>
    h("button", { type: "button", class: "chip", onclick: (event) => { now[name] = ""; event.currentTarget.remove(); change(); } }, `${NAMES[name]}: ${now[name]} ✕`));
  return h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, search,
    h("div", { class: "toggles", role: "group", "aria-label": "Status" }, toggles),
    COLUMNS.map(([name, key]) => choice(name, choices(key))), choice("blame", blames), chips,
    h("a", { class: "clear", href: `#${view}` }, "clear"));
};

const isNarrow = () => innerWidth < 720;
// The worst status first; others keep the order of their keys.
const GRAVITY = Object.keys(STATUS);
const byGravity = (trials) => GRAVITY.flatMap((letter) => trials.filter((trial) => raw.t.st[trial] === letter));

// The first producers that show a finding.
const few = (group) => {
  const names = [...new Set(group.trials.map((trial) => part(trial, "p")))];
  return names.slice(0, 3).join(", ") + (names.length > 3 ? `, ${names.length - 3} more` : "");
};

const findingRow = (group) => ({
  href: findingLink(group),
  title: group.message,
  kind: "row finding-row",
  content: [
    h("span", { class: "line" }, freshTag(group), " ", h("b", null, group.message)),
    h("span", { class: "line note" }, h("code", null, group.rule), ` · ${group.blame} · ${group.function} · ${plural(group.trials.length, "trial")} · ${few(group)}`),
  ],
});

const trialRow = (trial) => {
  const shown = freshFirst(shownBy(trial));
  const first = shown.length ? `${shown[0].group.rule}${shown.length > 1 ? ` and ${shown.length - 1} more` : ""}` : texts(column.r[trial])[0] ?? "";
  if (!isNarrow()) return { href: trialLink(trial), title: keyOf(trial), kind: "row wide-row", content: [
    h("span", null, statusTag(statusOf(trial))), h("span", null, h("b", null, part(trial, "c")), h("span", { class: "note" }, ` ${part(trial, "t")}`)),
    h("span", null, part(trial, "p")), h("span", null, targetOf(trial)), h("span", { class: "note" }, first),
  ] };
  return {
    href: trialLink(trial),
    title: keyOf(trial),
    content: [
      h("span", { class: "line" }, statusTag(statusOf(trial)), " ", h("b", null, part(trial, "c")), h("span", { class: "note" }, ` ${part(trial, "t")}`)),
      h("span", { class: "line note" }, `${part(trial, "p")} · ${targetOf(trial)}`, first ? ` · ${first}` : ""),
    ],
  };
};

let liveList = null;
const listing = (label, view, filter, statuses, select, row, rowHeight, above) => {
  const count = h("p", { class: "count", role: "status" });
  const head = h("div");
  const place = h("div", { class: "listing" });
  const show = (now) => {
    const found = select(now);
    count.textContent = found.length ? plural(found.length, label) : `No ${label} matches.`;
    head.replaceChildren(...(above ? above(found, now) : []));
    liveList = virtualList(`${label}s`, found.length, rowHeight, (index) => row(found[index]));
    place.replaceChildren(liveList);
    liveList.redraw();
  };
  const bar = filterBar(view, filter, statuses, show);
  return { nodes: [bar, count, head, place], start: () => show(filter) };
};

// Topics of the listed trials, each with their statuses: the step from a cell of the matrix to its
// cases.
const topicTable = (found, filter) => {
  if (filter.topic || found.length < 2) return [];
  const topics = new Map();
  for (const trial of found) {
    const id = column.t[trial], counts = topics.get(id) ?? new Map();
    const letterOf = raw.t.st[trial];
    counts.set(letterOf, (counts.get(letterOf) ?? 0) + 1);
    topics.set(id, counts);
  }
  if (topics.size < 2) return [];
  const items = [...topics].sort((a, b) => text(a[0]).localeCompare(text(b[0]))).map(([id, counts]) =>
    h("a", { href: link("trials", { ...filter, topic: text(id) }), class: "topic" }, h("b", null, text(id) || "(no topic)"),
      Object.keys(STATUS).filter((key) => counts.has(key)).map((key) => h("span", { class: `status ${STATUS[key].word}` }, `${STATUS[key].sign} ${number(counts.get(key))}`))));
  return [h("nav", { class: "topics", "aria-label": "Topics" }, items)];
};

const findingsView = (filter) =>
  listing("finding", "findings", filter, [["new", "✗ new", "FAIL"], ["known", "≈ known", "XFAIL"]], selectedGroups, findingRow, isNarrow() ? 74 : 48);
const trialsView = (filter) =>
  listing("trial", "trials", filter, Object.values(STATUS).map(({ word, sign }) => [word, `${sign} ${word}`, word]), selectedTrials, trialRow, isNarrow() ? 52 : 31, topicTable);
