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

function stronger(one: Light, other: Light): Light {
  return one !== other && STRENGTH.indexOf(other) > STRENGTH.indexOf(one) ? other : one;
}

/** How many lines are left of these when those of two boxes in both directions are one. */
export function pairs(lines: Line[]): number {
  const places = new Map<number, number>(); // small numbers make small keys, which are found far faster than others
  for (const { from, to } of lines) for (const item of [from, to]) if (!places.has(item)) places.set(item, places.size);
  const found = new Set(lines.map(({ from, to }) => {
    const [a, b] = [places.get(from)!, places.get(to)!];
    return Math.min(a, b) * places.size + Math.max(a, b);
  }));
  return found.size;
}

/** One line for two that lead from box to box and back, in the direction of more edges. */
export function paired(lines: Line[]): Line[] {
  const known = new Map(lines.map((line) => [pairOf(line.from, line.to), line]));
  return lines.flatMap((line) => {
    const back = known.get(pairOf(line.to, line.from));
    if (!back) return [line];
    if (back.count > line.count || (back.count === line.count && back.from < line.from)) return [];
    const { truth, weak, possible } = back;
    return [{
      ...line, back: back.count, count: line.count + back.count, truth: stronger(line.truth, truth),
      weak: line.weak && weak, possible: line.possible && possible,
    }];
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
          else this.join(found[known[to]], edge);
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
    const add = (lines: Map<number, Line>, other: number, from: number, to: number, edge: number) => {
      const known = lines.get(other);
      if (known) this.join(known, edge);
      else lines.set(other, this.line(from, to, edge));
    };
    for (const node of tree.targets(item)) {
      for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
        const to = sieve.shows(edge) ? seenAs(graph.target[edge]) : item;
        if (to !== item) add(out, to, item, to, edge);
      }
      for (let at = graph.intoFirst[node]; at < graph.intoFirst[node + 1]; at++) {
        const edge = graph.into[at];
        const from = sieve.shows(edge) ? seenAs(graph.source[edge]) : item;
        if (from !== item) add(into, from, from, item, edge);
      }
    }
    return paired([...out.values(), ...into.values()]);
  }

  private line(from: number, to: number, edge: number): Line {
    const line: Line = { from, to, count: 0, back: 0, truth: this.truth(edge), weak: true, possible: true, role: "" };
    this.join(line, edge);
    return line;
  }

  /** Adds an edge to a line. */
  private join(line: Line, edge: number): void {
    const { flags, data } = this.graph;
    line.count += this.graph.weight(edge);
    line.weak &&= (flags[edge] & this.weak) !== 0;
    line.possible &&= (flags[edge] & data.flags.POSSIBLE) !== 0;
    line.truth = stronger(line.truth, this.truth(edge));
  }

  private truth(edge: number): Light {
    return this.choice ? this.choice.light(edge) : "";
  }
}
