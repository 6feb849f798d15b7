// One resource: what it teaches, what every list says of it, and what it is about.

import { away, h, joined } from "./dom.js";
import { facts, hits, level, quote, rowHead, section, small, table, topicLink } from "./parts.js";
import { learnFirst } from "./plan.js";
import { get, topicNames } from "./service.js";
import { duration, place, site } from "./words.js";

/** The view of a resource. */
export async function resource({ name, signal }) {
  const address = `v1/resources/${encodeURIComponent(name)}`;
  const [found, names, similar] = await Promise.all([get(address, null, signal), topicNames(), alike(address, signal)]);
  return {
    title: found.title,
    content: [
      h("h1", null, found.title),
      h("p", { class: "address" }, found.url ? [away(found.url, found.url)] : "The lists give no address."),
      facts(found),
      section("What it teaches", teaches(found.annotation)),
      section("What the lists say", h("ul", { class: "plain said" }, found.mentions.map(said))),
      section("About", about(found, names)),
      also(found),
      learnFirst(address, names),
      section("Similar", similar.length > 0 && hits(similar, names)),
    ],
  };
}

/** Resources like it; none where the service cannot say. */
async function alike(address, signal) {
  try {
    return (await get(`${address}/similar`, { limit: 6 }, signal)).hits;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return [];
  }
}

/** What is known of it, whatever lists name it. Of what it is found by, only questions are something to read. */
function teaches(known) {
  if (!known) return [];
  const effort = [known.level && level(known.level), known.minutes && duration(known.minutes)].filter(Boolean);
  const questions = known.asks.filter((ask) => ask.endsWith("?"));
  return [
    known.says ? quote({ ...known, note: known.says }) : h("p", null, h("cite", null, place(known))),
    effort.length > 0 && h("p", { class: "facts" }, joined(effort)),
    questions.length > 0 && h("p", null, "Answers:"),
    questions.length > 0 && h("ul", { class: "plain" }, questions.map((ask) => h("li", null, ask))),
  ];
}

const said = (mention) =>
  h("li", null,
    mention.note ? quote(mention) : h("p", null, "Listed without a note. ", h("cite", null, place(mention))),
    h("p", null, small(mention.section.join(" › "), mention.tier && `tier ${mention.tier}`, mention.status?.replace("_", " "))));

/** Topics and hardware with the reason for each. */
function about({ topics, hardware }, names) {
  const row = (link, name) => [
    rowHead(name), h("td", null, link.reason), h("td", null, h("cite", null, place(link))),
    h("td", { class: "number" }, `${Math.round(link.confidence * 100)} %`),
  ];
  const rows = [
    ...topics.map((link) => row(link, topicLink(link.slug, names))),
    ...hardware.map((link) => row(link, link.name)),
  ];
  return rows.length > 0 && table("Topics and hardware", ["topic or hardware", "because of", "stands in", "surety"], rows);
}

function also(found) {
  const others = found.urls.filter((address) => address !== found.url && site(address));
  const item = (address) => h("li", null, away(address, address));
  return section("Also at", others.length > 0 && h("ul", { class: "plain" }, others.map(item)));
}
