// Dark or light: what was chosen here, else what the system says. Loaded before the first paint, so a classic script.
(() => {
  const KEY = "warpath.theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;

  function chosen() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is switched off: the system decides
    }
  }

  function show() {
    root.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
    const button = document.getElementById("theme");
    if (button) button.textContent = root.dataset.theme === "dark" ? "Light" : "Dark";
  }

  function toggle() {
    const other = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, other);
    } catch {
      return;
    }
    show();
  }

  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.setAttribute("aria-label", "Switch between dark and light");
    button.addEventListener("click", toggle);
    show();
  });
})();
