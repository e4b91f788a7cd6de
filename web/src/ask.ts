// Questions about two targets: the shortest ways, what every way goes through, the fewest edges that cut them all.

import type { Graph } from "./data";

export type Counts = (edge: number) => boolean;

export interface Why {
  path: number[]; // targets, from the first to the last
  edges: number[]; // the edge of each step
  around: number[]; // the targets of all shortest ways
  through: Set<number>; // what every way goes through, ends left out
  cut: [number, number][] | undefined; // pairs of targets; undefined: more than MOST_CUT
  cutWays: number[]; // the targets of a shortest way through each pair
}

const MOST_CUT = 12;

/** Steps from `start` to each target, -1 where there is no way; backwards: steps to it. */
function distances(graph: Graph, start: number, counts: Counts, backwards = false, without = -1): Int32Array {
  const found = new Int32Array(graph.count).fill(-1);
  found[start] = 0;
  let wave = [start];
  while (wave.length) {
    const next: number[] = [];
    for (const node of wave) {
      const first = backwards ? graph.intoFirst[node] : graph.first[node];
      const end = backwards ? graph.intoFirst[node + 1] : graph.first[node + 1];
      for (let at = first; at < end; at++) {
        const edge = backwards ? graph.into[at] : at;
        const other = backwards ? graph.source[edge] : graph.target[edge];
        if (found[other] >= 0 || other === without || !counts(edge)) continue;
        found[other] = found[node] + 1;
        next.push(other);
      }
    }
    wave = next;
  }
  return found;
}

/** Why `from` needs `to`; undefined where it does not. */
export function why(graph: Graph, from: number, to: number, counts: Counts): Why | undefined {
  const ahead = distances(graph, from, counts);
  if (ahead[to] < 0) return undefined;
  const behind = distances(graph, to, counts, true);
  const length = ahead[to];
  const path = [from];
  const edges: number[] = [];
  while (path[path.length - 1] !== to) {
    const node = path[path.length - 1];
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
      if (counts(edge) && behind[graph.target[edge]] === behind[node] - 1) {
        edges.push(edge);
        path.push(graph.target[edge]);
        break;
      }
    }
  }
  const around: number[] = [];
  for (let node = 0; node < graph.count; node++) {
    if (ahead[node] >= 0 && behind[node] >= 0 && ahead[node] + behind[node] === length) around.push(node);
  }
  // A target that every way goes through is on this one; it is one if there is no way without it.
  const inside = path.slice(1, -1);
  const through = new Set(inside.filter((node) => distances(graph, from, counts, false, node)[to] < 0));
  const pairs = cut(graph, from, to, counts, ahead, behind);
  const cutWays = (pairs ?? []).flatMap(([a, b]) => [...way(graph, a, ahead, true, counts), ...way(graph, b, behind, false, counts)]);
  return { path, edges, around, through, cut: pairs, cutWays };
}

/** A shortest way from a target to where its distance is 0, itself included. */
function way(graph: Graph, node: number, distance: Int32Array, up: boolean, counts: Counts): number[] {
  const found = [node];
  while (distance[node] > 0) {
    const first = up ? graph.intoFirst[node] : graph.first[node];
    const end = up ? graph.intoFirst[node + 1] : graph.first[node + 1];
    for (let at = first; at < end; at++) {
      const edge = up ? graph.into[at] : at;
      const other = up ? graph.source[edge] : graph.target[edge];
      if (distance[other] !== distance[node] - 1 || !counts(edge)) continue;
      found.push((node = other));
      break;
    }
  }
  return found;
}

/** The fewest steps (pairs of targets) whose loss leaves no way, as near to the end as there are as few: as many as there
 * are ways that share none (Menger). Ways are looked for from the end, where few targets are. */
function cut(
  graph: Graph, from: number, to: number, counts: Counts, ahead: Int32Array, behind: Int32Array,
): [number, number][] | undefined {
  const between = (node: number) => ahead[node] >= 0 && behind[node] >= 0;
  const used = new Set<number>(); // source * count + target
  const key = (a: number, b: number) => a * graph.count + b;
  const steps = (node: number, visit: (start: number) => void) => {
    for (let place = graph.intoFirst[node]; place < graph.intoFirst[node + 1]; place++) {
      const start = graph.source[graph.into[place]];
      if (between(start) && counts(graph.into[place])) visit(start);
    }
  };
  /** One more way in what is left, as the step from each target to the end; else all targets with a way. */
  const search = (): Map<number, number> => {
    const leadsTo = new Map([[to, -1]]);
    const waiting = [to];
    for (let at = 0; at < waiting.length && !leadsTo.has(from); at++) {
      const node = waiting[at];
      const visit = (other: number) => {
        if (leadsTo.has(other)) return;
        leadsTo.set(other, node);
        waiting.push(other);
      };
      steps(node, (start) => used.has(key(start, node)) || visit(start));
      for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
        if (used.has(key(node, graph.target[edge]))) visit(graph.target[edge]);
      }
    }
    return leadsTo;
  };
  for (let ways = 0; ways <= MOST_CUT; ways++) {
    const leadsTo = search();
    if (!leadsTo.has(from)) {
      const found = new Map<number, [number, number]>();
      for (const node of leadsTo.keys()) {
        steps(node, (start) => leadsTo.has(start) || found.set(key(start, node), [start, node]));
      }
      return [...found.values()];
    }
    for (let node = from; node !== to; node = leadsTo.get(node)!) {
      const next = leadsTo.get(node)!;
      if (!used.delete(key(next, node))) used.add(key(node, next));
    }
  }
  return undefined;
}
