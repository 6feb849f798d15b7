// Topics: all of them as a tree that can be filtered, and a page for each.

import { h, joined } from "./dom.js";
import { chips, hits, level, resources, section, topicLink } from "./parts.js";
import { get, topicNames, topics as allTopics } from "./service.js";
import { count, to } from "./words.js";

/** The view of all topics. */
export async function topics() {
  const lines = await allTopics();
  const tree = h("div", { class: "tree" });
  const status = h("p", { role: "status", class: "count" });
  const show = (words) => {
    const found = matching(lines, words);
    tree.replaceChildren(...branches(found));
    status.textContent = count(found.length, "topic");
  };
  show("");
  return {
    title: "Topics",
    content: [
      h("h1", null, "Topics"),
      h("p", { class: "field" }, h("label", { for: "topic-filter" }, "Filter"),
        h("input", { id: "topic-filter", type: "search", autocomplete: "off", oninput: ({ target }) => show(target.value) })),
      status, tree,
    ],
  };
}

const matching = (lines, words) => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => wanted.every((word) => `${line.name} ${line.slug}`.toLowerCase().includes(word)));
};

/** A list a root, the largest first; roots without children share the last. */
function branches(lines) {
  const held = new Set(lines.map((line) => line.slug));
  const children = Map.groupBy(lines, (line) => (held.has(line.parent) ? line.parent : null));
  const under = (slug) => (children.get(slug) ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const item = (line) => h("li", null, h("a", { href: to("topic", line.slug) }, line.name), " ",
    h("span", { class: "number", title: resources(line.resources) }, String(line.resources)), list(under(line.slug)));
  const list = (some) => some.length > 0 && h("ul", null, some.map(item));
  const size = (line) => 1 + under(line.slug).reduce((sum, child) => sum + size(child), 0);
  const [large, single] = [under(null).filter((line) => size(line) > 1), under(null).filter((line) => size(line) === 1)];
  const group = (some) => h("section", { class: "branch" }, list(some));
  return [...large.toSorted((a, b) => size(b) - size(a)).map((line) => group([line])), ...(single.length ? [group(single)] : [])];
}

/** The view of one topic. */
export async function topic({ name, signal }) {
  const [page, names] = await Promise.all([get(`v1/topics/${encodeURIComponent(name)}`, null, signal), topicNames()]);
  const { topic: found } = page;
  const goal = new URLSearchParams({ goal: found.slug });
  const also = found.aliases.slice(0, 6).join(", ");
  return {
    title: found.name,
    content: [
      h("p", { class: "small" }, h("a", { href: "#/topics" }, "Topics"), found.parent && [" › ", topicLink(found.parent, names)]),
      h("h1", null, found.name),
      h("p", { class: "lead" }, found.summary),
      h("p", { class: "facts" }, joined([level(found.level), resources(found.resources), also && `also: ${also}`])),
      h("p", null, h("a", { class: "button", href: to("path", goal) }, "Plan a path to this")),
      section("Answers", found.asks.length > 0 && h("ul", { class: "plain" }, found.asks.map((ask) => h("li", null, ask)))),
      section("Needs", reasons({ ...found.requires, ...found.corequisites }, names)),
      section("Helped by", reasons(found.helps, names)),
      section("Read, watch", page.resources.length > 0 && hits(page.resources, names)),
      section("Write", chips(page.kernels, null, "kernel")),
      section("Parts", chips(page.children, names)),
      section("Needed by", chips(page.needed_by, names)),
    ],
  };
}

const reasons = (others, names) =>
  Object.keys(others).length > 0 && h("dl", { class: "reasons" }, Object.entries(others).map(([slug, reason]) =>
    h("div", null, h("dt", null, topicLink(slug, names)), h("dd", null, reason))));
