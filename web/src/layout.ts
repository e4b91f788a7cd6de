// Where boxes go: boxes with sizes and the lines among them -> places in rows, what needs others above what it needs.
//
// Rules
// - A row is a level: the longest way from a box that nothing needs. In a circle the boxes that need more than they are
//   needed come first, and lines that lead back to them do not count.
// - Levels are ordered by the middle of their neighbours (barycentre), and wrapped where they are too wide.
// - Boxes without lines stand below, in order of their names.
// It is our own because a graph of 2,000 boxes must be laid out while somebody waits: docs/explore.md has the figures of
// elkjs and dagre.

export interface Size {
  width: number;
  height: number;
}

export interface Spot extends Size {
  x: number;
  y: number;
}

export interface Arrangement extends Size {
  spots: Spot[];
}

const GAP_X = 18;
const GAP_Y = 44;
const WRAP_Y = 12;
const SWEEPS = 4;
const SHAPE = 1.9; // wanted ratio of width to height
const NARROWEST = 1100; // rows are not wrapped below this

/** Places for boxes; `needs[n]` are the numbers of the boxes that box `n` has a line to. */
export function arrange(sizes: Size[], needs: number[][]): Arrangement {
  const area = sizes.reduce((sum, each) => sum + (each.width + GAP_X) * (each.height + GAP_Y), 0);
  const widest = sizes.reduce((most, each) => Math.max(most, each.width), 0);
  const most = Math.max(widest, NARROWEST, Math.sqrt(area * SHAPE));
  const spots: Spot[] = sizes.map((size) => ({ ...size, x: 0, y: 0 }));
  let y = 0;
  let width = 0;
  for (const level of levels(needs)) {
    for (const row of wrapped(level, sizes, most)) {
      const length = row.reduce((sum, box) => sum + sizes[box].width + GAP_X, -GAP_X);
      let x = (most - length) / 2;
      let height = 0;
      for (const box of row) {
        Object.assign(spots[box], { x, y });
        x += sizes[box].width + GAP_X;
        height = Math.max(height, sizes[box].height);
      }
      width = Math.max(width, length);
      y += height + WRAP_Y;
    }
    y += GAP_Y - WRAP_Y;
  }
  const left = spots.reduce((least, spot) => Math.min(least, spot.x), Infinity);
  for (const spot of spots) spot.x -= left;
  return { spots, width, height: Math.max(0, y - GAP_Y) };
}

/** The boxes by level, each in a good order; last those without lines. */
function levels(needs: number[][]): number[][] {
  const neededBy: number[][] = needs.map(() => []);
  needs.forEach((ends, box) => ends.forEach((end) => neededBy[end].push(box)));
  const depth = depths(needs);
  const found: number[][] = [];
  const alone: number[] = [];
  needs.forEach((ends, box) => {
    if (!ends.length && !neededBy[box].length) alone.push(box);
    else (found[depth[box]] ??= []).push(box);
  });
  const rows = found.filter((row) => row);
  const place = new Float64Array(needs.length);
  const settle = (row: number[]) => row.forEach((box, at) => (place[box] = (at + 0.5) / row.length));
  rows.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    const beside = down ? neededBy : needs;
    for (const row of down ? rows : [...rows].reverse()) {
      const middle = new Map(row.map((box) => [box, mean(beside[box], place) ?? place[box]]));
      row.sort((a, b) => middle.get(a)! - middle.get(b)! || a - b);
      settle(row);
    }
  }
  return alone.length ? [...rows, alone] : rows;
}

function mean(boxes: number[], place: Float64Array): number | undefined {
  return boxes.length ? boxes.reduce((sum, box) => sum + place[box], 0) / boxes.length : undefined;
}

function wrapped(level: number[], sizes: Size[], most: number): number[][] {
  const rows: number[][] = [];
  let room = 0;
  for (const box of level) {
    const width = sizes[box].width + GAP_X;
    if (!rows.length || room < width - GAP_X) {
      rows.push([]);
      room = most;
    }
    rows[rows.length - 1].push(box);
    room -= width;
  }
  return rows;
}

/** The longest way to each box from one that nothing needs, where lines that close a circle do not count. */
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
  return longest(needs.map((ends, box) => ends.filter((end) => circle[end] !== circle[box] || first(box, end))));
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
