// Light, dark or the system's scheme; the same button on every page.
const scheme = document.getElementById("scheme");
const SCHEMES = ["auto", "light", "dark"];
const nameScheme = () => {
  const now = document.documentElement.dataset.scheme ?? "auto";
  scheme.textContent = { auto: "◐ auto", light: "○ light", dark: "● dark" }[now];
  scheme.setAttribute("aria-label", `Colours: ${now}`);
};
scheme.addEventListener("click", () => {
  const next = SCHEMES[(SCHEMES.indexOf(document.documentElement.dataset.scheme ?? "auto") + 1) % SCHEMES.length];
  if (next === "auto") delete document.documentElement.dataset.scheme; else document.documentElement.dataset.scheme = next;
  try { localStorage.setItem("scheme", next); } catch { /* a file without storage: the choice lasts as long as the page */ }
  nameScheme();
});
nameScheme();
