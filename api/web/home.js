// The start: what there is, and ways in.

import { h } from "./dom.js";
import { small } from "./parts.js";
import { get, hardware, topics } from "./service.js";
import { goalForm } from "./path.js";
import { count, to } from "./words.js";

const QUESTIONS = [
  "how do I keep the KV cache from fragmenting", "bank conflicts", "kind:video flash attention", "why is decode memory bound",
];
const GOALS = ["understand PagedAttention", "write a Hopper FP8 GEMM", "write an MLA decode kernel on MI355X"];

/** The view of no address at all. */
export async function home({ signal }) {
  const [sources, lines, known] = await Promise.all([get("v1/sources", null, signal), topics(), hardware()]);
  const link = (text, address) => h("li", null, h("a", { href: address }, text));
  return {
    content: [
      h("h1", null, "What to read, watch and write next"),
      h("p", { class: "lead" },
        "Reading lists and devlogs about fast GPU code as one graph: search it, or plan the way to a goal around what you know, ",
        "your hardware and your hours. Each step says why it is there."),
      h("div", { class: "columns" },
        h("section", null, h("h2", null, "Search"),
          h("p", null, "Ask in words, or narrow with ", h("code", null, "kind:video tier:<=2 hw:hopper"), ". ",
            "Press ", h("kbd", null, "/"), " anywhere."),
          h("ul", { class: "plain" }, QUESTIONS.map((text) => link(text, to("search", new URLSearchParams({ q: text })))))),
        h("section", null, h("h2", null, "Plan a path"),
          h("p", null, "All that a goal needs, in an order that holds."),
          h("ul", { class: "plain" }, GOALS.map((text) => link(text, to("path", new URLSearchParams({ goal: text }))))))),
      goalForm(new URLSearchParams(), lines, known),
      h("section", null, h("h2", null, "Read so far"),
        h("ul", { class: "plain" }, sources.map((source) => h("li", null, h("cite", null, source.source), " ", source.title, " ",
          small(count(source.mentions, "mention"), source.entries > 0 && count(source.entries, "post")))))),
    ],
  };
}
