// The problems of the visible view for users without sight or pointer, one per line (WCAG 2.2,
// levels A and AA, as far as a program can check): names of controls, order of headings, landmarks,
// table headings, live regions, links that differ by more than colour, sizes of targets.
const audit = () => {
  const wrong = [], seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const all = (what, from = document) => [...from.querySelectorAll(what)].filter(seen);
  const say = (why, node) => wrong.push(`${why}: ${node ? node.outerHTML.slice(0, 110) : ""}`);
  const one = (what, count = 1) => { if (all(what).length !== count) wrong.push(`${all(what).length} of ${what}`); };
  // 3.1.1, 2.4.2, landmarks
  if (document.documentElement.lang !== "en") wrong.push("no language");
  if (!document.title.trim()) wrong.push("no title");
  for (const what of ["h1", "main", "body > header"]) one(what);
  for (const node of document.body.children) {
    if (!["HEADER", "MAIN", "SCRIPT"].includes(node.tagName) && !node.matches(".skip, [role=status]")) say("outside of all landmarks", node);
  }
  for (const what of ["nav", "[role=region]", "section[aria-label]"]) {
    const labels = all(what).map((node) => node.getAttribute("aria-label"));
    if (labels.some((label) => !label)) wrong.push(`a ${what} without a name`);
    if (new Set(labels).size !== labels.length) wrong.push(`several ${what} of one name: ${labels}`);
  }
  // 1.3.1, 2.4.6: headings one below the other
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) say(`a heading of level ${own} below one of ${level}`, heading);
    if (!heading.textContent.trim()) say("an empty heading", heading);
    level = own;
  }
  // 4.1.2: whatever is used has a name
  const labelled = (node) => [node.getAttribute("aria-label"), (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(""),
    [...(node.labels ?? [])].map((label) => label.textContent).join(""), ["INPUT", "SELECT"].includes(node.tagName) ? "" : node.textContent].some((name) => name?.trim());
  for (const node of all("a[href], button, input, select, textarea, summary, [tabindex='0'], [role=listbox], [role=option], svg[role=img]")) {
    if (!labelled(node)) say("no name", node);
  }
  // What is said is what is seen (2.5.3), but for words that only a symbol shows.
  const words = (text) => text.toLowerCase().replace(/[^\w\s./@-]/g, "").replace(/\s+/g, " ").trim();
  for (const node of all("button[aria-label], a[aria-label]")) if (!words(node.getAttribute("aria-label")).includes(words(node.textContent))) say("another name than it shows", node);
  for (const node of all("svg")) if (node.getAttribute("role") !== "img" && node.getAttribute("aria-hidden") !== "true") say("a picture without a role", node);
  for (const node of document.querySelectorAll("[tabindex]")) if (node.tabIndex > 0) say("out of the order of the page", node);
  for (const node of all("[aria-hidden=true]")) if (node.querySelector("a, button, input, [tabindex='0']")) say("hidden, and can be reached", node);
  for (const name of ["aria-activedescendant", "aria-controls", "aria-labelledby", "aria-describedby"]) {
    for (const node of all(`[${name}]`)) if (!document.getElementById(node.getAttribute(name))) say(`${name} names nothing`, node);
  }
  for (const node of all("[aria-pressed]")) if (!["true", "false"].includes(node.getAttribute("aria-pressed"))) say("neither pressed nor not", node);
  for (const node of all("[role=option]")) if (node.parentElement.getAttribute("role") !== "listbox" || !node.hasAttribute("aria-selected") || node.ariaSetSize < 1) say("an option of no list", node);
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id), twice = ids.filter((id, nth) => ids.indexOf(id) !== nth);
  if (twice.length) wrong.push(`ids twice: ${twice}`);
  // 1.3.1: tables and lists
  for (const table of all("table")) {
    const heads = all("th", table);
    if (!all("thead th[scope=col], thead th[scope=colgroup]", table).length) say("a table without heads of columns", table);
    for (const row of all("tbody tr", table)) if (!row.querySelector("th[scope=row], th[scope=rowgroup]")) say("a row without a head", row);
    for (const head of heads) if (!head.getAttribute("scope") || !head.textContent.trim()) say("a head without scope or text", head);
  }
  for (const list of all("ul, ol")) for (const item of list.children) if (item.tagName !== "LI") say("no item of its list", item);
  for (const list of all("dl > *")) if (list.tagName !== "DIV" || !list.querySelector("dt") || !list.querySelector("dd")) say("no pair of its list", list);
  // 2.1.1: what scrolls can be scrolled by keys
  for (const node of all("main *")) {
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowX) && node.scrollWidth > node.clientWidth + 1;
    if (scrolls && node.tabIndex < 0 && !node.querySelector("a, button")) say("scrolls, but not by keys", node);
  }
  // 1.4.1: within text a link differs by more than its colour
  for (const node of all("main a[href]")) {
    const beside = [...node.parentElement.childNodes].some((other) => other.nodeType === 3 && /\w{2}/.test(other.data));
    const style = getComputedStyle(node);
    if (beside && style.display.startsWith("inline") && !style.textDecorationLine.includes("underline")) say("a link in text, told by colour alone", node);
  }
  // 2.5.8: targets of 24 by 24, but for those in text
  for (const node of all("button, select, input, summary, nav[aria-label=Views] a, a.cell, [role=option]")) {
    const { width, height } = node.getBoundingClientRect();
    if (width < 24 || height < 23.9) say(`a target of ${width.toFixed()} by ${height.toFixed()}`, node);
  }
  return wrong.slice(0, 8).join("\n");
};
