// What the person is done with: topics and resources, kept in this browser only.

const KEY = "warpath.done";
let kept = read();
addEventListener("storage", () => (kept = read())); // another tab has ticked

function read() {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(KEY)) ?? {}));
  } catch {
    return new Map(); // storage is switched off, or holds something else
  }
}

function write() {
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Ticks then last as long as the page.
  }
}

/** What a step's tick stands for: its resource, or its topics where it has none. */
export const keysOf = (step) => (step.resource ? [step.resource.id] : step.topics);

/** Whether a step is ticked. */
export const isDone = (step) => keysOf(step).every((key) => kept.has(key));

/** Ticks a step, or takes the tick away. */
export function tick(step, done) {
  const title = step.resource?.title ?? step.topics.join(", ");
  for (const key of keysOf(step)) done ? kept.set(key, title) : kept.delete(key);
  write();
}

/** Forgets one thing. */
export function forget(key) {
  kept.delete(key);
  write();
}

/** Everything ticked, as [key, title]. */
export const everything = () => [...kept];
