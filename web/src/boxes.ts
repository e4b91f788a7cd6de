// Boxes: what each says, how large that makes it, and what a configuration does to it.

import { counted, type Graph } from "./data";
import type { Size } from "./layout";
import type { Choice } from "./sieve";
import type { Tree } from "./tree";
import { MOST_LETTERS, shortened, shortenedLabel } from "./words";

export interface Box extends Size {
  item: number;
  home: number; // the expanded group that it stands in, -1 for none; its place is told from there
  x: number;
  y: number;
  title: string;
  note: string;
  family: string; // what kind of rules it is, or holds most of: chooses the colour
  group: boolean;
  frame: boolean; // an expanded group, with boxes in it
  only: boolean; // there in some configurations alone
  faded: boolean; // not needed in the chosen configuration
  change: "" | "appears" | "vanishes"; // in the chosen configuration, compared with the other one
  role: "" | "end" | "step" | "through"; // in an answer to why
}

interface Words {
  title: string;
  note: string;
  width: number;
}

const HEADER = 24;
const PAD = 12;
const LETTER = 7.25; // of the monospaced font that boxes have, 12 px
const NOTE_LETTER = 6.1;
const SIGN = 38; // room for it and the margins

/** Where what is in a frame begins. */
export const INSIDE = { x: PAD, y: HEADER + PAD };

export class Boxes {
  private readonly said: [Map<number, Words>, Map<number, Words>] = [new Map(), new Map()]; // short, whole

  constructor(private readonly graph: Graph, private readonly tree: Tree) {}

  box(item: number, home: number, choice?: Choice, other?: Choice, whole = false): Box {
    const { tree } = this;
    const group = tree.isGroup(item);
    const box: Box = {
      item, home, x: 0, y: 0, ...this.words(item, whole), height: 38, family: tree.family(item), group, frame: false,
      only: !group && this.graph.only(item) !== "", faded: false, change: "", role: "",
    };
    if (choice || other) {
      const targets = tree.targets(item);
      const here = choice && targets.some((node) => choice.needed[node]);
      box.faded = choice !== undefined && !here;
      if (choice && other) {
        const there = targets.some((node) => other.needed[node]);
        box.change = here && !there ? "appears" : there && !here ? "vanishes" : "";
      }
    }
    return box;
  }

  /** What a box says, and how wide that makes it; asked again and again, so it is kept. */
  private words(item: number, whole: boolean): Words {
    const known = this.said[Number(whole)];
    let words = known.get(item);
    if (!words) {
      const { graph, tree } = this;
      const title = whole ? shortenedLabel(graph.labels[item], 48) : shortenedLabel(tree.title(item), MOST_LETTERS);
      const note = tree.isGroup(item) ? counted(tree.of(item).size, "target") : shortened(graph.kind(item));
      words = { title, note, width: Math.max([...title].length * LETTER, note.length * NOTE_LETTER, 60) + SIGN };
      known.set(item, words);
    }
    return words;
  }
}

/** Makes a box the frame of what has this size. */
export function frame(box: Box, inside: Size): void {
  box.frame = true;
  box.width = Math.max(inside.width, box.title.length * LETTER + 30) + 2 * PAD;
  box.height = inside.height + HEADER + 2 * PAD;
}

/** Says in a box how many use it. */
export function sayUsers(box: Box, said: string): void {
  if (box.frame) box.title += ` · ${said}`;
  else box.note += ` · ${said}`;
  box.width = Math.max(box.width, box.frame ? box.title.length * LETTER + 30 + 2 * PAD : box.note.length * NOTE_LETTER + SIGN);
}
