// Opens each address of VIEWS, in both schemes, and leaves the findings in the document as JSON:
// problems of each view, and its text. LINES bounds the lines of a text. Executed in a copy of a
// page, after its own scripts.
const problems = [], views = [];
addEventListener("error", (event) => problems.push(`error: ${event.message}`));
const turn = (time = 0) => new Promise((done) => setTimeout(done, time));
const go = (to) => new Promise((done) => {
  if (location.hash === to) return done();
  addEventListener("hashchange", () => setTimeout(done, 0), { once: true });
  location.hash = to;
});
const shown = () => (document.getElementById("data") && document.querySelector("main > section:not([hidden])")) ?? document.querySelector("main");
const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const check = (holds, what) => { if (!holds) problems.push(what); };

const look = (view) => {
  document.querySelectorAll("details").forEach((details, nth) => { details.open = nth < 3; });
  for (const line of audit().split("\n")) check(!line, `${view}: ${line}`);
  const { poor, looked } = contrast();
  check(!poor, `${view}: poor contrast: ${poor}`);
  check(looked > 10, `${view}: looked at ${looked} points`);
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
  check(document.documentElement.scrollWidth <= innerWidth, `${view}: ${document.documentElement.scrollWidth} wide in ${innerWidth}`);
  check(shown().getBoundingClientRect().height > 20, `${view}: nothing is shown`);
  check(!document.querySelector("img") && document.title !== "pwned", `${view}: text from outside is markup`);
  check(["", "#overview"].includes(view) || document.title.includes(" · "), `${view}: the title is ${document.title}`);
};

// The text of a view; of pictures what is marked, with its height.
const text = () => {
  // The choices of a filter are those of the lists.
  document.querySelectorAll("select").forEach((select) => { select.hidden = true; });
  const lines = shown().innerText.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim()).filter((line) => line);
  const marks = [...shown().querySelectorAll("svg text")].map((mark) => `${mark.textContent} at ${Math.round(mark.getAttribute("y"))}`);
  document.querySelectorAll("select").forEach((select) => { select.hidden = false; });
  const rest = lines.length > LINES ? [`... ${lines.length - LINES} more lines`] : [];
  return [...lines.slice(0, LINES), ...rest, ...(marks.length ? [`marks: ${marks.join(", ")}`] : [])];
};

// Waits until something holds, as long as a page of many trials takes.
const until = async (holds, what) => {
  for (let times = 0; times < 200; times++) {
    if (holds()) return;
    await turn(20);
  }
  problems.push(what);
};

// The page is used by keys: filters, the list, the matrix.
const keys = async () => {
  await go("#overview");
  press("/");
  await until(() => document.activeElement.id === "trials-q", "/ leads to the filter of the trials");
  await go("#trials");
  document.querySelector("#trials [role=listbox]").focus();
  const at = (name) => document.querySelector("#trials [aria-selected=true]")?.getAttribute(name);
  press("End");
  await until(() => at("aria-setsize") && at("aria-posinset") === at("aria-setsize"), "End leads to the last trial");
  check(document.querySelectorAll("#trials [role=option]").length < 200, "only rows near the window exist");
  press("Home");
  await until(() => at("aria-posinset") === "1", "Home leads to the first trial");
  const to = at("href");
  press("Enter");
  await until(() => location.hash === to, "Enter leads to the trial");
  await go("#overview");
  document.querySelector("#grid a").focus();
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) press(key);
  const row = [...document.querySelectorAll("#grid tr:has(a)")].findIndex((row) => row.contains(document.activeElement));
  check(row === 2, `two arrows down lead to row ${row} of the matrix`);
};

(async () => {
  await turn(100);
  const scheme = document.getElementById("scheme");
  for (let times = 0; times < (scheme ? 2 : 1); times++) {
    // auto, then light; then dark
    scheme?.click();
    await turn(50);
    const name = scheme?.textContent.trim() ?? "";
    for (const view of VIEWS) {
      if (view) await go(view);
      await turn(20);
      const before = problems.length;
      look(view);
      if (problems.length > before) problems.push(`(in the scheme ${name})`);
      if (times === 0) views.push({ view, text: text() });
    }
  }
  // A page of ten thousand trials may still be drawing.
  if (VIEWS.length > 2 && document.getElementById("data") && document.querySelector("#grid a")) await keys();
})().catch((error) => problems.push(`failed: ${error.stack}`)).finally(() => {
  const plain = JSON.stringify({ problems, views }).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
  document.body.innerHTML = "<pre id=smoke></pre>";
  document.getElementById("smoke").textContent = plain;
});
