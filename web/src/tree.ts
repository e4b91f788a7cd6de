// The graph's targets in groups: repositories, folders, packages, macro calls, source files.
// An item is a target (its number) or a group (numbers from graph.count on); item 'root' holds everything.

import { circlesOf } from "./circles";
import { Graph, packageLabel } from "./data";

export interface Group {
  key: string; // stands in the address of the page
  name: string; // as its box says
  what: "everything" | "repositories" | "repository" | "folder" | "package" | "macro" | "files" | "circle";
  children: number[];
  size: number; // targets below
}

interface Home {
  home: number;
  plain: number[];
  folded: number[];
}

const MINOR = new Set(["", "test", "source file", "generated file", "condition", "package group", "alias or group", "not on disk", "missing"]);
const MOST_AT_FIRST = 45;
const FEWEST_FILES = 4;
const FEWEST_OF_A_MACRO = 3; // one rule with one file it makes is no group

export class Tree {
  readonly groups: Group[] = [];
  parent: Int32Array; // of each item; -1 for root
  depth = new Int32Array(); // of each item below the root
  readonly root: number;
  private readonly byKey = new Map<string, number>();
  private readonly parents: number[];
  private circles?: Home[]; // found when they are first asked for
  private isFolded = false;
  private readonly families = new Map<number, string>();

  constructor(readonly graph: Graph) {
    this.parents = new Array<number>(graph.count).fill(-1);
    const everything = this.group("", "everything", "everything");
    this.root = graph.count + this.groups.indexOf(everything);
    const folders = new Map<string, Group>();
    const outside = new Map<string, Group>();
    let node = 0;
    for (const each of graph.data.packages) {
      const first = node;
      node += each.count;
      let home = everything;
      if (each.repository) {
        let repository = outside.get(each.repository);
        if (!repository) {
          repository = this.group(`@${each.repository}//...`, `@${each.repository}`, "repository");
          outside.set(each.repository, repository);
        }
        home = repository;
      }
      const shelf = this.folder(home, each.repository, each.name, folders);
      const label = packageLabel(each.repository, each.name);
      if (each.rest === "folder") shelf.children.push(first);
      else if (each.rest && this.byKey.has(label)) this.of(this.byKey.get(label)!).children.push(first);
      else shelf.children.push(this.package(label, first, each.count));
    }
    if (outside.size) {
      const others = this.group("@...", `${outside.size} other repositories`, "repositories");
      others.children = [...outside.values()].map((each) => this.number(each));
      everything.children.push(this.number(others));
    }
    this.settle(this.root);
    this.parent = Int32Array.from(this.parents);
    this.measure();
  }

  /** Puts what lies side by side and depends on each other into groups, or leaves it where it is. */
  fold(wanted: boolean): void {
    if (wanted === this.isFolded) return;
    this.isFolded = wanted;
    this.circles ??= this.circleGroups();
    for (const { home, plain, folded } of this.circles) this.of(home).children = wanted ? folded : plain;
    this.settle(this.root);
    this.parent = Int32Array.from(this.parents);
    this.measure();
  }

  /** Per group with circles: its items as they are, and with a group for each circle. */
  private circleGroups(): Home[] {
    const found = new Map<number, Home>();
    for (const { home, members } of circlesOf(this.graph, this)) {
      const [first] = members;
      const key = `${this.isGroup(first) ? this.of(first).key : this.graph.labels[first]} and others`;
      const made = this.group(key, `circle of ${members.length}`, "circle");
      made.children = members;
      const plain = this.of(home).children;
      const known = found.get(home) ?? { home, plain, folded: plain };
      const inside = new Set(members);
      known.folded = [...known.folded.filter((item) => !inside.has(item)), this.number(made)];
      found.set(home, known);
    }
    return [...found.values()];
  }

  private measure(): void {
    this.depth = new Int32Array(this.parent.length);
    const waiting = [this.root];
    while (waiting.length) {
      const item = waiting.pop()!;
      if (item !== this.root) this.depth[item] = this.depth[this.parent[item]] + 1;
      if (this.isGroup(item)) for (const child of this.of(item).children) waiting.push(child);
    }
  }

  of(item: number): Group {
    return this.groups[item - this.graph.count];
  }

  isGroup(item: number): boolean {
    return item >= this.graph.count;
  }

  /** What colour an item has: that of a target, or of most rules in a group; files and conditions count where they are alone. */
  family(item: number): string {
    if (!this.isGroup(item)) return this.graph.family(item);
    let found = this.families.get(item);
    if (found === undefined) {
      const counts = new Map<string, number>();
      for (const node of this.targets(item)) counts.set(this.graph.family(node), (counts.get(this.graph.family(node)) ?? 0) + 1);
      const ranked = [...counts].sort(([a, x], [b, y]) => Number(MINOR.has(a)) - Number(MINOR.has(b)) || y - x || (a < b ? -1 : 1));
      found = ranked[0]?.[0] ?? "";
      this.families.set(item, found);
    }
    return found;
  }

  find(key: string): number | undefined {
    return this.byKey.get(key);
  }

  name(item: number): string {
    return this.isGroup(item) ? this.of(item).name : this.graph.data.nodes.name[item];
  }

