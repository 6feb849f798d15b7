// The REST service: requests, and its problems as errors.

/** Where the service is that this script came from. */
export const HOME = new URL("..", import.meta.url).href;

/** What went wrong, in words for a person. `status` is 0 where no answer came. */
export class Problem extends Error {
  constructor({ title, detail, hint, status, nearest, minimum_hours, request_id }) {
    super(detail ?? title);
    this.hint = hint ?? "";
    this.status = status;
    this.nearest = nearest ?? [];
    this.minimumHours = minimum_hours;
    this.requestId = request_id;
  }
}

const KEY = "warpath.key";

/** Keeps an API key until the tab is closed; it goes to the service that this script came from, and nowhere else. */
export const useKey = (key) => sessionStorage.setItem(KEY, key);

const OFFLINE = {
  detail: "The service does not answer.", hint: "Check that it runs and that you are online; then try again.", status: 0,
};

/** The service at an address. Every method raises a Problem, or the AbortError of its `signal`. */
export function service(base = HOME) {
  const address = (path, query) => {
    const url = new URL(path.replace(/^\//, ""), base.endsWith("/") ? base : `${base}/`);
    for (const [name, value] of Object.entries(query ?? {})) {
      for (const one of [value].flat()) if (one !== undefined && one !== null && one !== "") url.searchParams.append(name, one);
    }
    return url;
  };
  const post = (path, body, signal) =>
    answer(address(path), { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal });
  return {
    get: async (path, query, signal) => (await answer(address(path, query), { signal })).json(),
    post: async (path, body, signal) => (await post(path, body, signal)).json(),
    raw: post,
  };
}

/** A function that asks once and keeps the answer; a failure is forgotten. */
export function kept(ask) {
  let answer = null;
  return () => (answer ??= ask().catch((error) => {
    answer = null;
    throw error;
  }));
}

const here = service();
export const { get, post, raw } = here;
export const topics = kept(() => get("v1/topics"));
export const hardware = kept(() => get("v1/hardware"));

/** slug -> name of every topic; slugs alone where the list cannot be had. */
export async function topicNames() {
  const lines = await topics().catch(() => []);
  return new Map(lines.map((line) => [line.slug, line.name]));
}

async function answer(url, options) {
  let response;
  const key = url.href.startsWith(HOME) && url.origin === location.origin && sessionStorage.getItem(KEY);
  try {
    response = await fetch(url, key ? { ...options, headers: { ...options.headers, "X-API-Key": key } } : options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Problem(OFFLINE);
  }
  if (response.ok) return response;
  throw new Problem(await problem(response));
}

async function problem(response) {
  const fallback = { detail: `The service answered with status ${response.status}.`, status: response.status };
  try {
    return { ...fallback, ...(await response.json()) };
  } catch {
    return fallback; // no problem+json: something between us and the service answered
  }
}

/** The server-sent events of an answer as {event, data}, data read from JSON (https://html.spec.whatwg.org/#server-sent-events). */
export async function* events(response) {
  let text = "";
  for await (const piece of pieces(response.body.pipeThrough(new TextDecoderStream()))) {
    const whole = (text + piece).split("\n\n");
    text = whole.pop();
    for (const block of whole) yield event(block);
  }
}

/** What a stream gives; not every browser can walk through a stream itself. */
async function* pieces(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => {}); // it has ended, or nobody listens any more
  }
}

function event(block) {
  const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
  return { event: fields.event, data: JSON.parse(fields.data) };
}
