// Where the nodes of a graph stand: in layers, each below all that it reads.

export const WIDTH = 168, HEIGHT = 36, ACROSS = 18, DOWN = 34;
const SWEEPS = 6;

// `edges` are pairs of numbers below `count`, from lower to higher. Returns the places of centres, and the size of all.
export function layered(count, edges, floating) {
  const reads = Array.from({ length: count }, () => []), readers = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    reads[to].push(from);
    readers[from].push(to);
  }
  const layer = new Array(count).fill(0);
  for (let node = 0; node < count; node++) for (const from of reads[node]) layer[node] = Math.max(layer[node], layer[from] + 1);
  // Arguments and constants stand just above their first reader.
  for (let node = 0; node < count; node++)
    if (floating(node) && readers[node].length) layer[node] = Math.max(0, Math.min(...readers[node].map((to) => layer[to])) - 1);
  const layers = Array.from({ length: Math.max(0, ...layer) + 1 }, () => []);
  layer.forEach((number, node) => layers[number].push(node));
  const place = new Array(count).fill(0);
  const note = (nodes) => nodes.forEach((node, index) => { place[node] = index - nodes.length / 2; });
  layers.forEach(note);
  const mean = (neighbours, node) => neighbours[node].length
    ? neighbours[node].reduce((sum, other) => sum + place[other], 0) / neighbours[node].length : place[node];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0, neighbours = isDown ? reads : readers;
    for (const nodes of isDown ? layers : [...layers].reverse()) {
      const wanted = new Map(nodes.map((node) => [node, mean(neighbours, node)]));
      nodes.sort((a, b) => wanted.get(a) - wanted.get(b));
      note(nodes);
    }
  }
  const x = new Array(count).fill(0), step = WIDTH + ACROSS;
  for (const nodes of layers) nodes.forEach((node, index) => { x[node] = (index - (nodes.length - 1) / 2) * step; });
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const nodes of sweep % 2 ? [...layers].reverse() : layers) straighten(nodes, x, sweep % 2 ? readers : reads, step);
  const left = Math.min(...x, 0), right = Math.max(...x, 0);
  return {
    x: x.map((value) => value - left + WIDTH / 2 + ACROSS),
    y: layer.map((number) => number * (HEIGHT + DOWN) + HEIGHT),
    layers,
    width: right - left + WIDTH + 2 * ACROSS,
    height: layers.length * (HEIGHT + DOWN) + HEIGHT,
  };
}

// Moves the nodes of a layer towards the middle of their neighbours, in their order and without overlap.
function straighten(nodes, x, neighbours, step) {
  const wanted = nodes.map((node) => {
    const xs = neighbours[node].map((other) => x[other]).sort((a, b) => a - b);
    return xs.length ? (xs[(xs.length - 1) >> 1] + xs[xs.length >> 1]) / 2 : x[node];
  });
  const groups = []; // of nodes that touch: where the first stands, how many there are
  wanted.forEach((target, index) => {
    let group = { sum: target, count: 1, first: index };
    while (groups.length) {
      const last = groups[groups.length - 1];
      if (last.sum / last.count + ((last.count + group.count) / 2) * step <= group.sum / group.count) break;
      groups.pop();
      group = { sum: last.sum + group.sum, count: last.count + group.count, first: last.first };
    }
    groups.push(group);
  });
  for (const { sum, count, first } of groups)
    for (let n = 0; n < count; n++) x[nodes[first + n]] = sum / count + (n - (count - 1) / 2) * step;
}
