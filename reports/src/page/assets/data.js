// The data of the page; the letters are those of `data.rs`.
const raw = JSON.parse(byId("data").textContent);
const strings = raw.s, lists = raw.l, column = raw.t.col;
const text = (id) => strings[id];
const texts = (id) => lists[id].map(text);
// A flat list of numbers as pairs.
const pairs = (id) => { const list = lists[id], all = []; for (let at = 0; at < list.length; at += 2) all.push([list[at], list[at + 1]]); return all; };

const STATUS = {
  F: { word: "FAIL", sign: "✗", means: "new" },
  X: { word: "XPASS", sign: "↑", means: "gone" },
  U: { word: "UNRESOLVED", sign: "?", means: "undecided" },
  K: { word: "XFAIL", sign: "≈", means: "known" },
  P: { word: "PASS", sign: "✓", means: "pass" },
  N: { word: "UNSUPPORTED", sign: "–", means: "not found" },
};
const STAGES = ["object", "relocatable", "linked", "stripped"];

const trialCount = raw.t.st.length;
const statusOf = (trial) => STATUS[raw.t.st[trial]];
const part = (trial, name) => text(column[name][trial]);
// Target and SFrame version; a note if the target has no version.
const targetOf = (trial) => `${part(trial, "a")} ${part(trial, "v") === "none" ? "no SFrame" : part(trial, "v")}`;
const keyOf = (trial) => {
  const own = raw.t.key[trial];
  return own === undefined ? ["p", "a", "v", "t", "c"].map((name) => part(trial, name)).join("::") : text(own);
};
// The findings of a trial.
const shownBy = (trial) =>
  lists[column.f[trial]].map((id) => {
    const [group, known, stage, steps, example] = lists[id];
    return { group: groups[group], known: known ? text(known) : null, stage: text(stage), steps, example: example - 1 };
  });
// New findings come before known ones.
const freshFirst = (shown) => [...shown].sort((a, b) => Number(a.known !== null) - Number(b.known !== null));
const commandsOf = (trial) => {
  const name = part(trial, "c");
  const stem = name.split("+")[0];
  return texts(column.k[trial]).map((line) => line.replaceAll("\u0001", () => name).replaceAll("\u0002", () => stem));
};

// Findings by rank, as the summary lists them, each with the trials that show it.
const entryName = (file) => file.replace(/\.yaml$/, "");
const entries = new Map(Object.entries(raw.k));
// Bugs by name: those of the ledger that some trial shows.
const bugs = new Map();
const groups = raw.g.map(([fingerprint, [rule, blame, fn, shape, field, message], examples], rank) => ({
  fingerprint, rank, examples, rule: text(rule), blame: text(blame), function: text(fn), shape: text(shape),
  field: text(field), message: text(message), trials: [], fresh: 0, ledger: new Set(), stages: new Set(), steps: 0,
}));
for (let trial = 0; trial < trialCount; trial++) {
  const all = column.f[trial];
  if (!all) continue;
  for (const id of lists[all]) {
    const [at, known, stage, steps] = lists[id];
    const group = groups[at];
    if (group.trials[group.trials.length - 1] !== trial) group.trials.push(trial);
    if (known) {
      const name = entryName(text(known));
      group.ledger.add(name);
      const bug = bugs.get(name) ?? { name, groups: new Set(), trials: [] };
      bugs.set(name, bug);
      bug.groups.add(group);
      if (bug.trials[bug.trials.length - 1] !== trial) bug.trials.push(trial);
    } else group.fresh++;
    group.stages.add(text(stage));
    group.steps += steps;
  }
}
// Rules and clauses of the catalogue by name.
const ruleNamed = new Map(Object.entries(raw.r));
const clauseNamed = new Map(raw.c.map(([id, section, demand, shownBy, trials, needed, rules], index) => [id, { index, id, section, demand, shownBy, trials, needed, rules }]));
const groupNamed = new Map(groups.map((group) => [group.fingerprint, group]));
let keys = null;
const trialNamed = (key) => {
  keys ??= new Map(Array.from({ length: trialCount }, (_, trial) => [keyOf(trial), trial]));
  return keys.get(key);
};
// The distinct values of a column, sorted.
const choices = (name) => [...new Set(column[name])].map(text).sort();

// Text that the text filter searches, built at its first use.
let haystacks = null;
const haystack = (trial) => {
  haystacks ??= new Array(trialCount);
  return (haystacks[trial] ??= [keyOf(trial), ...shownBy(trial).map((shown) => searched(shown.group))].join(" ").toLowerCase());
};
// Commands as `[purpose, command]`, with placeholders for the parts that vary.
const stepsOf = (id, fingerprint, key) =>
  pairs(id).map(([what, command]) => [text(what), text(command).replaceAll("\u0003", () => fingerprint).replaceAll("\u0004", () => key)]);
const searched = (group) => `${group.fingerprint} ${group.rule} ${group.function} ${group.blame} ${group.message} ${[...group.ledger].join(" ")}`;
