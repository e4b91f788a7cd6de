// Where boxes go: boxes with sizes and the lines among them -> places in rows, what needs others above what it needs, and
// the way of each line past the boxes between its ends.
//
// Rules
// - A row is a level: the longest way from a box that nothing needs. In a circle the boxes that need more than they are
//   needed come first, and lines that lead back to them count as if they led down. Levels are wrapped where they are too wide.
// - A line passes a row at a point of its own, which stands among the boxes of the row; lines to one box, or from one,
//   share theirs, like roads that join. Where there would be too many such points lines go straight.
// - Boxes without lines stand below, in order of their names.
// It is our own because a graph of 2,000 boxes must be laid out while somebody waits: docs/explore.md has the figures of
// elkjs and dagre.

import { depths } from "./levels";
import { columns, order, spread, type Net } from "./rows";

export interface Size {
  width: number;
  height: number;
}

export interface Spot extends Size {
  x: number;
  y: number;
}

/** A line as Bézier curves: x and y of a start, then of three points for each curve; `own` are the curves of no other. */
export interface Route {
  points: number[];
  own: number[];
}

export interface Arrangement extends Size {
  spots: Spot[];
  routes: Map<number, Route>; // of lines that lead down, by `pairOf` of their boxes
}

const GAP_X = 18;
const LINE_GAP = 12;
const PORT_GAP = 10;
const PORT_MARGIN = 14;
const [GAP_Y, PER_LINK, WIDEST_Y, WRAP_Y] = [40, 1.6, 96, 12];
const SHAPE = 1.9; // wanted ratio of width to height
const NARROWEST = 1100; // rows are not wrapped below this
const MOST_POINTS = 4000;

/** The same way from its end to its start. */
export function reversed({ points, own }: Route): Route {
  const last = (points.length - 2) / 6 - 1;
  const turned: number[] = [];
  for (let at = points.length - 2; at >= 0; at -= 2) turned.push(points[at], points[at + 1]);
  return { points: turned, own: own.map((curve) => last - curve) };
}

export function pairOf(from: number, to: number): number {
  return from * 0x1000000 + to;
}

/** Places for boxes; `needs[n]` are the numbers of the boxes that box `n` has a line to. */
export function arrange(sizes: Size[], needs: number[][]): Arrangement {
  const area = sizes.reduce((sum, each) => sum + (each.width + GAP_X) * (each.height + GAP_Y), 0);
  const widest = sizes.reduce((most, each) => Math.max(most, each.width), 0);
  const most = Math.max(widest, NARROWEST, Math.sqrt(area * SHAPE));
  const rows = levels(needs).flatMap((level) => wrapped(level, sizes, most));
  const { net, ways } = netOf(rows, needs);
  order(net);
  const widths = sizes.map((size) => size.width);
  const x = columns(net, widths, GAP_X, LINE_GAP);
  const { tops, heights } = rowsOf(net, sizes);
  const spots = sizes.map((size, box) => ({ ...size, x: x[box] - size.width / 2, y: tops[net.row[box]] }));
  const routes = routesOf(net, ways, x, spots, tops, heights);
  let left = spots.reduce((least, spot) => Math.min(least, spot.x), Infinity);
  let right = spots.reduce((most, spot) => Math.max(most, spot.x + spot.width), 0);
  for (let point = sizes.length; point < x.length; point++) {
    left = Math.min(left, x[point]);
    right = Math.max(right, x[point]);
  }
  for (const spot of spots) spot.x -= left;
  for (const { points } of routes.values()) for (let at = 0; at < points.length; at += 2) points[at] -= left;
  const last = tops.length - 1;
  return { spots, routes, width: spots.length ? right - left : 0, height: last < 0 ? 0 : tops[last] + heights[last] };
}

