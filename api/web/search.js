// Search as one types, narrowed by facets. The address holds the query, so it can be shared.

import { h, joined } from "./dom.js";
import { chips, hit, problemBox, resources } from "./parts.js";
import { get, hardware, topicNames } from "./service.js";
import { to } from "./words.js";

const PAUSE = 160; // ms without a key before the service is asked
const PAGE = 20;
const MANY = [["kind", "Kind"], ["topic", "Topic"], ["author", "Author"], ["source", "List"]]; // filters of several values
const SHOWN = 8; // values of a facet before “more”

let timer = 0;

/** What the search box holds has changed: the address follows once no key comes. */
export function typed(text, pause = PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const query = location.hash.startsWith("#/search") ? new URLSearchParams(location.hash.split("?")[1]) : new URLSearchParams();
    if ((query.get("q") ?? "") === text.trim()) return;
    query.set("q", text.trim());
    go(query);
  }, pause);
}

/** To another search: the first one gets a place in the history, the letters after it do not. */
function go(query) {
  const address = query.get("q") ? to("search", query) : "#/";
  if (location.hash.startsWith("#/search")) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  dispatchEvent(new Event("warpath:show"));
}

/** The view of a query. */
export async function search({ query, signal }) {
  const text = query.get("q") ?? "";
  if (!text) return { title: "Search", content: [h("h1", null, "Search"), h("p", null, "Write what you look for into the box above.")] };
  const ask = (cursor) => get("v1/search", { ...asked(query), cursor }, signal);
  const [answer, names, devices] = await Promise.all([ask(), topicNames(), hardware()]);
  return {
    title: text,
    said: said(answer),
    content: [
      h("h1", { class: "unseen" }, `Search: ${text}`),
      h("div", { class: "search" }, filters(query, answer.facets ?? {}, devices), results(answer, names, query, ask)),
    ],
  };
}

/** The query string of the service for that of the page. */
function asked(query) {
  const several = Object.fromEntries(MANY.map(([name]) => [name, query.getAll(name)]));
  return { q: query.get("q"), hardware: query.get("hardware"), max_tier: query.get("max_tier"), ...several, limit: PAGE, facets: true };
}

function results(answer, names, query, ask) {
  const list = h("ol", { class: "hits" }, answer.hits.map((found) => hit(found, names)));
  const path = to("path", new URLSearchParams({ goal: query.get("q") }));
  return h("section", { "aria-label": "Results" },
    h("div", { class: "row" }, h("p", { class: "count" }, said(answer)),
      !answer.abstain && h("a", { class: "small", href: path }, "Plan a path to this")),
    notes(answer, query),
    list,
    more(answer, list, names, ask));
}

function said(answer) {
  if (answer.abstain) return answer.hits.length ? "Nothing answers this. What comes nearest:" : "Nothing answers this.";
  return `${resources(answer.hits.length)}${answer.next ? ", and more" : ""}`;
}

/** What was understood, what else to try, and what to run. */
function notes(answer, query) {
  const again = (text) => {
    const other = new URLSearchParams(query);
    other.set("q", text);
    return h("a", { href: to("search", other) }, text);
  };
  const codes = answer.understood?.filters?.map((one) => h("code", null, one)) ?? [];
  return [
    answer.corrected && h("p", { class: "note" }, "Searched for ", again(answer.corrected), "."),
    codes.length > 0 && h("p", { class: "note" }, "Narrowed by ", joined(codes, " ")),
    (answer.warnings ?? []).map((warning) => h("p", { class: "note" }, warning)),
    answer.suggestions?.length > 0 && h("p", { class: "note" }, "Try ", joined(answer.suggestions.map(again))),
    answer.kernels?.length > 0 && h("div", { class: "note row" }, "To read and run: ", chips(answer.kernels, null, "kernel")),
  ];
}

/** A button for the page after this one, which goes when there is none. */
function more(answer, list, names, ask) {
  let { next } = answer;
  if (!next) return null;
  const button = h("button", { type: "button", onclick: async () => {
    try {
      const page = await ask(next);
      const first = list.children.length;
      list.append(...page.hits.map((found) => hit(found, names)));
      list.children[first]?.querySelector("a").focus();
      next = page.next;
      if (!next) button.remove();
    } catch (error) {
      if (error.name !== "AbortError") button.after(problemBox(error));
    }
  } }, "More");
  return button;
}

function filters(query, facets, devices) {
  const set = (change) => {
    const other = new URLSearchParams(query);
    change(other);
    go(other);
  };
  const active = [...query.keys()].some((name) => name !== "q");
  const wide = matchMedia("(min-width: 60rem)").matches;
  return h("details", { class: "filters", open: wide || active },
    h("summary", null, "Narrow"),
    single(query, set, "hardware", "Hardware", options(facets.hardware) ?? devices.map((device) => [device.slug, device.name])),
    single(query, set, "max_tier", "Tier, at most", options(facets.tier) ?? [1, 2, 3].map((tier) => [String(tier), `tier ${tier}`])),
    MANY.map(([name, title]) => multiple(query, set, name, title, facets[name] ?? [])),
    active && h("p", null, h("a", { href: to("search", new URLSearchParams({ q: query.get("q") })) }, "Any")));
}

const options = (counts) => counts?.map((one) => [one.value, `${one.name} (${one.count})`]);

/** A filter of one value. What is chosen can be seen even where no hit has it any more. */
function single(query, set, name, title, values) {
  const chosen = query.get(name) ?? "";
  const known = values.some(([value]) => value === chosen) || !chosen ? values : [[chosen, chosen], ...values];
  const change = ({ target }) => set((other) => (target.value ? other.set(name, target.value) : other.delete(name)));
  return h("p", { class: "field" }, h("label", { for: `by-${name}` }, title),
    h("select", { id: `by-${name}`, onchange: change },
      h("option", { value: "" }, "any"),
      known.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
}

/** A filter of several values, the most frequent first. */
function multiple(query, set, name, title, counts) {
  const chosen = query.getAll(name);
  const gone = chosen.filter((value) => !counts.some((one) => one.value === value)).map((value) => ({ value, name: value }));
  const all = [...gone, ...counts];
  if (!all.length) return null;
  const box = (one) => choice(name, one, chosen.includes(one.value), (checked) => set((other) => {
    other.delete(name);
    const rest = chosen.filter((value) => value !== one.value);
    for (const value of checked ? [...rest, one.value] : rest) other.append(name, value);
  }));
  return h("fieldset", null, h("legend", null, title), all.slice(0, SHOWN).map(box),
    all.length > SHOWN && h("details", { open: all.slice(SHOWN).some((one) => chosen.includes(one.value)) },
      h("summary", null, `${all.length - SHOWN} more`), all.slice(SHOWN).map(box)));
}

const choice = (name, { value, name: words, count }, checked, change) =>
  h("label", { class: "choice" },
    h("input", { type: "checkbox", id: `by-${name}-${value}`, checked, onchange: ({ target }) => change(target.checked) }),
    h("span", null, words), count !== undefined && h("span", { class: "number" }, String(count)));
