// What is drawn, as whoever draws it gets it: parts with boxes and lines, and all of them together.

import type { Why } from "./ask";
import type { Box } from "./boxes";
import type { Home } from "./homes";
import type { Size } from "./layout";
import type { Line } from "./lines";

/** What stands side by side: in an expanded group, or chosen targets. */
export interface Part extends Size {
  home: number; // the group; -1 for none
  boxes: Box[];
  lines: Line[]; // those that are drawn, among the boxes
}

export interface Scene extends Size {
  parts: Part[]; // those of an earlier scene where nothing has changed
  homes: Map<number, Home>; // where what is in a group begins
  boxes: Box[]; // of all parts
  lines: Line[]; // those drawn: between what stands side by side
  own: (item: number) => Line[]; // of a box, to boxes wherever they are: drawn when it is chosen
  answer?: Why;
  said: string; // in words, for a line below the search and for screen readers
}
