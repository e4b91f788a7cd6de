// Strongly connected parts: what lies side by side in a group and depends on each other, through whatever is in it.

import type { Graph } from "./data";
import { circles } from "./levels";

export interface Circle {
  home: number; // the group that they are in
  members: number[];
}

/** Items in groups, by number. */
interface Groups {
  parent: Int32Array; // of each item
  of(group: number): { children: number[] };
  beside(a: number, b: number): [number, number] | undefined; // the items in one group that two items are, or are in
}

/** The circles of all groups. Conditions and visibility close none: they are no dependencies. */
export function circlesOf(graph: Graph, tree: Groups): Circle[] {
  const { KEY, VISIBILITY, NODEP } = graph.data.flags;
  const known = new Set<number>();
  const inside = new Map<number, Map<number, number[]>>(); // group -> its item -> the items beside it that it needs
  for (let edge = 0; edge < graph.target.length; edge++) {
    if (graph.flags[edge] & (KEY | VISIBILITY | NODEP)) continue;
    const pair = tree.beside(graph.source[edge], graph.target[edge]);
    if (!pair) continue;
    const [a, b] = pair;
    const key = a * tree.parent.length + b;
    if (known.has(key)) continue;
    known.add(key);
    const home = tree.parent[a];
    if (!inside.has(home)) inside.set(home, new Map());
    const needs = inside.get(home)!;
    if (!needs.has(a)) needs.set(a, []);
    needs.get(a)!.push(b);
  }
  const found: Circle[] = [];
  for (const [home, needs] of inside) {
    const { children } = tree.of(home);
    const at = new Map(children.map((child, number) => [child, number]));
    const part = circles(children.map((child) => (needs.get(child) ?? []).map((end) => at.get(end)!)));
    const members = new Map<number, number[]>();
    children.forEach((child, number) => members.set(part[number], [...(members.get(part[number]) ?? []), child]));
    for (const each of members.values()) if (each.length > 1 && each.length < children.length) found.push({ home, members: each });
  }
  return found;
}
