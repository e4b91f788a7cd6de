// Where items that stand side by side go, and which lines among them are drawn: layouts, kept as long as nothing changes.

import { arrange, pairOf, reversed, type Arrangement, type Route, type Size } from "./layout";
import { thinned } from "./levels";
import type { Line } from "./lines";

interface Placed extends Arrangement {
  left: Set<number>[] | undefined; // of each box, what it has a line to; undefined: all that it needs
}

export class Places {
  private readonly plans = new Map<number, { key: string; made: Placed }>(); // of groups, as they were laid out last

  /** Places for items that stand side by side in a group, -1 for none, and the lines among them that are shown. */
  arranged(items: number[], sizes: Size[], lines: Line[], thin: boolean, group = -1) {
    const at = new Map(items.map((item, number) => [item, number]));
    const needs: number[][] = items.map(() => []);
    for (const { from, to } of lines) needs[at.get(from)!].push(at.get(to)!);
    const { spots, routes, left, width, height } = this.placed(sizes, needs, thin, group);
    const shown = left ? lines.filter(({ from, to }) => left[at.get(from)!].has(at.get(to)!)) : lines;
    const route = ({ from, to }: Line): Route | undefined => {
      const [a, b] = [at.get(from)!, at.get(to)!];
      const back = routes.get(pairOf(b, a));
      if (back && !routes.has(pairOf(a, b))) routes.set(pairOf(a, b), reversed(back));
      return routes.get(pairOf(a, b));
    };
    return { spots, routes: route, shown, width, height };
  }

  /** What is laid out, or was: groups in which nothing has changed stay as they are. */
  private placed(sizes: Size[], needs: number[][], thin: boolean, group: number): Placed {
    const key = `${thin} ${sizes.map(({ width, height }) => `${width} ${height}`).join()} ${needs.join(";")}`;
    const known = this.plans.get(group);
    if (known?.key === key) return known.made;
    const kept = thin ? thinned(needs) : needs;
    const made = { ...arrange(sizes, kept), left: kept === needs ? undefined : kept.map((ends) => new Set(ends)) };
    if (group >= 0) this.plans.set(group, { key, made });
    return made;
  }
}
