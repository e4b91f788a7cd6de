// Hubs: items that so many of those beside them need that their lines would hide all others. On the map they stand below
// the others, without lines, and say how many use them; a hub that is chosen shows all of its lines.

import type { Line } from "./lines";

const [FEWEST_USERS, HUB_SHARE, MOST_HUBS] = [10, 0.4, 6]; // as in pictures (export/overview/build.py)

/** The hubs among so many items that stand side by side, with how many others use each. */
export function hubsOf(lines: Line[], items: number): Map<number, number> {
  const users = new Map<number, number>();
  for (const { to } of lines) users.set(to, (users.get(to) ?? 0) + 1);
  const enough = Math.max(FEWEST_USERS, HUB_SHARE * (items - 1));
  const found = [...users].filter(([, count]) => count >= enough).sort(([a, x], [b, y]) => y - x || a - b);
  return new Map(found.slice(0, MOST_HUBS));
}

/** Lines that neither begin nor end at a hub. */
export function withoutHubs(lines: Line[], hubs: Map<number, number>): Line[] {
  return hubs.size ? lines.filter(({ from, to }) => !hubs.has(from) && !hubs.has(to)) : lines;
}
