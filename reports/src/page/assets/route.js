// Shows the view of the link's fragment. Nothing else decides, so the back button works.
const views = ["overview", "bugs", "findings", "trials", "clauses", "sizes", "producers", "readers", "changes"].map(byId).filter(Boolean);
const detail = byId("detail");
const scrolled = new Map();
let current = location.hash, followed = false;

// Views of a finding, bug, rule, clause or trial: the function that draws each, and its tab.
const SINGLE = {
  finding: [(id, filter) => findingView(id, filter.trial), "findings"],
  trial: [trialView, "trials"],
  bug: [bugView, "bugs"],
  rule: [ruleView, "clauses"],
  clause: [clauseView, "clauses"],
};
const nowhere = () => [h("h2", { tabindex: "-1" }, "No such page"), h("p", null, "Nothing has the address ", h("code", null, location.hash), ". ", h("a", { href: "#overview" }, "Overview"))];
const title = document.title;

const show = () => {
  const { view, id, filter } = parseRoute(location.hash);
  const single = Object.hasOwn(SINGLE, view) ? SINGLE[view] : null;
  const listed = views.find((section) => section.id === view);
  const target = single || !listed ? detail : listed;
  for (const section of [...views, detail]) section.hidden = section !== target;
  for (const tab of document.querySelectorAll("header nav a")) {
    const here = tab.hash === `#${single ? single[1] : target.id}`;
    if (here) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
    // On a phone the tabs scroll sideways; the current one stays visible.
    if (here) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 40;
  }
  liveList = null;
  redraws = [];
  // The rows of the list before are removed, so that each id is in the document once.
  for (const place of [byId("finding-list"), byId("trial-list"), detail]) if (!target.contains(place)) place.replaceChildren();
  const fill = (place, content) => {
    place.replaceChildren(...(content.nodes ?? content));
    content.start?.();
    for (const draw of redraws) draw();
  };
  if (single) fill(detail, single[0](id ?? "", filter));
  else if (target === detail) fill(detail, nowhere());
  else if (target.id === "findings") fill(byId("finding-list"), findingsView(filter));
  else if (target.id === "trials") fill(byId("trial-list"), trialsView(filter));
  const heading = target.id === "overview" ? null : target.querySelector("h2");
  document.title = heading ? `${heading.textContent} · ${title}` : title;
  return target;
};

addEventListener("hashchange", () => {
  scrolled.set(current, scrollY);
  current = location.hash;
  if (current === "#view") return;
  const target = show();
  scrollTo(0, followed ? 0 : scrolled.get(current) ?? 0);
  if (followed) target.querySelector("h2")?.focus({ preventScroll: true });
  followed = false;
  liveList?.redraw();
});
addEventListener("click", (event) => { if (event.target.closest?.("a[href^='#']")) followed = true; }, true);
history.scrollRestoration = "manual";

let queued = false;
addEventListener("scroll", () => {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => { queued = false; liveList?.redraw(); });
}, { passive: true });
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width && liveList) show();
  width = innerWidth;
  for (const draw of redraws) draw();
  liveList?.redraw();
});

// `/` goes to the filter, Escape leaves it.
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    const search = document.querySelector("section:not([hidden]) input[type=search]");
    if (search) search.focus();
    else {
      // Nothing hidden takes the focus: the list is shown first, by the listener above.
      addEventListener("hashchange", () => byId("trials-q")?.focus(), { once: true });
      followed = true;
      location.hash = "#trials";
    }
  } else if (event.key === "Escape" && typing) event.target.blur();
  else if (event.key === "ArrowDown" && event.target.type === "search") { event.preventDefault(); liveList?.focus({ preventScroll: true }); }
});

// The matrix is one tab stop; arrows move from cell to cell.
const grid = byId("grid");
if (grid) {
  const lines = () => [...grid.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("a")]).filter((row) => row.length);
  const all = lines().flat();
  all.forEach((cell, index) => (cell.tabIndex = index ? -1 : 0));
  grid.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cells = lines();
    let row = cells.findIndex((line) => line.includes(event.target));
    if (!step || row < 0) return;
    let at = cells[row].indexOf(event.target);
    event.preventDefault();
    // Up and down: the nearest mark.
    const near = (cell) => Math.abs(cell.getBoundingClientRect().left - event.target.getBoundingClientRect().left);
    row += step[0]; at += step[1];
    const next = step[0] ? cells[row]?.toSorted((one, other) => near(one) - near(other))[0] : cells[row][at];
    if (!next) return;
    for (const cell of all) cell.tabIndex = cell === next ? 0 : -1;
    next.focus();
  });
  // Sorted by a target: the smallest share first; by producer: the original order.
  const body = grid.querySelector("tbody.producers"), order = [...body.rows];
  const least = (row, column) => Math.min(Infinity, ...[...row.cells[column].querySelectorAll(".word")].map((word) => parseInt(word.textContent.slice(2), 10)).filter((share) => share >= 0));
  const heads = [...grid.tHead.rows[0].cells];
  heads.forEach((head, column) => head.replaceChildren(h("button", { type: "button", class: "sort", onclick: () => {
    for (const other of heads) other.setAttribute("aria-sort", other === head && column ? "ascending" : "none");
    body.replaceChildren(...(column ? order.toSorted((one, other) => least(one, column) - least(other, column)) : order));
  } }, head.textContent)));
}

// Clauses: all, uncovered, covered; empty sections are hidden.
const clauseButtons = [...document.querySelectorAll("[data-clauses]")];
for (const button of clauseButtons) button.addEventListener("click", () => {
  for (const other of clauseButtons) other.setAttribute("aria-pressed", String(other === button));
  const wanted = button.dataset.clauses;
  for (const section of document.querySelectorAll("#clause-list details")) {
    const rows = [...section.querySelectorAll("tbody tr")];
    for (const row of rows) row.hidden = wanted !== "all" && !row.classList.contains(wanted);
    section.hidden = rows.every((row) => row.hidden);
    section.open = wanted === "open" && !section.hidden;
  }
});

document.documentElement.classList.remove("starting");
show();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
