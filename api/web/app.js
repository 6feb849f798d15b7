// The page: which view an address asks for, and what all views share.

import { announce, h } from "./dom.js";
import { problemBox, loading } from "./parts.js";
import { devlog } from "./devlog.js";
import { home } from "./home.js";
import { kernel, kernels } from "./kernels.js";
import { path } from "./path.js";
import { resource } from "./resource.js";
import { search, typed } from "./search.js";
import { topic, topics } from "./topics.js";

// A view takes the address and gives its title and content, and what to say of it aloud; it may raise a Problem.
const VIEWS = { "": home, search, resource, path, topics, topic, kernels, kernel, devlog };

const main = document.getElementById("main");
const input = document.getElementById("q");
let shown = new AbortController();

/** Shows what the address asks for; what was still loading for another is dropped. */
async function show() {
  shown.abort();
  const { signal } = (shown = new AbortController());
  const address = readAddress();
  markCurrent(address.view);
  if (document.activeElement !== input) input.value = address.view === "search" ? address.query.get("q") ?? "" : "";
  const waiting = setTimeout(() => main.replaceChildren(loading()), 150);
  try {
    const view = VIEWS[address.view] ?? unknown;
    put(signal, await view({ ...address, signal }));
  } catch (error) {
    if (error.name !== "AbortError") put(signal, { title: "Problem", content: [heading(error), problemBox(error, { retry: show })] });
  } finally {
    clearTimeout(waiting);
  }
}

function put(signal, { title, content, said }) {
  if (signal.aborted) return;
  document.title = title ? `${title} · warpath` : "warpath";
  announce(said ?? title ?? "warpath");
  const { activeElement } = document;
  main.replaceChildren(...content.flat().filter(Boolean));
  if (activeElement === input) return;
  const same = activeElement.id && document.getElementById(activeElement.id); // the same control of the new view
  if (same && same !== main && main.contains(same)) return same.focus();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

/** #/resource/ID?x=1 -> view, names, query. */
function readAddress() {
  const [before, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, ...names] = before.split("/").map(decoded);
  return { view, name: names.join("/"), query: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that encodes nothing
  }
}

/** Marks the part of the page that a view belongs to: #/topic/tiling belongs to #/topics. */
function markCurrent(view) {
  for (const link of document.querySelectorAll("nav a")) {
    const is = link.hash && link.hash.slice(2).replace(/s$/, "") === view.replace(/s$/, "");
    is ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
}

const heading = (error) => h("h1", null, error.status === 404 ? "Not found" : "That did not work");

async function unknown({ view }) {
  const words = h("p", null, `This page has no part called “${view}”. `, h("a", { href: "#/" }, "To the start"));
  return { title: "Not found", content: [h("h1", null, "Not found"), words] };
}

// Keys: / goes to the search box, Escape back to it or empties it, arrows walk through the results.
function onKey(event) {
  const writing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !writing) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === "Escape") escape(event);
  else if (["ArrowDown", "ArrowUp"].includes(event.key)) walk(event);
}

function escape(event) {
  if (event.target === input) {
    input.value = "";
    typed("");
  } else if (event.target.closest("[data-hit]")) input.focus();
}

function walk(event) {
  const links = [...main.querySelectorAll("a[data-hit]")];
  const at = event.target === input ? -1 : links.indexOf(event.target);
  if (event.target !== input && at < 0) return;
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  if (next >= links.length || (at < 0 && next < 0)) return;
  event.preventDefault();
  next < 0 ? input.focus() : links[next].focus();
}

input.addEventListener("input", () => typed(input.value));
document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  typed(input.value, 0);
});
document.getElementById("skip").addEventListener("click", () => main.focus());
addEventListener("keydown", onKey);
addEventListener("hashchange", show);
addEventListener("warpath:show", show);
show();
