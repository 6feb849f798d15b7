// The path builder: what to learn for a goal, around what one knows and has.

import { announce, h, joined } from "./dom.js";
import { everything, forget } from "./done.js";
import { chips, loading, problemBox, topicLink } from "./parts.js";
import { plan } from "./plan.js";
import { hardware, post, raw, topics } from "./service.js";
import { count, duration, to } from "./words.js";

const FORMATS = { markdown: "Markdown", ics: "Calendar", csv: "CSV", anki: "Anki", json: "JSON", mermaid: "Mermaid", graphml: "GraphML" };
const HOURS_A_WEEK = 5;

/** The view of the form and, once there is a goal, of its plan. */
export async function path({ query, signal }) {
  const [lines, devices] = await Promise.all([topics(), hardware()]);
  const names = new Map(lines.map((line) => [line.slug, line.name]));
  const out = h("div", { class: "outcome" });
  const show = async () => {
    announce("Planning …");
    out.replaceChildren(loading("Planning …"));
    out.replaceChildren(...(await planned(query, names, signal, show)).filter(Boolean));
  };
  if (query.get("goal")) show();
  return {
    title: query.get("goal") ? `Path: ${query.get("goal")}` : "Path",
    content: [h("h1", null, "Plan a path"), goalForm(query, lines, devices), out],
  };
}

/** The request of the service for the query string of the page. */
function request(query) {
  const number = (name) => (query.get(name) ? Number(query.get(name)) : null);
  return {
    goal: query.get("goal"), know: query.getAll("know"), hardware: query.get("hardware") || null,
    hours: number("hours"), max_tier: number("max_tier"), done: everything().map(([key]) => key),
  };
}

async function planned(query, names, signal, show) {
  const asked = request(query);
  const changed = (name, value) => {
    const other = new URLSearchParams(query);
    other.set(name, value);
    return to("path", other);
  };
  try {
    const path = await post("v1/paths", asked, signal);
    announce(`${path.understood}: ${count(path.steps.length, "step")}, ${duration(path.minutes)}`);
    const steps = path.steps.length ? plan(path, names, show) : nothingLeft(asked);
    return [summary(path, names, query), doneList(show), exports(asked, query), steps];
  } catch (error) {
    if (error.name === "AbortError") return [];
    const hours = error.minimumHours && Math.ceil(error.minimumHours * 10) / 10;
    const more = hours && h("p", null, h("a", { href: changed("hours", hours) }, `Plan with ${hours} hours`));
    const nearest = (name) => h("a", { href: changed("goal", name) }, names.get(name) ?? name);
    return [doneList(show), problemBox(error, { nearest, retry: show, more })];
  }
}

const nothingLeft = ({ done }) =>
  h("p", { class: "note" }, done.length ? "Nothing is left to learn for this goal." : "You know all of this already.");

function summary(path, names, query) {
  const pace = Number(query.get("hours_per_week")) || HOURS_A_WEEK;
  const weeks = `${count(Math.ceil(path.minutes / 60 / pace), "week")} at ${pace} h a week`;
  const out = ({ topic, reason }) => h("li", null, topicLink(topic, names), `: ${reason}`);
  return h("div", { class: "summary" },
    h("h2", null, path.understood),
    h("p", null,
      joined([count(path.steps.length, "step"), duration(path.minutes), weeks, path.hardware && `for ${path.hardware}`])),
    path.warnings.map((warning) => h("p", { class: "note" }, warning)),
    path.kernels.length > 0 && h("div", { class: "row" }, "Write on the way: ", chips(path.kernels, null, "kernel")),
    path.left_out.length > 0 && h("details", null, h("summary", null, `Left out: ${count(path.left_out.length, "topic")}`),
      h("ul", { class: "plain" }, path.left_out.map(out))));
}

/** What is ticked, with a way to take a tick back. */
function doneList(show) {
  const done = everything();
  const item = ([key, title]) => {
    const again = () => (forget(key), show());
    const button = h("button", { type: "button", class: "quiet", "aria-label": `Not done: ${title}`, onclick: again }, "not done");
    return h("li", null, title, " ", button);
  };
  return done.length > 0 && h("details", { class: "done-list" },
    h("summary", null, `Left out as done: ${done.length}`), h("ul", { class: "plain" }, done.map(item)));
}

