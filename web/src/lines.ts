// Lines between boxes: each stands for all edges between what is in one and what is in the other, in both directions.

import type { Graph } from "./data";
import { pairOf, type Route } from "./layout";
import type { Choice, Light, Sieve } from "./sieve";
import type { Tree } from "./tree";

export interface Line {
  from: number;
  to: number;
  count: number; // of edges, in both directions
  back: number; // of these, from `to` to `from`: they need each other
  truth: Light; // "" without a condition; of several edges the strongest
  weak: boolean; // implicit or tools, all of them
  possible: boolean;
  role: "" | "step" | "cut";
  home?: number; // the group in which both ends stand side by side, -1 for none: its route begins there
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

/** The edges of a graph that are shown, as lines. */
export class Links {
  private readonly shownAs: Int32Array; // of targets that are looked at, the item that stands for each; else -1
  private readonly known: Int32Array; // the line to each item from the one that is looked at; else -1
  private readonly weak: number;

  constructor(
    private readonly graph: Graph, private readonly tree: Tree, private readonly sieve: Sieve, private readonly choice?: Choice,
  ) {
    const { IMPLICIT, TOOL } = graph.data.flags;
    this.weak = IMPLICIT | TOOL;
    this.shownAs = new Int32Array(graph.count).fill(-1);
    this.known = new Int32Array(graph.count + tree.groups.length).fill(-1);
  }

  /** The lines among these items, each for all edges from what is in one to what is in the other. */
  among(items: number[]): Line[] {
    const { graph, shownAs, known } = this;
    const within = items.map((item) => this.tree.targets(item));
    within.forEach((nodes, at) => nodes.forEach((node) => (shownAs[node] = items[at])));
    const found: Line[] = [];
    within.forEach((nodes, at) => {
      const own = found.length;
      for (const node of nodes) {
        for (let edge = graph.first[node], end = graph.first[node + 1]; edge < end; edge++) {
          const to = shownAs[graph.target[edge]];
          if (to < 0 || to === items[at] || !this.sieve.shows(edge)) continue;
          if (known[to] < 0) known[to] = found.push(this.line(items[at], to, edge)) - 1;
          else join(found[known[to]], this.line(items[at], to, edge));
        }
      }
      for (let line = own; line < found.length; line++) known[found[line].to] = -1;
    });
    for (const nodes of within) for (const node of nodes) shownAs[node] = -1;
    return found;
  }

  /** The lines of one item to all that is seen when these groups are expanded. */
  of(item: number, expanded: Set<number>): Line[] {
    const { graph, tree, sieve } = this;
    const seenAs = (node: number) => {
      let seen = node;
      for (let at = tree.parent[node]; at >= 0; at = tree.parent[at]) if (!expanded.has(at)) seen = at;
      return seen;
    };
    const out = new Map<number, Line>();
    const into = new Map<number, Line>();
    const add = (lines: Map<number, Line>, other: number, line: Line) => {
      const known = lines.get(other);
      if (known) join(known, line);
      else lines.set(other, line);
    };
    for (const node of tree.targets(item)) {
      for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
        const to = sieve.shows(edge) ? seenAs(graph.target[edge]) : item;
        if (to !== item) add(out, to, this.line(item, to, edge));
      }
      for (let at = graph.intoFirst[node]; at < graph.intoFirst[node + 1]; at++) {
        const edge = graph.into[at];
        const from = sieve.shows(edge) ? seenAs(graph.source[edge]) : item;
        if (from !== item) add(into, from, this.line(from, item, edge));
      }
    }
    return paired([...out.values(), ...into.values()]);
  }

  private line(from: number, to: number, edge: number): Line {
    const { graph, choice } = this;
    const weak = (graph.flags[edge] & this.weak) !== 0;
    const possible = (graph.flags[edge] & graph.data.flags.POSSIBLE) !== 0;
    return { from, to, count: graph.weight(edge), back: 0, truth: choice ? choice.light(edge) : "", weak, possible, role: "" };
  }
}
