// <warp-path> and <warp-chat> for any site: <script type="module" src="https://your.service/embed.js"></script>

import { away, h } from "./web/dom.js";
import { markdown } from "./web/markdown.js";
import { small } from "./web/parts.js";
import { events, service } from "./web/service.js";
import { count, duration, place } from "./web/words.js";

const HERE = new URL(".", import.meta.url).href;

// Colours and type are those of the page around; --warp-accent is its to choose.
const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: block; --line: color-mix(in srgb, currentColor 25%, transparent); }
  :host([hidden]) { display: none; }
  * { box-sizing: border-box; }
  a { color: var(--warp-accent, inherit); text-underline-offset: 0.18em; }
  p { margin: 0.35em 0; }
  ol, ul { padding-left: 1.5em; margin: 0.4em 0; }
  li { margin: 0.5em 0; }
  .small, cite { font-size: 0.85em; opacity: 0.8; font-style: normal; }
  .title { font-weight: 600; }
  .problem { border-left: 3px solid currentColor; padding-left: 0.8em; }
  .log { max-height: 28em; overflow-y: auto; }
  .asked { font-weight: 600; border-top: 1px solid var(--line); padding-top: 0.6em; margin-top: 0.8em; }
  .said { white-space: pre-line; }
  form { display: flex; gap: 0.5em; margin-top: 0.6em; }
  input { flex: 1; min-width: 0; }
  input, button { font: inherit; color: inherit; background: transparent; padding: 0.4em 0.7em; }
  input, button { border: 1px solid var(--line); border-radius: 6px; }
  button { cursor: pointer; }
`);

/** What both elements share: a shadow of its own, and the service that `src` names, or that this script came from. */
class Embedded extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [STYLE];
  }

  get service() {
    return service(this.getAttribute("src") ?? HERE);
  }

  disconnectedCallback() {
    this.running?.abort();
  }

  /** The signal of a new request; an older one is dropped. */
  begin() {
    this.running?.abort();
    this.running = new AbortController();
    return this.running.signal;
  }
}

/** A learning path: attributes src, goal, know (names between commas), hardware, hours. */
class WarpPath extends Embedded {
  static observedAttributes = ["src", "goal", "know", "hardware", "hours"];

  connectedCallback() {
    this.attributeChangedCallback();
  }

  /** Several attributes that change at once are one request. */
  attributeChangedCallback() {
    if (!this.isConnected || this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => {
      this.waiting = false;
      this.show(this.begin());
    });
  }

  async show(signal) {
    const goal = this.getAttribute("goal");
    if (!goal) return this.shadowRoot.replaceChildren();
    this.shadowRoot.replaceChildren(h("p", { class: "small", role: "status" }, "Planning …"));
    try {
      const path = await this.service.post("v1/paths", { goal, ...this.learner() }, signal);
      this.shadowRoot.replaceChildren(drawPath(path));
    } catch (error) {
      if (error.name !== "AbortError") this.shadowRoot.replaceChildren(problem(error));
    }
  }

  learner() {
    const know = (this.getAttribute("know") ?? "").split(",").map((name) => name.trim()).filter(Boolean);
    return { know, hardware: this.getAttribute("hardware") || null, hours: Number(this.getAttribute("hours")) || null };
  }
}

/** A chat whose sentences are cited: attribute src. */
class WarpChat extends Embedded {
  history = [];

  connectedCallback() {
    if (this.log) return; // moved within the page: what was said stays
    this.log = h("div", { class: "log", role: "log", "aria-label": "Answers", tabindex: 0 });
    const placeholder = "How do I avoid bank conflicts?";
    const input = h("input", { "aria-label": "Question", maxlength: 2000, autocomplete: "off", placeholder });
    const submit = (event) => {
      event.preventDefault();
      if (input.value.trim()) this.ask(input.value.trim());
      input.value = "";
    };
    this.shadowRoot.append(this.log, h("form", { onsubmit: submit }, input, h("button", { type: "submit" }, "Ask")));
  }

  async ask(message) {
    const signal = this.begin();
    const waiting = h("span", { class: "small" }, "Looking …");
    const said = h("div", { class: "said" }, waiting);
    this.log.append(h("p", { class: "asked" }, message), said);
    try {
      const response = await this.service.raw("v1/chat", { message, history: this.history, stream: true }, signal);
      for await (const { event, data } of events(response)) {
        waiting.remove();
        if (event === "sentence") said.append(data.before.replace("- ", "• "), ...markdown(data.text));
        if (event === "answer") this.finish(message, data);
        this.log.scrollTop = this.log.scrollHeight;
      }
    } catch (error) {
      waiting.remove();
      if (error.name !== "AbortError") said.append(problem(error));
    }
  }

  finish(message, answer) {
    const cited = answer.citations.map((one) => h("li", { value: one.n }, away(one.url, one.title), " ",
      h("cite", null, one.source ? place(one) : one.kind)));
    if (cited.length) this.log.append(h("ol", { class: "small" }, cited));
    this.history.push({ role: "user", content: message }, { role: "assistant", content: answer.answer });
  }
}

const drawPath = (path) =>
  h("section", { "aria-label": `Path: ${path.understood}` },
    h("p", null, h("span", { class: "title" }, path.understood), " ", small(count(path.steps.length, "step"), duration(path.minutes))),
    path.warnings.map((warning) => h("p", { class: "small" }, warning)),
    h("ol", null, path.steps.map((step) => h("li", { value: step.position },
      h("span", { class: "title" }, step.resource ? away(step.resource.url, step.resource.title) : step.topics.join(", ")),
      " ", small(duration(step.minutes)),
      h("p", { class: "small" }, step.reason), step.evidence.slice(0, 1).map((words) => h("p", { class: "small" }, words))))));

const problem = (error) =>
  h("div", { class: "problem", role: "alert" }, h("p", null, error.message), h("p", { class: "small" }, error.hint));

customElements.define("warp-path", WarpPath);
customElements.define("warp-chat", WarpChat);
