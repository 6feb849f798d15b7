// The REST reference, drawn from the service's own OpenAPI document.

import { h, joined } from "./dom.js";
import { problemBox, table } from "./parts.js";
import { get } from "./service.js";
import { count } from "./words.js";

const main = document.getElementById("main");
const input = document.getElementById("q");

async function show() {
  try {
    const document = await get("openapi.json");
    draw(document);
  } catch (error) {
    main.replaceChildren(h("h1", null, "REST reference"), problemBox(error, { retry: show }));
  }
}

function draw(document) {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })));
  const status = h("p", { role: "status", class: "count" });
  const list = h("div", null);
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = operations.filter(({ path, verb, operation }) => {
      const text = `${verb} ${path} ${operation.description ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    status.textContent = count(found.length, "operation");
    list.replaceChildren(...document.tags.flatMap((tag) => tagged(tag, found)).filter(Boolean));
  };
  input.addEventListener("input", filter);
  filter();
  main.replaceChildren(
    h("h1", null, `${document.info.title} ${document.info.version}`),
    h("p", { class: "lead" }, document.info.description),
    h("p", null, "For programs: ", h("a", { href: "openapi.json" }, "openapi.json")),
    status, list,
    h("h2", null, "Schemas"), h("div", null, Object.entries(document.components.schemas).map(([name, schema]) => object(name, schema))));
}

function tagged(tag, found) {
  const own = found.filter(({ operation }) => (operation.tags ?? []).includes(tag.name));
  return own.length ? [h("h2", { id: tag.name }, tag.description), ...own.map((one) => article(one))] : [];
}

function article({ path, verb, operation }) {
  const body = operation.requestBody?.content?.["application/json"];
  return h("article", null,
    h("h3", null, h("span", { class: "verb" }, verb), ` ${path}`),
    (operation.description ?? "").split(/\n\n+/).map((paragraph) => h("p", null, words(paragraph))),
    parameters(operation.parameters ?? []),
    body && [h("p", null, "Body: ", type(body.schema)), example(exampleOf(body))],
    h("details", null, h("summary", null, joined(["Answers", Object.keys(operation.responses).join(", ")], ": ")),
      Object.entries(operation.responses).map(([status, response]) => answer(status, response))));
}

/** A text in which backticks mark code. */
const words = (text) => text.split("`").map((part, at) => (at % 2 ? h("code", null, part) : part));

const parameters = (all) => all.length > 0 && table("Parameters", ["parameter", "type", "what it is"],
  all.map((one) => row(one.name, one.required, one.schema, one.description)));

const row = (name, required, schema, description) =>
  [h("td", null, name, required && " *"), h("td", null, type(schema)), h("td", null, description)];

function answer(status, response) {
  return h("section", null, h("p", null, h("strong", null, status), ` ${response.description}`),
    Object.entries(response.content ?? {}).map(([media, content]) => [
      h("p", { class: "small" }, media, content.schema && [" ", type(content.schema)]),
      example(content.example ?? Object.values(content.examples ?? {})[0]?.value)]));
}

const exampleOf = (body) => body.example ?? body.schema?.examples?.[0] ?? Object.values(body.examples ?? {})[0]?.value;

const example = (value) => value !== undefined &&
  h("pre", { tabindex: 0, role: "region", "aria-label": "Example" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** A schema in a few words, with links to those that have a name. */
function type(schema = {}) {
  if (schema.$ref) return h("a", { href: `#${schema.$ref.split("/").at(-1)}` }, schema.$ref.split("/").at(-1));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices.map(type), " or ");
  if (schema.enum) return joined(schema.enum.map((one) => h("code", null, String(one))), ", ");
  if (schema.const !== undefined) return h("code", null, String(schema.const));
  if (schema.type === "array") return ["list of ", type(schema.items ?? schema.prefixItems?.[0])];
  return schema.format ?? schema.type ?? "any";
}

const object = (name, schema) =>
  h("article", { id: name }, h("h3", null, name),
    schema.description && h("p", null, schema.description.split("\n\n")[0]),
    schema.properties && table(name, ["field", "type", "what it is"], Object.entries(schema.properties).map(([field, inner]) =>
      row(field, schema.required?.includes(field), inner, inner.description))));

show();
