// Reference kernels: the course in its order, the roofline, and a page for each with what was measured.

import { away, h, joined } from "./dom.js";
import { chips, hits, level, quote, rowHead, section, small, table } from "./parts.js";
import { learnFirst } from "./plan.js";
import { get, HOME, topicNames } from "./service.js";
import { to } from "./words.js";

const ROOFLINE = new URL("kernels/roofline.svg", HOME).href;

/** The view of all kernels. */
export async function kernels({ signal }) {
  const all = await get("v1/kernels", null, signal);
  const course = all.filter((kernel) => kernel.order !== null);
  return {
    title: "Kernels",
    content: [
      h("h1", null, "Reference kernels"),
      h("p", { class: "lead" }, "Write each before you read it. ", h("code", null, "warpath kernels check"),
        " holds yours against an oracle; the ladder shows what each idea gained."),
      section("In the order to write them", listed(course)),
      h("figure", null, h("img", { class: "plot", src: ROOFLINE, width: 648, height: 432, loading: "lazy",
        alt: "Roofline: speed of the fastest variants over FLOP per byte; the pages of the kernels have the figures" }),
        h("figcaption", null, "The fastest variants under the ceilings measured on the same machine. ", away(ROOFLINE, "Larger"))),
      section("Elsewhere", listed(all.filter((kernel) => kernel.order === null))),
    ],
  };
}

const listed = (some) => some.length > 0 && table("Kernels", ["kernel", "what it does", "level", "state"], some.map((one) => [
  rowHead(h("a", { href: to("kernel", one.slug) }, one.title)),
  h("td", null, one.summary), h("td", null, level(one.difficulty)), h("td", null, one.status),
]));

/** The view of one kernel. */
export async function kernel({ name, signal }) {
  const address = `v1/kernels/${encodeURIComponent(name)}`;
  const [page, steps, names] = await Promise.all([get(address, null, signal), get(`${address}/ladder`, null, signal), topicNames()]);
  const { kernel: found } = page;
  return {
    title: found.title,
    content: [
      h("p", { class: "small" }, h("a", { href: "#/kernels" }, "Kernels")),
      h("h1", null, found.title),
      h("p", { class: "lead" }, found.summary),
      h("p", { class: "facts" }, joined([level(found.difficulty), found.status, h("code", null, `warpath kernels check ${found.slug}`)])),
      section("The ladder", ladder(steps)),
      section("Builds on", chips(found.requires, null, "kernel")),
      section("Topics", chips(found.topics, names)),
      learnFirst(address, names),
      section("Read about it", page.resources.length > 0 && hits(page.resources, names)),
      section("In the devlog", page.posts.length > 0 && h("div", null, page.posts.map((post) => quote(post)))),
      section("Links", found.links.length > 0 && h("ul", { class: "plain" }, found.links.map((link) => h("li", null, away(link, link))))),
    ],
  };
}

/** Steps by what each workload took; a bar is the share of the ceiling that was reached. */
function ladder(steps) {
  if (!steps.length) return null;
  const times = steps.flatMap((step) => step.times);
  const columns = [...new Map(times.map((time) => [column(time), time])).keys()];
  return [
    table("The ladder", ["step", "idea", "predicted gain", ...columns], steps.map((step) => [
      rowHead(step.id), h("td", null, step.idea ?? "what a torch user writes"), h("td", null, step.predict),
      columns.map((head) => cell(step.times.find((time) => column(time) === head))),
    ])),
    times.length > 0 && h("p", { class: "small" }, "Median time, share of the ceiling of the same run, speed beside torch’s."),
  ];
}

const column = (time) => `${time.workload} on ${time.hardware}`;

const cell = (time) => time
  ? h("td", { class: "timing" }, `${Number(time.median_us.toPrecision(4)).toLocaleString("en")} µs`,
    h("meter", { min: 0, max: 100, value: time.pct_ceiling, "aria-label": `${Math.round(time.pct_ceiling)} % of the ceiling` }),
    small(`${Math.round(time.pct_ceiling)} %`, time.ratio_vs_baseline && `${time.ratio_vs_baseline.toFixed(2)}×`))
  : h("td", { class: "timing" }, "–");
