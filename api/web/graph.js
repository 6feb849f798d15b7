// A path's graph to look around in: drag or arrow keys pan, wheel, buttons and + - zoom, a click goes to the step.

import { h, svg } from "./dom.js";
import { layout } from "./layout.js";

const SMALLEST = 0.2;
const LARGEST = 2.5;
const READABLE = 0.65; // the scale below which names cannot be read; a larger graph is shown in part
const STEP = 60; // pixels that an arrow key moves
const SLACK = 4; // pixels within which a press is a click
const LINE = 17; // letters of a name in one line

/** The drawn graph of a path: its element, and `mark` for the positions of the steps that are done. */
export function drawGraph(path, names, goTo) {
  const plan = layout(path);
  const groups = plan.nodes.map((node) => drawNode(node, names, path.targets, goTo));
  const world = svg("g", null, plan.edges.map(drawEdge), groups);
  const label = "The path as a graph: what stands above is needed below";
  const canvas = svg("svg", { class: "graph", tabindex: 0, role: "group", "aria-label": label }, world);
  const view = lookAround(canvas, world, plan);
  groups.forEach((group, at) => group.addEventListener("focus", () => view.reveal(plan.nodes[at])));
  const button = (text, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, text);
  const element = h("figure", { class: "drawn" },
    h("div", { class: "frame" }, canvas,
      h("div", { class: "zoom", role: "group", "aria-label": "View" },
        button("+", "Zoom in", () => view.zoom(1.25)),
        button("−", "Zoom out", () => view.zoom(0.8)),
        button("⤢", "Show all", view.fit))),
    h("figcaption", { class: "small" },
      "Drag or use the arrow keys to move; + and − or the wheel, once the graph is clicked, to zoom; click a topic for its step."));
  const isDone = (node, done) => node.steps.every((step) => done.has(step));
  const mark = (done) => groups.forEach((group, at) => group.classList.toggle("done", isDone(plan.nodes[at], done)));
  return { element, mark };
}

function drawNode(node, names, targets, goTo) {
  const title = node.topics.map((slug) => names.get(slug) ?? slug).join(", ");
  const [first, last] = [node.steps[0], node.steps.at(-1)];
  const steps = first === last ? `${first}` : `${first}–${last}`;
  const go = () => goTo(first);
  const lines = wrapped(title);
  const open = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    go();
  };
  return svg("g", {
    class: node.topics.some((slug) => targets.includes(slug)) ? "node target" : "node",
    role: "link", tabindex: 0, "aria-label": `Step ${steps}: ${title}`,
    transform: `translate(${node.x - node.width / 2} ${node.y - node.height / 2})`, onclick: go, onkeydown: open,
  },
  svg("title", null, title),
  svg("rect", { width: node.width, height: node.height, rx: 6 }),
  svg("text", { class: "steps-of", x: 6, y: 13 }, steps),
  lines.map((line, at) => svg("text", { x: node.width / 2, y: node.height / 2 + 9 + (at - (lines.length - 1) / 2) * 15 }, line)));
}

/** A name in one or two lines. */
function wrapped(name) {
  const words = name.split(" ");
  let first = words.shift();
  while (words.length && `${first} ${words[0]}`.length <= LINE) first += ` ${words.shift()}`;
  return [first, words.join(" ")].filter(Boolean).map((line) => (line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line));
}

/** A smooth line from the foot of one node through its bends to the head of another. */
function drawEdge({ points, reason, from }) {
  const half = from.height / 2;
  let at = { x: points[0].x, y: points[0].y + half };
  let line = `M${at.x} ${at.y}`;
  const curve = (x, y) => {
    const middle = (at.y + y) / 2;
    line += `C${at.x} ${middle} ${x} ${middle} ${x} ${y}`;
    at = { x, y };
  };
  for (const { x, y } of points.slice(1, -1)) {
    curve(x, y - half);
    line += `V${y + half}`;
    at = { x, y: y + half };
  }
  curve(points.at(-1).x, points.at(-1).y - half);
  return svg("path", { class: "edge", d: line }, svg("title", null, reason));
}

/** Pans and zooms `world` inside `canvas`. */
function lookAround(canvas, world, { width, height }) {
  let [x, y, scale] = [0, 0, 1];
  const box = () => canvas.getBoundingClientRect();
  const show = () => world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);

  /** Shows all of it; with a smallest scale as much as then fits, from the top. */
  function fit(smallest = 0) {
    const { width: wide, height: high } = box();
    scale = Math.max(Math.min((wide - 24) / width, (high - 24) / height, 1), smallest);
    [x, y] = [(wide - width * scale) / 2, 12];
    show();
  }

  function pan(right, down) {
    x += right;
    y += down;
    show();
  }

  function zoom(factor, at = { x: box().width / 2, y: box().height / 2 }) {
    const next = Math.min(Math.max(scale * factor, SMALLEST), LARGEST);
    x = at.x - ((at.x - x) * next) / scale;
    y = at.y - ((at.y - y) * next) / scale;
    scale = next;
    show();
  }

  /** Moves a node into the view if it is outside. */
  function reveal(node) {
    const { width: wide, height: high } = box();
    const [left, top] = [x + node.x * scale, y + node.y * scale];
    const [halfWide, halfHigh] = [(node.width * scale) / 2, (node.height * scale) / 2];
    const inside = left >= halfWide && left <= wide - halfWide && top >= halfHigh && top <= high - halfHigh;
    if (!inside) pan(wide / 2 - left, high / 2 - top);
  }

  listen(canvas, { pan, zoom, fit: () => fit() });
  new ResizeObserver((_, observer) => {
    if (!box().width) return;
    fit(READABLE);
    observer.disconnect(); // only the first size counts: what the person moved stays
  }).observe(canvas);
  return { zoom, fit: () => fit(), reveal };
}

function listen(canvas, view) {
  const keys = {
    ArrowLeft: () => view.pan(STEP, 0), ArrowRight: () => view.pan(-STEP, 0),
    ArrowUp: () => view.pan(0, STEP), ArrowDown: () => view.pan(0, -STEP),
    "+": () => view.zoom(1.25), "=": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: () => view.fit(),
  };
  canvas.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !canvas.contains(document.activeElement)) return; // else the page could not be scrolled past it
    event.preventDefault();
    const { left, top } = canvas.getBoundingClientRect();
    view.zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - left, y: event.clientY - top });
  }, { passive: false });
  drag(canvas, view.pan);
}

function drag(canvas, pan) {
  let last = null;
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    last = event;
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last || !event.buttons) return;
    const [right, down] = [event.clientX - last.clientX, event.clientY - last.clientY];
    moved += Math.abs(right) + Math.abs(down);
    if (moved > SLACK && !canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
    pan(right, down);
    last = event;
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (last = null));
  canvas.addEventListener("click", (event) => moved > SLACK && event.stopPropagation(), { capture: true });
}
