// What several views show: hits, quotes, problems.

import { away, h, joined } from "./dom.js";
import { useKey } from "./service.js";
import { count, place, site, to } from "./words.js";

/** A hit as a list item: title, what it is, the curators' words, or else what it teaches. */
export function hit(found, names) {
  const marks = new Map((found.highlights ?? []).map((one) => [`${one.field}\n${one.text}`, one.spans]));
  const note = found.why?.note ?? found.mentions.find((mention) => mention.note) ?? found.says;
  return h("li", { class: "hit" },
    h("h3", null,
      h("a", { href: to("resource", found.id), "data-hit": true }, marked(found.title, marks.get(`title\n${found.title}`))),
      outside(found.url)),
    facts(found),
    note?.note && quote(note, marks.get(`note\n${note.note}`)),
    chips(found.topics.slice(0, 6), names));
}

/** The kind, authors and tier of a hit or resource. */
export function facts(found, ...more) {
  const tier = Math.min(...found.mentions.map((mention) => mention.tier ?? Infinity));
  const lists = new Set(found.mentions.map((mention) => mention.source)).size;
  return h("p", { class: "facts" }, joined([
    h("span", { class: "kind" }, found.kind),
    found.authors.join(", "),
    Number.isFinite(tier) && `tier ${tier}`,
    lists > 1 && `in ${lists} lists`,
    ...more,
  ]));
}

/** A small link that leaves the page and names where it goes. */
export const outside = (address) =>
  site(address ?? "") && h("span", { class: "outside" }, " ", away(address, site(address), h("span", { "aria-hidden": "true" }, " ↗")));

/** Words of a list or of the ontology, and where they stand. */
export const quote = (mention, spans) =>
  h("blockquote", null, h("q", null, marked(mention.note, spans)), " ", h("cite", null, place(mention)));

/** Topics as small links. */
export const chips = (slugs, names, kind = "topic") =>
  slugs.length > 0 && h("ul", { class: "chips" }, slugs.map((slug) =>
    h("li", null, h("a", { href: to(kind, slug) }, names?.get(slug) ?? slug))));

/** A link to a topic by its name. */
export const topicLink = (slug, names) => h("a", { href: to("topic", slug) }, names.get(slug) ?? slug);

/** A link to a resource by its title. */
export const resourceLink = (found) => h("a", { href: to("resource", found.id) }, found.title);

/** Facts beside something, small. */
export const small = (...facts) => h("span", { class: "small" }, joined(facts));

/** A table that can be scrolled where it is too wide. Rows are lists of cells. */
export function table(label, heads, rows) {
  const head = (text) => h("th", { scope: "col" }, text);
  const row = (cells) => h("tr", null, cells);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h("table", null, h("thead", null, row(heads.map(head))), h("tbody", null, rows.map(row))));
}

/** The first cell of a row, which names it. */
export const rowHead = (...children) => h("th", { scope: "row" }, children);

/** A heading with what stands under it, if anything does. */
export function section(title, ...children) {
  const present = children.flat().filter(Boolean);
  return present.length > 0 && h("section", null, h("h2", null, title), present);
}

/** What went wrong and what to do. `nearest` makes a link of a name that exists; `retry` asks again. */
export function problemBox(error, { nearest, retry, more } = {}) {
  return h("div", { class: "problem", role: "alert" },
    h("p", null, h("strong", null, error.message)),
    error.hint && h("p", null, error.hint),
    nearest && error.nearest?.length > 0 && h("p", null, joined(error.nearest.map(nearest))),
    more,
    error.status === 401 && keyForm(retry),
    retry && h("p", null, h("button", { type: "button", onclick: retry }, "Try again")),
    error.requestId && h("p", { class: "small" }, `Request ${error.requestId}`));
}

/** Where reading needs a key: a field for it. */
function keyForm(retry) {
  const input = h("input", { id: "key", type: "password", autocomplete: "off", required: true });
  const submit = (event) => {
    event.preventDefault();
    useKey(input.value);
    retry ? retry() : location.reload();
  };
  const label = h("label", { for: "key" }, "API key");
  return h("form", { class: "row", onsubmit: submit }, label, input, h("button", { type: "submit" }, "Use it"));
}

/** A line for what takes a moment. */
export const loading = (what = "Loading …") => h("p", { class: "loading" }, what);

/** How hard something is, of five. */
export const level = (value) =>
  h("span", { class: "level", role: "img", "aria-label": `level ${value} of 5`, title: `level ${value} of 5` },
    "●".repeat(value), "○".repeat(5 - value));

/** Hits in their order. */
export const hits = (found, names) => h("ol", { class: "hits" }, found.map((one) => hit(one, names)));

/** “1 resource”, “2 resources”. */
export const resources = (number) => count(number, "resource");

/** A text with some spans of it marked; spans count characters as people do, not UTF-16 units. */
function marked(text, spans) {
  if (!spans?.length) return text;
  const letters = Array.from(text);
  const cut = (start, end) => letters.slice(start, end).join("");
  const parts = [];
  let at = 0;
  for (const [start, end] of spans) {
    parts.push(cut(at, start), h("mark", null, cut(start, end)));
    at = end;
  }
  return [...parts, cut(at)];
}
