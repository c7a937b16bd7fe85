// Pages of sections: a filter over folded lists, and the comparison of two nights. Without scripts
// all of it is shown, unfiltered.
for (const input of document.querySelectorAll("input[data-filters]")) {
  const list = document.getElementById(input.dataset.filters);
  const count = input.nextElementSibling;
  const folds = [...list.querySelectorAll("details.fold")];
  const before = folds.map((fold) => fold.open);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    folds.forEach((fold, nth) => {
      const rows = [...fold.querySelectorAll(":scope > ol > li")];
      for (const row of rows) row.hidden = !words.every((word) => (fold.firstChild.textContent + row.textContent).toLowerCase().includes(word));
      const left = rows.filter((row) => !row.hidden).length;
      shown += left;
      fold.hidden = left === 0;
      fold.open = words.length > 0 ? left > 0 : before[nth];
    });
    count.textContent = words.length ? `${shown} shown` : "";
  });
}

const nightData = document.getElementById("night-data");
if (nightData) {
  const nights = JSON.parse(nightData.textContent);
  const [left, right] = ["left", "right"].map((id) => document.getElementById(`night-${id}`));
  const place = document.getElementById("night-difference");
  const list = (title, bugs) => {
    const head = document.createElement("h3");
    head.textContent = `${title}: ${bugs.length}`;
    const items = document.createElement("ul");
    items.className = "plain";
    for (const [name, what] of bugs) {
      const item = document.createElement("li"), code = document.createElement("code");
      code.textContent = name;
      item.append(`${what} `, code);
      items.append(item);
    }
    return [head, items];
  };
  const show = () => {
    const [one, other] = [nights[left.value], nights[right.value]];
    const missing = (from, of) => Object.entries(from.bugs).filter(([name]) => !(name in of.bugs));
    const words = document.createElement("p");
    words.textContent = `${one.name}: ${one.counts}. ${other.name}: ${other.counts}.` +
      (one.asked === other.asked ? "" : " They were asked for different trials.");
    place.replaceChildren(words, ...list(`Only in ${one.name}`, missing(one, other)), ...list(`Only in ${other.name}`, missing(other, one)));
  };
  for (const choice of [left, right]) choice.addEventListener("change", show);
  show();
}