/** The boxes by level; last those without lines. */
function levels(needs: number[][]): number[][] {
  const needed = new Uint8Array(needs.length);
  for (const ends of needs) for (const end of ends) needed[end] = 1;
  const depth = depths(needs);
  const found: number[][] = [];
  const alone: number[] = [];
  needs.forEach((ends, box) => (!ends.length && !needed[box] ? alone : (found[depth[box]] ??= [])).push(box));
  const rows = found.filter((row) => row);
  return alone.length ? [...rows, alone] : rows;
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

/** Points for the lines that pass rows, and the points of each line from its upper box to its lower one. */
function netOf(rows: number[][], needs: number[][]): { net: Net; ways: number[][] } {
  const row = new Array<number>(needs.length);
  rows.forEach((boxes, at) => boxes.forEach((box) => (row[box] = at)));
  const pairs = new Map<number, [number, number]>();
  const both = new Set<number>(); // pairs that need each other: drawn otherwise, so they share no points with others
  needs.forEach((ends, box) => ends.forEach((end) => {
    const [upper, lower] = row[box] < row[end] ? [box, end] : [end, box];
    if (row[box] === row[end]) return;
    if (pairs.has(pairOf(upper, lower))) both.add(pairOf(upper, lower));
    pairs.set(pairOf(upper, lower), [upper, lower]);
  }));
  const out = new Map<number, number>();
  const into = new Map<number, number>();
  let passed = 0;
  for (const [upper, lower] of pairs.values()) {
    out.set(upper, (out.get(upper) ?? 0) + 1);
    into.set(lower, (into.get(lower) ?? 0) + 1);
    passed += row[lower] - row[upper] - 1;
  }
  const net: Net = { row, boxes: needs.length, rows: rows.map((each) => [...each]), above: [], below: [] };
  const ways: number[][] = [];
  const points = new Map<string, number>();
  for (const [upper, lower] of pairs.values()) {
    if (passed > MOST_POINTS && row[lower] > row[upper] + 1) continue;
    const byLower = into.get(lower)! >= out.get(upper)!;
    const way = [upper];
    for (let at = row[upper] + 1; at < row[lower]; at++) {
      const key = `${byLower ? lower : -1 - upper} ${at} ${both.has(pairOf(upper, lower))}`;
      let point = points.get(key);
      if (point === undefined) {
        points.set(key, (point = row.push(at) - 1));
        net.rows[at].push(point);
      }
      way.push(point);
    }
    ways.push([...way, lower]);
  }
  for (let point = 0; point < row.length; point++) {
    net.above.push([]);
    net.below.push([]);
  }
  for (const [a, b] of linksOf(ways)) {
    net.below[a].push(b);
    net.above[b].push(a);
  }
  return { net, ways };
}

function linksOf(ways: number[][]): [number, number][] {
  const found = new Map<number, [number, number]>();
  for (const way of ways) for (let at = 0; at + 1 < way.length; at++) found.set(pairOf(way[at], way[at + 1]), [way[at], way[at + 1]]);
  return [...found.values()];
}

/** Where each row begins and how high it is: the more links between two rows, the more room they get. */
function rowsOf(net: Net, sizes: Size[]): { tops: number[]; heights: number[] } {
  const heights = net.rows.map((row) => row.reduce((most, point) => Math.max(most, sizes[point]?.height ?? 0), 0));
  const tops: number[] = [];
  let y = 0;
  net.rows.forEach((row, at) => {
    tops.push(y);
    const links = row.reduce((sum, point) => sum + net.below[point].length, 0);
    y += heights[at] + (links ? Math.min(GAP_Y + PER_LINK * links, WIDEST_Y) : WRAP_Y);
  });
  return { tops, heights };
}

/** The curves of each line: straight past a row, bent between two of them. */
function routesOf(net: Net, ways: number[][], x: Float64Array, spots: Spot[], tops: number[], heights: number[]): Map<number, Route> {
  const leaving = portsOf(net.below, x, spots);
  const entering = portsOf(net.above, x, spots);
  const used = new Map<number, number>();
  for (const way of ways) {
    for (let at = 0; at + 1 < way.length; at++) {
      const key = pairOf(way[at], way[at + 1]);
      used.set(key, (used.get(key) ?? 0) + 1);
    }
  }
  const found = new Map<number, Route>();
  for (const way of ways) {
    const [upper, lower] = [way[0], way[way.length - 1]];
    const begin = leaving.get(pairOf(upper, way[1]))!;
    const points = [begin, spots[upper].y + spots[upper].height];
    const own: number[] = [];
    for (let at = 0; at + 1 < way.length; at++) {
      const [a, b] = [way[at], way[at + 1]];
      const [x1, x2] = [at ? x[a] : begin, b === lower ? entering.get(pairOf(lower, a))! : x[b]];
      const [y1, y2] = [tops[net.row[a]] + heights[net.row[a]], tops[net.row[b]]];
      const y0 = points[points.length - 1];
      if (y0 !== y1) points.push(x1, y0, x1, y1, x1, y1);
      if (used.get(pairOf(a, b)) === 1) own.push((points.length - 2) / 6);
      const bend = (y2 - y1) / 2;
      points.push(x1, y1 + bend, x2, y2 - bend, x2, y2);
    }
    found.set(pairOf(upper, lower), { points, own });
  }
  return found;
}

/** Where links touch a side of their box: straight towards the other end where there is room, side by side where not. */
function portsOf(others: number[][], x: Float64Array, spots: Spot[]): Map<number, number> {
  const found = new Map<number, number>();
  spots.forEach((spot, box) => {
    const ends = [...others[box]].sort((a, b) => x[a] - x[b]);
    if (!ends.length) return;
    const [low, high] = [spot.x + PORT_MARGIN, spot.x + spot.width - PORT_MARGIN];
    const gap = Math.min(PORT_GAP, (high - low) / Math.max(ends.length - 1, 1));
    const offsets = ends.map((_, at) => at * gap);
    const ports = spread(ends.map((end) => Math.min(Math.max(x[end], low), high)), offsets, ends.map(() => 1));
    const last = offsets[offsets.length - 1];
    ends.forEach((end, at) => found.set(pairOf(box, end), Math.min(Math.max(ports[at], low + offsets[at]), high - (last - offsets[at]))));
  });
  return found;
}
