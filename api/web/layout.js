// Where the nodes of a path's graph stand: layers by step and prerequisite, drawn as by Sugiyama, Tagawa and Toda (1981).

const NODE = { width: 142, height: 52 };
const BEND = 14; // width of the place where a long edge passes a layer
const GAP = { x: 14, y: 44 };
const WIDEST = 4; // nodes of a layer
const SWEEPS = 8;

/** Nodes {first, last, topics, x, y, width, height} and edges {from, to, reason, points} of a path, and its size. */
export function layout(path) {
  const nodes = group(path.steps);
  const edges = reduced(nodes, prerequisites(path, nodes));
  const layers = layered(nodes, edges);
  untangle(layers);
  place(layers);
  for (const edge of edges) edge.points = [edge.from, ...edge.bends, edge.to].map(({ x, y }) => ({ x, y }));
  const right = Math.max(...layers.flat().map((one) => one.x + one.width / 2));
  return { nodes, edges, width: right, height: layers.length * (NODE.height + GAP.y) - GAP.y };
}

/** One node for the steps that teach the same. */
function group(steps) {
  const byTopic = new Map();
  const nodes = [];
  for (const step of steps) {
    let node = step.topics.map((slug) => byTopic.get(slug)).find(Boolean);
    if (!node) nodes.push((node = { ...NODE, index: nodes.length, steps: [], topics: [] }));
    node.steps.push(step.position);
    for (const slug of step.topics) {
      if (!node.topics.includes(slug)) node.topics.push(slug);
      if (!byTopic.has(slug)) byTopic.set(slug, node);
    }
  }
  return nodes;
}

function prerequisites(path, nodes) {
  const owner = new Map(nodes.flatMap((node) => node.topics.map((slug) => [slug, node])));
  const found = new Map();
  for (const { topic, requires, reason } of path.certificate.prerequisites) {
    const [from, to] = [owner.get(requires), owner.get(topic)];
    if (from && to && from.index < to.index) found.set(`${from.index} ${to.index}`, { from, to, reason });
  }
  return [...found.values()];
}

/** The edges without those that others imply. */
function reduced(nodes, edges) {
  const after = nodes.map(() => new Set()); // everything that comes after a node
  const kept = [];
  for (const node of nodes.toReversed()) {
    for (const edge of edges.filter((one) => one.from === node).sort((a, b) => a.to.index - b.to.index)) {
      if (after[node.index].has(edge.to.index)) continue;
      kept.push(edge);
      for (const index of [edge.to.index, ...after[edge.to.index]]) after[node.index].add(index);
    }
  }
  return kept;
}

/** The layers from the top, in the order of the steps: a layer ends where it is full, or a node needs one of it. */
function layered(nodes, edges) {
  const layers = [[]];
  const depth = new Map();
  for (const node of nodes) {
    const needed = edges.filter((edge) => edge.to === node).map((edge) => depth.get(edge.from));
    const last = layers.length - 1;
    if (layers[last].length === WIDEST || needed.includes(last)) layers.push([]);
    depth.set(node, layers.length - 1);
    layers.at(-1).push(Object.assign(node, { above: [], below: [] }));
  }
  for (const edge of edges) bend(edge, layers.slice(depth.get(edge.from) + 1, depth.get(edge.to)));
  return layers;
}

/** Gives an edge a place in each layer that it passes. */
function bend(edge, passed) {
  edge.bends = passed.map(() => ({ width: BEND, height: NODE.height, above: [], below: [] }));
  edge.bends.forEach((one, at) => passed[at].push(one));
  const stations = [edge.from, ...edge.bends, edge.to];
  stations.slice(1).forEach((lower, at) => join(stations[at], lower));
}

function join(upper, lower) {
  upper.below.push(lower);
  lower.above.push(upper);
}

/** Orders each layer by the middle of its neighbours, downwards and upwards in turn, and keeps what crosses least. */
function untangle(layers) {
  const remember = () => layers.map((layer) => [...layer]);
  number(layers);
  let [best, fewest] = [remember(), crossings(layers)];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const [order, side] = sweep % 2 ? [layers.toReversed(), "below"] : [layers, "above"];
    for (const layer of order) {
      const middle = new Map(layer.map((one) => [one, mean(one[side].map((other) => other.rank), one.rank)]));
      layer.sort((a, b) => middle.get(a) - middle.get(b));
      number([layer]);
    }
    const now = crossings(layers);
    if (now < fewest) [best, fewest] = [remember(), now];
  }
  best.forEach((layer, at) => layers[at].splice(0, layer.length, ...layer));
}

function number(layers) {
  for (const layer of layers) layer.forEach((one, rank) => (one.rank = rank));
}

function crossings(layers) {
  let sum = 0;
  for (const layer of layers) {
    const ends = layer.flatMap((one) => one.below.map((other) => [one.rank, other.rank]));
    ends.forEach(([a, b], at) => ends.slice(at + 1).forEach(([c, d]) => (sum += (a - c) * (b - d) < 0)));
  }
  return sum;
}

/** Middles of all nodes: as near to their neighbours as the order and the gaps allow. */
function place(layers) {
  layers.forEach((layer, at) => layer.forEach((one) => Object.assign(one, { x: 0, y: at * (NODE.height + GAP.y) + NODE.height / 2 })));
  layers.forEach((layer) => spread(layer, layer.map(() => 0)));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const layer of sweep % 2 ? layers.toReversed() : layers) {
      spread(layer, layer.map((one) => mean([...one.above, ...one.below].map((other) => other.x), one.x)));
    }
  }
  const left = Math.min(...layers.flat().map((one) => one.x - one.width / 2));
  for (const one of layers.flat()) one.x -= left;
}

/** Gives the nodes of a layer the places wished for, moved apart where they would overlap. */
function spread(layer, wished) {
  const room = (at) => (layer[at - 1].width + layer[at].width) / 2 + GAP.x;
  const pushed = [wished[0]];
  for (let at = 1; at < layer.length; at += 1) pushed[at] = Math.max(wished[at], pushed[at - 1] + room(at));
  const pulled = [];
  for (let at = layer.length - 1; at >= 0; at -= 1) {
    pulled[at] = at === layer.length - 1 ? wished[at] : Math.min(wished[at], pulled[at + 1] - room(at + 1));
  }
  layer.forEach((one, at) => (one.x = (pushed[at] + pulled[at]) / 2)); // both keep the gaps, so their middle does too
}

const mean = (values, otherwise) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise);
