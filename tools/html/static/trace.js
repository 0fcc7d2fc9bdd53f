// Where a line comes from in all steps before, and what it becomes in all steps behind.

// By step a map from lines to the least sure kind of edge on the surest way there.
export function trace(program, stage, lines) {
  const marks = program.stages.map(() => new Map());
  for (const line of lines) marks[stage].set(line, 0);
  for (let k = stage; k > 0 && marks[k].size; k--) follow(program.at(k).back, marks[k], marks[k - 1]);
  for (let k = stage; k + 1 < marks.length && marks[k].size; k++) follow(program.forward(k), marks[k], marks[k + 1]);
  return marks;
}

export function forwardTo(program, from, line, to) {
  let marks = new Map([[line, 0]]);
  for (let k = from; k < to && marks.size; k++) {
    const next = new Map();
    follow(program.forward(k), marks, next);
    marks = next;
  }
  return marks;
}

function follow({ starts, lines, kinds }, from, to) {
  for (const [line, sureness] of from)
    for (let e = starts[line]; e < starts[line + 1]; e++) {
      const kind = Math.max(sureness, kinds[e]);
      const known = to.get(lines[e]);
      if (known === undefined || kind < known) to.set(lines[e], kind);
    }
}