  /** What a box says of an item: packages and folders as seen from the folder that they are in. */
  title(item: number): string {
    if (!this.isGroup(item)) return this.name(item);
    const { key, what, name } = this.of(item);
    if (what !== "package" && what !== "folder") return name;
    const above = this.parent[item] < 0 ? "" : this.of(this.parent[item]).key;
    const label = what === "folder" ? key.slice(0, -3) : key;
    const home = above.endsWith("/...") ? above.slice(0, -3) : "";
    return home && label.startsWith(home) ? label.slice(home.length) : label;
  }

  /** The groups to open at first: the largest ones, as long as one holds most of all and there is room to see more. */
  opening(): string[] {
    const found: string[] = [];
    let shown = this.of(this.root).children;
    for (;;) {
      const [largest] = shown.filter((item) => this.isGroup(item)).sort((a, b) => this.of(b).size - this.of(a).size);
      if (largest === undefined || this.of(largest).size < this.of(this.root).size / 2) return found;
      const { key, children } = this.of(largest);
      if (shown.length + children.length > MOST_AT_FIRST) return found;
      found.push(key);
      shown = [...shown.filter((item) => item !== largest), ...children];
    }
  }

  /** What two targets are in, or are, where they part: items of one group; undefined for one target. */
  beside(a: number, b: number): [number, number] | undefined {
    const { parent, depth } = this;
    while (depth[a] > depth[b]) a = parent[a];
    while (depth[b] > depth[a]) b = parent[b];
    while (parent[a] !== parent[b]) {
      a = parent[a];
      b = parent[b];
    }
    return a === b ? undefined : [a, b];
  }

  /** The groups that an item is in, outermost first, without the root. */
  above(item: number): number[] {
    const found: number[] = [];
    for (let at = this.parent[item]; at !== this.root && at >= 0; at = this.parent[at]) found.unshift(at);
    return found;
  }

  /** The key of the group that a target has in its package when all of that is loaded: a macro's call, source files. */
  shelf(item: number | undefined): string[] {
    if (item === undefined || this.isGroup(item)) return [];
    const { packages, nodes, macros } = this.graph.data;
    const { repository, name } = packages[this.graph.packageOf[item]];
    return [`${packageLabel(repository, name)}#${nodes.macro[item] < 0 ? "" : macros[nodes.macro[item]].name}`];
  }

  /** The targets below an item, itself if it is one. */
  targets(item: number, found: number[] = []): number[] {
    if (!this.isGroup(item)) found.push(item);
    else for (const child of this.of(item).children) this.targets(child, found);
    return found;
  }

  private group(key: string, name: string, what: Group["what"]): Group {
    const made: Group = { key, name, what, children: [], size: 0 };
    this.byKey.set(key, this.graph.count + this.groups.length);
    this.groups.push(made);
    this.parents.push(-1);
    return made;
  }

  private number(group: Group): number {
    return this.byKey.get(group.key)!;
  }

  private folder(home: Group, repository: string, path: string, known: Map<string, Group>): Group {
    if (!path) return home;
    const key = `${packageLabel(repository, path)}/...`;
    let found = known.get(key);
    if (!found) {
      const cut = path.lastIndexOf("/");
      found = this.group(key, path.slice(cut + 1), "folder");
      known.set(key, found);
      this.folder(home, repository, cut < 0 ? "" : path.slice(0, cut), known).children.push(this.number(found));
    }
    return found;
  }

  /** The group of a package: its targets, those of one macro call together, and its source files. */
  private package(label: string, first: number, count: number): number {
    const made = this.group(label, label, "package");
    const calls = new Map<number, number[]>();
    const files: number[] = [];
    const { macro } = this.graph.data.nodes;
    for (let node = first; node < first + count; node++) {
      if (macro[node] >= 0) calls.set(macro[node], [...(calls.get(macro[node]) ?? []), node]);
      else if (this.graph.kind(node) === "source file") files.push(node);
      else made.children.push(node);
    }
    for (const [number, members] of calls) {
      const { name, function: called } = this.graph.data.macros[number];
      const whole = members.length >= FEWEST_OF_A_MACRO ? this.group(`${label}#${name}`, `${called}(${name})`, "macro") : made;
      whole.children.push(...members);
      if (whole !== made) made.children.push(this.number(whole));
    }
    const shelf = files.length >= FEWEST_FILES ? this.group(`${label}#`, `${files.length} source files`, "files") : made;
    shelf.children.push(...files);
    if (shelf !== made) made.children.push(this.number(shelf));
    return this.number(made);
  }

  /** Gives sizes and parents; a folder or repository of one group is that group. */
  private settle(item: number): number {
    if (!this.isGroup(item)) return this.graph.size(item);
    const group = this.of(item);
    group.children = group.children.map((child) => this.only(child));
    group.children.sort((a, b) => (this.name(a) < this.name(b) ? -1 : 1));
    group.size = 0;
    for (const child of group.children) {
      this.parents[child] = item;
      group.size += this.settle(child);
    }
    return group.size;
  }

  private only(item: number): number {
    while (this.isGroup(item)) {
      const { what, children } = this.of(item);
      if ((what !== "folder" && what !== "repository") || children.length !== 1 || !this.isGroup(children[0])) return item;
      item = children[0];
      const inner = this.of(item);
      if (inner.what === "folder") inner.name = inner.key;
    }
    return item;
  }
}
