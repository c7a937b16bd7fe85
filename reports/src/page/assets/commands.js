// Commands to paste, each with a button that copies it.
const said = h("p", { class: "away", role: "status" });
document.body.append(said);

const copyText = async (words) => {
  try { await navigator.clipboard.writeText(words); return true; } catch { /* a page from a file, or a browser that does not allow it */ }
  const box = h("textarea", { class: "away", "aria-label": "What is copied", tabindex: "-1" });
  box.value = words;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
};
const copyButton = (what, words) => {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy: ${what}`, onclick: async () => {
    const done = await copyText(words);
    button.focus({ preventScroll: true });
    button.textContent = done ? "copied" : "select it";
    said.textContent = done ? `Copied: ${what}` : "It could not be copied; select it and copy it by hand";
    setTimeout(() => { button.textContent = "copy"; }, 1600);
  } }, "copy");
  return button;
};

// Commands as `run` prints them, each with its purpose.
const stepList = (steps) => steps.length ? h("ul", { class: "steps" }, steps.map(([what, command]) =>
  h("li", null, h("span", { class: "what" }, what), h("code", { class: "call" }, command), copyButton(what, command)))) : null;

// The commands that made a trial's files.
const commandBlock = (trial) => {
  const commands = commandsOf(trial);
  if (!commands.length) return h("p", { class: "note" }, "No commands: this run did not build the file.");
  return h("div", { class: "made" }, h("pre", { class: "commands", tabindex: "0", role: "region", "aria-label": "Commands that made it" }, commands.map((line) => `$ ${line}\n`).join("")),
    copyButton("the commands that made it", commands.map((line) => `${line}\n`).join("")));
};
