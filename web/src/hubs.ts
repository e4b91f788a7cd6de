// Hubs: items that so many of those beside them need that their lines would hide all others. On the map they stand below
// the others, without lines, and say how many use them; a hub that is chosen shows all of its lines.

import type { Line } from "./lines";

const [FEWEST_USERS, HUB_SHARE, MOST_HUBS] = [10, 0.4, 6]; // as in pictures (export/overview/build.py)

/** A hub: how many of those beside it use it, and how many of these it depends on itself. */
export interface Hub {
  users: number;
  mutual: number;
}

/** The hubs among so many items that stand side by side. */
export function hubsOf(lines: Line[], items: number): Map<number, Hub> {
  const users = new Map<number, Set<number>>();
  for (const { from, to } of lines) users.set(to, (users.get(to) ?? new Set()).add(from));
  const enough = Math.max(FEWEST_USERS, HUB_SHARE * (items - 1));
  const found = [...users].filter(([, each]) => each.size >= enough).sort(([a, x], [b, y]) => y.size - x.size || a - b);
  return new Map(found.slice(0, MOST_HUBS).map(([hub, each]) => {
    const mutual = lines.filter(({ from, to }) => from === hub && each.has(to)).length;
    return [hub, { users: each.size, mutual }];
  }));
}

/** Lines that neither begin nor end at a hub. */
export function withoutHubs(lines: Line[], hubs: Map<number, Hub>): Line[] {
  return hubs.size ? lines.filter(({ from, to }) => !hubs.has(from) && !hubs.has(to)) : lines;
}
