// How figures and names read.

/** 90 -> “1 h 30 min”. */
export function duration(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours && `${hours} h`, (rest || !hours) && `${rest} min`].filter(Boolean).join(" ");
}

/** “1 step”, “2 steps”. */
export const count = (number, noun, plural = `${noun}s`) => `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

/** The site of an address, without what every address has; an empty text for what is no address. */
export function site(address) {
  try {
    return new URL(address).host.replace(/^www\./, "");
  } catch {
    return "";
  }
}

/** “gpu-acts.txt:96”. */
export const place = ({ source, line }) => `${source}:${line}`;

/** An address within this page. */
export function to(...segments) {
  const last = segments.at(-1);
  const query = last instanceof URLSearchParams ? `?${last}` : "";
  const names = query ? segments.slice(0, -1) : segments;
  return `#/${names.map(encodeURIComponent).join("/")}${query}`;
}
