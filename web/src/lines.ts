// Lines between boxes: each stands for all edges between what is in one and what is in the other, in both directions.

import type { Home } from "./homes";
import { pairOf, type Route } from "./layout";
import type { Light } from "./sieve";

export interface Line {
  from: number;
  to: number;
  count: number; // of edges, in both directions
  back: number; // of these, from `to` to `from`: they need each other
  truth: Light; // "" without a condition; of several edges the strongest
  weak: boolean; // implicit or tools, all of them
  possible: boolean;
  role: "" | "step" | "cut";
  home?: Home; // where both ends stand side by side: its route begins there
  route?: Route; // past other boxes; without one it goes straight
}

const STRENGTH: Light[] = ["n", "?", "y", "", "+"];

/** Adds edges to a line: of several the strongest truth counts, and it is weak or possible if all are. */
export function join(line: Line, more: Pick<Line, "count" | "truth" | "weak" | "possible">): void {
  line.count += more.count;
  line.weak &&= more.weak;
  line.possible &&= more.possible;
  if (more.truth !== line.truth && STRENGTH.indexOf(more.truth) > STRENGTH.indexOf(line.truth)) line.truth = more.truth;
}

/** One line for two that lead from box to box and back, in the direction of more edges. */
export function paired(lines: Line[]): Line[] {
  const known = new Map(lines.map((line) => [pairOf(line.from, line.to), line]));
  return lines.flatMap((line) => {
    const back = known.get(pairOf(line.to, line.from));
    if (!back) return [line];
    if (back.count > line.count || (back.count === line.count && back.from < line.from)) return [];
    const both = { ...line, back: back.count };
    join(both, back);
    return [both];
  });
}

/** The targets that are shown, those that are shown as one item next to each other (a sort by counting). */
export function together(shownAs: Int32Array, items: number): Int32Array {
  const next = new Int32Array(items + 1);
  for (const item of shownAs) next[item + 1]++;
  const hidden = next[0];
  next[0] = 0;
  for (let item = 1; item <= items; item++) next[item] += next[item - 1];
  const found = new Int32Array(shownAs.length - hidden);
  shownAs.forEach((item, node) => {
    if (item >= 0) found[next[item]++] = node;
  });
  return found;
}
