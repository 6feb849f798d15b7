// The devlog as a timeline: what was tried on which day, and what it speaks of.

import { h } from "./dom.js";
import { chips } from "./parts.js";
import { get, topicNames } from "./service.js";
import { place, to } from "./words.js";

/** The view of all posts. */
export async function devlog({ signal }) {
  const [posts, names] = await Promise.all([get("v1/devlog", null, signal), topicNames()]);
  const none = h("p", null, "No devlog has been read yet. ", h("code", null, "warpath ingest FILE"), " reads one.");
  return {
    title: "Devlog",
    content: [h("h1", null, "Devlog"), posts.length ? h("ol", { class: "timeline" }, posts.map((post) => entry(post, names))) : none],
  };
}

const entry = (post, names) =>
  h("li", null,
    h("h2", null, post.day === null ? "Post" : `Day ${post.day}`, " ", h("cite", null, place(post))),
    h("p", { class: "post" }, post.text),
    post.resources.length > 0 && h("ul", { class: "plain" }, post.resources.map((found) =>
      h("li", null, h("span", { class: "kind" }, found.kind), " ", h("a", { href: to("resource", found.id) }, found.title)))),
    chips(post.topics, names));
