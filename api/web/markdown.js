// The few signs of Markdown that answers of the chat hold: escapes, links, bold, code. All else is text.

import { away, h } from "./dom.js";

const SIGN = /\\([\\`*[\]<>|~$_&])|\[((?:\\.|[^\]\\])*)\]\(<([^>]*)>\)|\*\*([^*]+)\*\*|`([^`]+)`/g;

/** The nodes of one piece of text. */
export function markdown(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(SIGN)) {
    nodes.push(text.slice(at, found.index), node(found));
    at = found.index + found[0].length;
  }
  return [...nodes, text.slice(at)];
}

function node([, escaped, title, address, bold, code]) {
  if (escaped) return escaped;
  if (address !== undefined) return away(address, ...markdown(title));
  return bold ? h("strong", null, ...markdown(bold)) : h("code", null, code);
}
