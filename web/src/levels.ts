// Which box stands above which: boxes and what each needs -> levels, circles, and the lines that longer ways imply.

/** The longest way to each box from one that nothing needs; in a circle lines that lead back count as if they led down,
 * so that no two boxes with a line stand side by side. */
export function depths(needs: number[][]): Int32Array {
  const circle = circles(needs);
  const balance = new Float64Array(needs.length);
  needs.forEach((ends, box) => {
    for (const end of ends) {
      if (circle[end] !== circle[box]) continue;
      balance[box]++;
      balance[end]--;
    }
  });
  const first = (a: number, b: number) => balance[a] > balance[b] || (balance[a] === balance[b] && a < b);
  const down: number[][] = needs.map(() => []);
  needs.forEach((ends, box) => {
    for (const end of ends) {
      if (circle[end] !== circle[box] || first(box, end)) down[box].push(end);
      else if (end !== box) down[end].push(box);
    }
  });
  return longest(down);
}

/** The longest way to each box, where there are no circles. */
function longest(needs: number[][]): Int32Array {
  const circle = circles(needs); // each its own: the order in which they are finished
  const count = circle.reduce((most, number) => Math.max(most, number + 1), 0);
  const deep = new Int32Array(count);
  const members: number[][] = Array.from({ length: count }, () => []);
  circle.forEach((number, box) => members[number].push(box));
  // Tarjan numbers a circle after all that it leads to: from the last to the first, what is needed comes later.
  for (let number = count - 1; number >= 0; number--) {
    for (const box of members[number]) {
      for (const end of needs[box]) {
        if (circle[end] !== number) deep[circle[end]] = Math.max(deep[circle[end]], deep[number] + 1);
      }
    }
  }
  return circle.map((number) => deep[number]);
}

/** The strongly connected part of each box (Tarjan, without recursion). */
export function circles(needs: number[][]): Int32Array {
  const size = needs.length;
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const part = new Int32Array(size).fill(-1);
  const next = new Int32Array(size);
  const path: number[] = [];
  let seen = 0;
  let parts = 0;
  for (let start = 0; start < size; start++) {
    if (order[start] >= 0) continue;
    const calls = [start];
    while (calls.length) {
      const box = calls[calls.length - 1];
      if (order[box] < 0) {
        order[box] = low[box] = seen++;
        path.push(box);
      }
      const end = needs[box][next[box]];
      if (end !== undefined) {
        next[box]++;
        if (order[end] < 0) calls.push(end);
        else if (part[end] < 0) low[box] = Math.min(low[box], order[end]);
        continue;
      }
      calls.pop();
      if (calls.length) low[calls[calls.length - 1]] = Math.min(low[calls[calls.length - 1]], low[box]);
      if (low[box] === order[box]) {
        let member;
        do {
          member = path.pop()!;
          part[member] = parts;
        } while (member !== box);
        parts++;
      }
    }
  }
  return part;
}

const MOST_WORK = 20_000_000; // words of bits that are joined; more would make somebody wait

/** What each box needs that is drawn: a line down goes where a longer way down leads to the same box. What needs each
 * other keeps its lines, and so does what leads up: they tell of circles. */
export function thinned(needs: number[][]): number[][] {
  const words = (needs.length + 31) >> 5;
  const lines = needs.reduce((sum, ends) => sum + ends.length, 0);
  if (lines * words > MOST_WORK) return needs;
  const deep = depths(needs);
  const known = needs.map((ends) => new Set(ends));
  const reached = new Uint32Array(needs.length * words); // of each box, what it leads down to
  const found: number[][] = needs.map(() => []);
  const order = needs.map((_, box) => box).sort((a, b) => deep[b] - deep[a]);
  for (const box of order) {
    const own = box * words;
    for (const end of [...needs[box]].sort((a, b) => deep[a] - deep[b])) {
      const down = deep[end] > deep[box];
      const implied = down && (reached[own + (end >> 5)] >>> (end & 31)) & 1;
      if (!implied || known[end].has(box)) found[box].push(end);
      if (!down || implied) continue;
      reached[own + (end >> 5)] |= 1 << (end & 31);
      for (let word = 0; word < words; word++) reached[own + word] |= reached[end * words + word];
    }
  }
  return found;
}
