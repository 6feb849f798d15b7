// A learning path drawn as a list, with ticks, beside its graph.

import { h, joined } from "./dom.js";
import { isDone, keysOf, tick } from "./done.js";
import { drawGraph } from "./graph.js";
import { chips, facts, loading, outside, problemBox, resourceLink, section, small, topicLink } from "./parts.js";
import { get } from "./service.js";
import { count, duration } from "./words.js";

/** The steps and the graph of a path. `replan` is called when the person asks for what is left. */
export function plan(path, names, replan) {
  const progress = h("progress", { max: path.minutes || 1, value: 0, "aria-label": "Part of the time that is done" });
  const said = h("span", { role: "status" });
  const again = h("button", { type: "button", onclick: replan }, "Plan what is left");
  const graph = drawGraph(path, names, showStep);
  const boxes = new Map();

  function update() {
    const done = path.steps.filter(isDone);
    const left = path.minutes - done.reduce((sum, step) => sum + step.minutes, 0);
    progress.value = path.minutes - left;
    said.textContent = `${done.length} of ${count(path.steps.length, "step")} done, ${duration(left)} left`;
    again.hidden = !done.length;
    for (const [step, box] of boxes) {
      box.checked = isDone(step);
      box.closest("li").classList.toggle("done", box.checked);
    }
    graph.mark(new Set(done.map((step) => step.position)));
  }

  const list = h("ol", { class: "steps" }, path.steps.map((step) => {
    const change = () => (tick(step, box.checked), update());
    const box = h("input", { type: "checkbox", "aria-label": `Done: ${titleOf(step, names)}`, onchange: change });
    boxes.set(step, box);
    return item(step, box, path, names);
  }));
  update();
  const below = h("button", { type: "button", class: "quiet narrow", onclick: () => graph.element.scrollIntoView() }, "To the graph");
  return h("div", { class: "plan" },
    h("section", { "aria-label": "Steps" }, h("div", { class: "progress" }, progress, said, again, below), list),
    h("section", { "aria-label": "Graph" }, graph.element));
}

/** What to learn first for a resource or kernel, filled in when it comes. */
export function learnFirst(address, names) {
  const body = h("div", null, loading());
  get(`${address}/path`).then(
    (path) => body.replaceChildren(outline(path, names)),
    (error) => body.replaceChildren(error.status === 404 ? h("p", null, "Nothing that the graph knows of.") : problemBox(error)));
  return section("What to learn first", body);
}

const outline = (path, names) =>
  h("div", null,
    h("p", null, small(count(path.steps.length, "step"), duration(path.minutes), path.hardware && `for ${path.hardware}`)),
    h("ol", { class: "outline" }, path.steps.map((step) => h("li", null,
      joined(step.topics.map((slug) => topicLink(slug, names)), ", "),
      step.resource && [": ", resourceLink(step.resource)],
      step.minutes > 0 && [" ", small(duration(step.minutes))]))));

const titleOf = (step, names) => step.resource?.title ?? step.topics.map((slug) => names.get(slug) ?? slug).join(", ");

/** How long a step takes and how that is known. */
function timeOf(step, path) {
  const earlier = path.steps.find((other) => other.position < step.position && keysOf(other).join() === keysOf(step).join());
  if (!step.minutes && earlier) return `counted in step ${earlier.position}`;
  return [duration(step.minutes), step.basis].filter(Boolean).join(", ");
}

function item(step, box, path, names) {
  const time = timeOf(step, path);
  return h("li", { id: `step-${step.position}`, tabindex: -1, class: "step" },
    h("div", { class: "tick" }, box, h("span", { class: "number", "aria-hidden": "true" }, String(step.position))),
    h("div", null,
      h("p", { class: "teaches" }, joined(step.topics.map((slug) => topicLink(slug, names))), step.beyond && small(" beyond the goal")),
      h("h3", null, step.resource ? resourceLink(step.resource) : "No list has a resource for this", outside(step.resource?.url)),
      step.resource ? facts(step.resource, time) : h("p", { class: "facts" }, time),
      h("p", { class: "why" }, step.reason),
      step.evidence.slice(0, 2).map((words) => h("p", { class: "quote" }, words)),
      step.kernels.length > 0 && h("div", { class: "row small" }, "Write: ", chips(step.kernels, null, "kernel")),
      (step.choice || step.alternatives.length > 0) && choice(step)));
}

const choice = (step) =>
  h("details", null,
    h("summary", null, step.alternatives.length ? `Why this one, and ${count(step.alternatives.length, "other")}` : "Why this one"),
    step.choice && h("p", { class: "small" }, step.choice),
    step.alternatives.length > 0 && h("ul", { class: "plain" }, step.alternatives.map((other) =>
      h("li", null, resourceLink(other), " ", small(other.kind, other.authors.join(", "))))));

/** Brings a step into view and puts the focus on it. */
function showStep(position) {
  const step = document.getElementById(`step-${position}`);
  step.scrollIntoView({ block: "center" });
  step.focus({ preventScroll: true });
}
