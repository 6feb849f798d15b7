// Elements made of plain values. Text stays text: nothing here parses HTML, and only web addresses become links.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. A function among the attributes is a listener: `onclick`. What is null or false is left out. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A link that leaves this page; where the address is none of the web's, its text alone. */
export function away(address, ...children) {
  if (!/^https?:\/\//i.test(address ?? "")) return h("span", null, ...children);
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

/** Whether an address may be a link: http or https, or relative to this page. */
function isWebAddress(address) {
  try {
    return ["http:", "https:"].includes(new URL(address, document.baseURI).protocol);
  } catch {
    return false;
  }
}

/** Tells a screen reader what has changed: only a region that was there before is read out. */
export const announce = (text) => (document.getElementById("live").textContent = text);

/** The children with a separator between them. */
export function joined(children, separator = " · ") {
  const present = shown(children.flat());
  return present.flatMap((child, index) => (index ? [separator, child] : [child]));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (!isGiven(value) || (name === "href" && !isWebAddress(value))) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...shown(children.flat(Infinity)));
  return element;
}

const shown = (children) => children.filter((child) => isGiven(child) && child !== "");
const isGiven = (value) => value !== null && value !== undefined && value !== false;
