// The map: groups, and what stands in those that are expanded. A part is what stands side by side in one of them. When
// groups are opened or closed, the parts around them are made again; all others stay the same objects, which tells whoever
// draws them that nothing in them has changed.

import { Boxes, frame, INSIDE, sayUsers, type Box } from "./boxes";
import { counted, grouped, type Graph } from "./data";
import type { Part, Scene } from "./drawn";
import type { Home } from "./homes";
import { hubsOf, withoutHubs, type Hub } from "./hubs";
import { Links, paired, pairs, type Line } from "./lines";
import type { Places } from "./places";
import type { Choice, Sieve } from "./sieve";
import type { Tree } from "./tree";

interface GroupPart extends Part {
  inside: [GroupPart, Box][]; // the parts of groups that are expanded in it, and the box of each
  implied: number; // lines that are not drawn, since longer ways imply them
  toHubs: number; // and those of boxes that most others use
}

export class GroupMap {
  private readonly alive: Uint8Array; // items in which something is shown
  private readonly links: Links;
  private readonly among = new Map<number, Line[]>(); // by group: the lines among what is in it, whatever is open
  private readonly parts = new Map<number, GroupPart>(); // by expanded group
  private expanded = new Set<number>();

  constructor(
    private readonly graph: Graph, private readonly tree: Tree, private readonly boxes: Boxes, private readonly places: Places,
    readonly sieve: Sieve, readonly choice: Choice | undefined, readonly other: Choice | undefined,
  ) {
    this.links = new Links(graph, tree, sieve, choice);
    this.alive = new Uint8Array(graph.count + tree.groups.length);
    this.enliven(tree.root);
  }

  /** The map with these groups expanded. */
  scene(open: Set<string>): Scene {
    const { tree } = this;
    this.expand(open);
    const homes = new Map<number, Home>();
    const parts: GroupPart[] = [];
    const gather = (part: GroupPart, x: number, y: number) => {
      for (const [inside, { x: left, y: top }] of part.inside) gather(inside, x + left + INSIDE.x, y + top + INSIDE.y);
      homes.set(part.home, { x, y });
      parts.push(part);
    };
    const { width, height } = this.part(tree.root);
    gather(this.part(tree.root), 0, 0);
    const boxes = [...parts].reverse().flatMap((part) => part.boxes); // frames before what is in them
    const targets = boxes.filter(({ group }) => !group).length;
    const sum = (count: (part: GroupPart) => number) => parts.reduce((total, part) => total + count(part), 0);
    const [implied, toHubs] = [sum((part) => part.implied), sum((part) => part.toHubs)];
    const said = `${implied ? `${counted(implied, "line")} implied by longer paths not drawn; ` : ""}` +
      `${toHubs ? `${counted(toHubs, "line")} of boxes that most others use not drawn; ` : ""}` +
      `${counted(boxes.length - targets, "group")} and ${counted(targets, "target")} shown of ${grouped(this.graph.data.totals.targets)}`;
    const { expanded } = this;
    const own = (item: number) => (expanded.has(item) ? [] : this.links.of(item, expanded));
    return { width, height, parts, homes, boxes, lines: parts.flatMap((part) => part.lines), own, said };
  }

  private enliven(item: number): boolean {
    const { tree } = this;
    const alive = tree.isGroup(item) ? tree.of(item).children.filter((child) => this.enliven(child)).length > 0 : !this.sieve.hidden[item];
    this.alive[item] = Number(alive);
    return alive;
  }

  /** Expands these groups and no others; parts are forgotten where something in them is expanded, or no longer. */
  private expand(open: Set<string>): void {
    const { tree } = this;
    const before = this.expanded;
    this.expanded = new Set([tree.root]); // and those that are seen: all that they are in is expanded, too
    for (const group of this.expanded) { // grows on the way
      for (const child of tree.of(group).children) if (tree.isGroup(child) && open.has(tree.of(child).key)) this.expanded.add(child);
    }
    const changed = [...before, ...this.expanded].filter((group) => !before.has(group) || !this.expanded.has(group));
    for (const group of changed) for (let at = group; at >= 0; at = tree.parent[at]) this.parts.delete(at);
  }

  /** Lays out what is in a group, and all that is expanded in it. */
  private part(group: number): GroupPart {
    const known = this.parts.get(group);
    if (known) return known;
    const { tree, sieve } = this;
    const home = group === tree.root ? -1 : group;
    const children = tree.of(group).children.filter((child) => this.alive[child]);
    const inside: [GroupPart, Box][] = [];
    const boxes = children.map((child) => {
      const box = this.boxes.box(child, home, this.choice, this.other);
      if (this.expanded.has(child)) {
        inside.push([this.part(child), box]);
        frame(box, this.part(child));
      }
      return box;
    });
    const all = this.linesIn(group);
    const hubs = sieve.hubs ? hubsOf(all, children.length) : new Map<number, Hub>();
    for (const box of boxes) {
      const hub = hubs.get(box.item);
      if (hub) sayUsers(box, `used by ${hub.users} of ${children.length - 1}${hub.mutual ? `, ${hub.mutual} mutually` : ""}`);
    }
    const lines = withoutHubs(all, hubs);
    const { spots, routes, shown, width, height } = this.places.arranged(children, boxes, lines, sieve.thin, group);
    boxes.forEach((box, at) => Object.assign(box, { x: Math.round(spots[at].x), y: Math.round(spots[at].y) }));
    const drawn = paired(shown).map((line) => ({ ...line, home, route: routes(line) }));
    const count = pairs(lines);
    const toHubs = hubs.size ? pairs(all) - count : 0;
    const part = { home, width, height, boxes, inside, lines: drawn, implied: count - drawn.length, toHubs };
    this.parts.set(group, part);
    return part;
  }

  private linesIn(group: number): Line[] {
    const known = this.among.get(group);
    if (known) return known;
    const made = this.links.among(this.tree.of(group).children);
    this.among.set(group, made);
    return made;
  }
}
