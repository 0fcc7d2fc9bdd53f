// What the page carries: the lines of all steps, which runs of lines stay, and where each line comes from.

export const KEEP = 0, CHANGE = 1, DELETE = 2, INSERT = 3;
export const GUESS = 3;
export const KINDS = ["the same op", "put in its place", "made with its location", "a guess"];
export const LEVELS = [
  "other", "StableHLO", "linalg on tensors", "kernels", "buffers", "loops", "llvm dialect", "LLVM IR", "assembly",
];

export async function load() {
  const text = document.getElementById("data").textContent.trim();
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Program(await new Response(stream).json());
}

export class Program {
  constructor(contents) {
    Object.assign(this, contents);
    this.decoded = [];
  }

  text(stage, line) {
    return this.lines[this.at(stage).ids[line]];
  }

  // The lines of a step, as numbers in the table, with their edges to those of the step before.
  at(stage) {
    for (let k = this.decoded.length; k <= stage; k++) this.decoded.push(decode(this.stages[k], this.decoded[k - 1]));
    return this.decoded[stage];
  }

  // The lines behind a step that each line before it has become: as `back` of the step, the other way round.
  forward(stage) {
    const here = this.at(stage);
    here.forward ??= inverted(this.at(stage + 1).back, here.ids.length);
    return here.forward;
  }

  changes(stage) {
    const { runs } = this.stages[stage];
    let changed = 0, added = 0, removed = 0;
    for (let r = 0; stage && r < runs.length; r += 2) {
      if (runs[r] === CHANGE) changed += runs[r + 1];
      if (runs[r] === INSERT) added += runs[r + 1];
      if (runs[r] === DELETE) removed += runs[r + 1];
    }
    return { changed, added, removed, any: stage === 0 || changed + added + removed > 0 };
  }

  // The functions of a step: where they begin, and their names.
  functions(stage) {
    const here = this.at(stage);
    here.functions ??= [...here.ids].flatMap((id, line) => {
      const match = DEFINITION.exec(this.lines[id]);
      return match ? [{ line, name: match[1] ?? match[2] ?? match[3] }] : [];
    });
    return here.functions;
  }

  functionAt(stage, line) {
    const found = this.functions(stage);
    let low = 0, high = found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (found[middle].line <= line) low = middle + 1;
      else high = middle;
    }
    return found[low - 1];
  }
}

const DEFINITION = /^\s*(?:(?:func\.func|llvm\.func)\b[^@]*@"?([\w.$-]+)|define [^@]*@"?([\w.$-]+)|(?!b\d)([A-Za-z_][\w.$]*):)/;

function decode(stage, before) {
  const ids = new Int32Array(stage.count);
  const starts = new Int32Array(stage.count + 1);
  const lines = [], kinds = [];
  let line = 0, old = 0, next = 0, id = 0, edge = 0;
  const { runs, edges, extra } = stage;
  let more = 0; // the place in `extra`
  for (let r = 0; r < runs.length; r += 2) {
    const run = runs[r];
    for (let n = runs[r + 1]; n > 0; n--) {
      if (run === DELETE) {
        old++;
        continue;
      }
      starts[line] = lines.length;
      if (run === KEEP) {
        lines.push(old);
        kinds.push(0);
        if (extra[more] === line)
          for (let count = extra[more + 1], end = (more += 2) + count; more < end; more++) {
            lines.push(old + (extra[more] >> 2));
            kinds.push(extra[more] & 3);
          }
        ids[line++] = before.ids[old++];
        continue;
      }
      id += stage.new[next++];
      ids[line++] = id;
      for (let count = edges[edge++]; count > 0; count--, edge++) {
        lines.push(old + (edges[edge] >> 2));
        kinds.push(edges[edge] & 3);
      }
      if (run === CHANGE) old++;
    }
  }
  starts[stage.count] = lines.length;
  return { ids, back: { starts, lines, kinds } };
}

function inverted(back, count) {
  const starts = new Int32Array(count + 1);
  for (const line of back.lines) starts[line + 1]++;
  for (let line = 0; line < count; line++) starts[line + 1] += starts[line];
  const lines = new Int32Array(back.lines.length), kinds = new Uint8Array(back.lines.length);
  const next = starts.slice();
  for (let line = 0; line + 1 < back.starts.length; line++)
    for (let e = back.starts[line]; e < back.starts[line + 1]; e++) {
      const place = next[back.lines[e]]++;
      lines[place] = line;
      kinds[place] = back.kinds[e];
    }
  return { starts, lines, kinds };
}