function exports(asked, query) {
  const out = h("div", null);
  const pace = { hours_per_week: Number(query.get("hours_per_week")) || HOURS_A_WEEK };
  const button = ([format, title]) => {
    const start = () => download({ ...asked, ...pace, format }, out);
    return h("button", { type: "button", class: "quiet", onclick: start }, title);
  };
  return h("div", { class: "exports", role: "group", "aria-label": "Export" },
    h("span", null, "Export"), Object.entries(FORMATS).map(button), out);
}

async function download(body, out) {
  out.replaceChildren();
  try {
    const response = await raw("v1/paths/export", body);
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? `path.${body.format}`;
    save(await response.blob(), name);
  } catch (error) {
    out.replaceChildren(problemBox(error));
  }
}

function save(blob, name) {
  const link = h("a", { download: name });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still read it
}

/** The form; what it holds becomes the address. */
export function goalForm(query, lines, devices) {
  const known = tags("know", query.getAll("know"), "topic-names");
  const submit = (event) => {
    event.preventDefault();
    known.take();
    const filled = [...new FormData(event.target)].filter(([, value]) => value.trim());
    const address = to("path", new URLSearchParams(filled));
    if (location.hash === address) dispatchEvent(new Event("warpath:show"));
    else location.hash = address;
  };
  const field = (id, title, control, more) => h("div", { class: `field ${id}` }, h("label", { for: id }, title), control, more);
  const number = (id, extra) => h("input", { id, name: id, type: "number", value: query.get(id), ...extra });
  return h("form", { class: "builder", "aria-label": "Plan a path", onsubmit: submit },
    field("goal", "Goal", h("input", {
      id: "goal", name: "goal", required: true, maxlength: 2000, autocomplete: "off",
      value: query.get("goal"), placeholder: "write a Hopper FP8 GEMM",
    })),
    field("know", "I know", known.element),
    field("hardware", "Hardware", h("select", { id: "hardware", name: "hardware" },
      h("option", { value: "" }, "any"), deviceOptions(devices, query.get("hardware")))),
    field("hours", "Hours", number("hours", { min: 0.5, max: 10000, step: "any", placeholder: "no limit" })),
    field("hours_per_week", "Hours a week",
      number("hours_per_week", { min: 0.5, max: 168, step: "any", placeholder: String(HOURS_A_WEEK) })),
    field("max_tier", "Tier, at most", h("select", { id: "max_tier", name: "max_tier" }, h("option", { value: "" }, "any"),
      [1, 2, 3].map((tier) => h("option", { value: tier, selected: query.get("max_tier") === String(tier) }, `tier ${tier}`)))),
    h("datalist", { id: "topic-names" }, lines.map((line) => h("option", { value: line.name }))),
    h("button", { type: "submit", class: "button" }, "Plan"));
}

function deviceOptions(devices, chosen) {
  const option = ({ slug, name }) => h("option", { value: slug, selected: slug === chosen }, name);
  return Object.entries({ vendor: "Vendors", architecture: "Architectures", device: "Devices" }).map(([kind, label]) =>
    h("optgroup", { label }, devices.filter((device) => device.kind === kind).map(option)));
}

/** A field of several names: Enter or a comma makes a tag of what is written. */
function tags(name, values, list) {
  const held = h("ul", { class: "chips", "aria-label": "Known" });
  const input = h("input", { id: name, list, autocomplete: "off", placeholder: "tiling, triton …", onkeydown: (event) => {
    if ((event.key === "Enter" && input.value.trim()) || event.key === ",") {
      event.preventDefault();
      take();
    } else if (event.key === "Backspace" && !input.value) held.lastElementChild?.remove();
  }, onchange: () => take() });
  const add = (value) => {
    const tag = h("li", null, h("input", { type: "hidden", name, value }), value,
      h("button", { type: "button", "aria-label": `Not known: ${value}`, onclick: () => (tag.remove(), input.focus()) }, "×"));
    held.append(tag);
  };
  const take = () => {
    for (const value of input.value.split(",")) if (value.trim()) add(value.trim());
    input.value = "";
  };
  values.forEach(add);
  return { element: h("div", { class: "tags" }, held, input), take };
}
