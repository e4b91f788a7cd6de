// Points in rows, linked from each row to the next -> their order in the rows with few crossings, and how far right each
// stands: links as straight as they can be, no two points closer than they may be.

export interface Net {
  row: number[]; // of each point; boxes come first, then the points where lines pass a row
  boxes: number;
  rows: number[][];
  above: number[][];
  below: number[][];
}

const SWEEPS = 8;
const SETTLING = 14;
const STRAIGHT = [1, 3, 16]; // how much a link between so many passing points wants to be straight

/** Sorts rows by the middle of their neighbours (barycentre), down and up again; the best order found is kept. */
export function order(net: Net): void {
  let best = crossings(net);
  let kept = net.rows.map((row) => [...row]);
  const place = new Float64Array(net.row.length);
  const settle = (row: number[]) => row.forEach((point, at) => (place[point] = row.length > 1 ? at / (row.length - 1) : 0.5));
  net.rows.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS && best > 0; sweep++) {
    const down = sweep % 2 === 0;
    const beside = down ? net.above : net.below;
    for (const row of down ? net.rows : [...net.rows].reverse()) {
      const middle = new Map(row.map((point) => [point, mean(beside[point], place) ?? place[point]]));
      row.sort((a, b) => middle.get(a)! - middle.get(b)! || a - b);
      settle(row);
    }
    const count = crossings(net);
    if (count < best) {
      best = count;
      kept = net.rows.map((row) => [...row]);
    }
  }
  net.rows = kept;
}

function mean(points: number[], place: Float64Array): number | undefined {
  return points.length ? points.reduce((sum, point) => sum + place[point], 0) / points.length : undefined;
}

/** How many links cross: per pair of rows, the inversions among the ends (counted in a Fenwick tree). */
function crossings({ rows, below }: Net): number {
  let total = 0;
  for (let at = 0; at + 1 < rows.length; at++) {
    const place = new Map(rows[at + 1].map((point, number) => [point, number]));
    const tree = new Int32Array(rows[at + 1].length + 1);
    let seen = 0;
    for (const point of rows[at]) {
      const ends = below[point].map((end) => place.get(end)!);
      for (const end of ends) {
        let before = 0;
        for (let step = end + 1; step > 0; step -= step & -step) before += tree[step];
        total += seen - before;
      }
      for (const end of ends) for (let step = end + 1; step < tree.length; step += step & -step) tree[step]++;
      seen += ends.length;
    }
  }
  return total;
}

/** The middle of each point. Each row in turn goes to where its neighbours want it, as far as its gaps allow. */
export function columns(net: Net, widths: number[], boxGap: number, lineGap: number): Float64Array {
  const { boxes, rows, above, below } = net;
  const passes = (point: number) => Number(point >= boxes);
  const offsets = rows.map((row) => {
    const found: number[] = [];
    row.forEach((point, at) => {
      const before = row[at - 1];
      const halves = at ? ((widths[before] ?? 0) + (widths[point] ?? 0)) / 2 : 0;
      const air = at ? (passes(before) || passes(point) ? lineGap : boxGap) : 0;
      found.push(at ? found[at - 1] + halves + air : 0);
    });
    return found;
  });
  const x = new Float64Array(net.row.length);
  rows.forEach((row, at) => row.forEach((point, number) => (x[point] = offsets[at][number] - (offsets[at][row.length - 1] ?? 0) / 2)));
  for (let sweep = 0; sweep < SETTLING; sweep++) {
    const both = sweep >= SETTLING / 2;
    const down = sweep % 2 === 0;
    for (let step = 0; step < rows.length; step++) {
      const at = down ? step : rows.length - 1 - step;
      const wanted: number[] = [];
      const weights: number[] = [];
      for (const point of rows[at]) {
        let weight = 0;
        let sum = 0;
        for (const side of both ? [above, below] : [down ? above : below]) {
          for (const other of side[point]) {
            const pull = STRAIGHT[passes(point) + passes(other)];
            weight += pull;
            sum += pull * x[other];
          }
        }
        wanted.push(weight ? sum / weight : x[point]);
        weights.push(weight || 0.05);
      }
      spread(wanted, offsets[at], weights).forEach((value, number) => (x[rows[at][number]] = value));
    }
  }
  return x;
}

/** The places nearest to those wanted (least squares) that keep the distances of `offsets`: adjacent violators are pooled. */
export function spread(wanted: number[], offsets: number[], weights: number[]): number[] {
  const means: number[] = [];
  const heavy: number[] = [];
  const counts: number[] = [];
  wanted.forEach((want, at) => {
    let [mean, weight, count] = [want - offsets[at], weights[at], 1];
    while (means.length && means[means.length - 1] > mean) {
      const [before, more, others] = [means.pop()!, heavy.pop()!, counts.pop()!];
      mean = (mean * weight + before * more) / (weight + more);
      weight += more;
      count += others;
    }
    means.push(mean);
    heavy.push(weight);
    counts.push(count);
  });
  let at = 0;
  return means.flatMap((mean, block) => Array.from({ length: counts[block] }, () => mean + offsets[at++]));
}
