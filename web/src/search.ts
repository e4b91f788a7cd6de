// Completion: the targets and groups that a typed text means, the likeliest first.

import type { Graph } from "./data";
import type { Tree } from "./tree";

export interface Match {
  label: string;
  group: boolean; // a package, folder or repository
}

const MOST = 30;

/** The likeliest items: all words of the text are in the label; exact names come first, then short labels. */
export function complete(text: string, graph: Graph, tree: Tree): Match[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word);
  if (!words.length) return [];
  const found: (Match & { rank: number })[] = [];
  const offer = (label: string, group: boolean) => {
    const low = label.toLowerCase();
    if (words.every((word) => low.includes(word))) found.push({ label, group, rank: rank(low, words) });
  };
  graph.labels.forEach((label) => offer(label, false));
  tree.groups.forEach((group) => {
    if (["folder", "package", "repository"].includes(group.what)) offer(group.key, true);
  });
  found.sort((a, b) => a.rank - b.rank || a.label.length - b.label.length || (a.label < b.label ? -1 : 1));
  return found.slice(0, MOST);
}

function rank(label: string, words: string[]): number {
  const [word] = words;
  const name = label.slice(label.lastIndexOf(":") + 1);
  if (label === word) return 0;
  if (name === word) return 1;
  if (name.startsWith(word)) return 2;
  if (name.includes(word)) return 3;
  return 4;
}
