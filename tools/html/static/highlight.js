// Lines of MLIR, LLVM IR, assembly and schedules in colours, and what differs between two lines.

const MLIR = new RegExp(
  [
    /(?<comment>\/\/.*$|^\s*;.*$)/, /(?<string>"(?:[^"\\]|\\.)*")/, /(?<value>%[\w$.-]+(?:#\d+)?)/,
    /(?<symbol>@[\w$.-]+)/, /(?<label>\^\w+|^b\d[\w.]*:)/,
    /(?<type>\b(?:tensor|memref|vector|complex)(?=<)|\b(?:[su]?i\d+|b?f\d+\w*|index|none|ptr|void|float|double|half)\b|!\w[\w.]*)/,
    /(?<attribute>#\w[\w.]*)/,
    /(?<op>\b(?:stablehlo|chlo|linalg|tensor|arith|math|memref|scf|affine|func|llvm|vector|xrt|builtin|complex|cf|fourier)\.[\w.]+)/,
    /(?<keyword>\b(?:attributes|ins|outs|iterator_types|indexing_maps|private|public|for|parallel|unroll|vector|tile|chain|keep|compute|start|from|pack|stage|fetch|hold|parts|transpose|define|declare|internal|hidden|call|br|label|ret|phi|load|store|getelementptr|inbounds|f(?:add|mul|sub|div|neg|cmp)|icmp|add|sub|mul|select|bitcast|zext|sext|trunc|switch|to|by|at|in|step|else)\b)/,
    /(?<number>\b(?:0x[0-9a-fA-F]+|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b)/,
    /(?<word>[A-Za-z_]\w*|\s+|.)/,
  ].map((part) => part.source).join("|"),
  "gm",
);
const ASSEMBLY =
  /(?<comment>#.*$)|(?<label>^[\w.$"]+:)|(?<op>(?<=^\s+)\.?[a-z]\w*(?=\s|$))|(?<value>%[a-z]\w*)|(?<number>\$?-?\b(?:0x[\da-f]+|\d+)\b)|(?<symbol>[\w.$]+@\w+|\.L\w+)|(?<word>[A-Za-z_]\w*|\s+|.)/gm;

const MOST = 600; // tokens in colours

export function tokens(text, isAssembly) {
  const found = [];
  for (const match of text.matchAll(isAssembly ? ASSEMBLY : MLIR)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (found.length === MOST) {
      found.push({ kind: "word", text: text.slice(match.index) });
      break;
    }
    found.push({ kind, text: match[0] });
  }
  return found;
}

// Which tokens of two lines are not common to both: two arrays of truths.
export function differing(before, after) {
  const n = before.length, m = after.length;
  const left = new Array(n).fill(true), right = new Array(m).fill(true);
  let head = 0;
  while (head < n && head < m && before[head].text === after[head].text) left[head] = right[head++] = false;
  let tail = 0;
  while (tail < n - head && tail < m - head && before[n - tail - 1].text === after[m - tail - 1].text) {
    tail++;
    left[n - tail] = right[m - tail] = false;
  }
  const rows = n - tail - head, columns = m - tail - head;
  if (rows * columns === 0 || rows * columns > 40000) return [left, right];
  const width = columns + 1;
  const table = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      table[i * width + j] = before[head + i].text === after[head + j].text
        ? table[(i + 1) * width + j + 1] + 1
        : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
  for (let i = 0, j = 0; i < rows && j < columns; )
    if (before[head + i].text === after[head + j].text) left[head + i++] = right[head + j++] = false;
    else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) i++;
    else j++;
  return [left, right];
}

// Whether two lines have more in common than not: only then it helps to mark what differs.
export function isSimilar(parts, marked) {
  const size = (kept) => parts.reduce((sum, part, n) => sum + (kept(n) && part.text.trim() ? part.text.length : 0), 0);
  return size((n) => !marked[n]) * 2 >= size(() => true);
}

// The spans of a line. `marked`: which tokens differ; `wanted`: a text to be found in the line.
export function spans(parts, marked, wanted) {
  const fragment = document.createDocumentFragment();
  const text = parts.map((part) => part.text).join("").toLowerCase();
  const hits = [];
  for (let at = wanted ? text.indexOf(wanted) : -1; at >= 0; at = text.indexOf(wanted, at + wanted.length))
    hits.push([at, at + wanted.length]);
  let place = 0;
  parts.forEach((part, index) => {
    const end = place + part.text.length;
    const name = `${part.kind}${marked?.[index] ? " differs" : ""}`;
    const isHit = hits.some(([from, to]) => from < end && to > place);
    if (name === "word" && !isHit) fragment.append(part.text);
    else {
      const span = document.createElement("span");
      span.className = isHit ? `${name} hit` : name;
      span.textContent = part.text;
      fragment.append(span);
    }
    place = end;
  });
  return fragment;
}
