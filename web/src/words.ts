// Names that are too long for their box, made shorter.

export const MOST_LETTERS = 40;

/** Long names lose their middle. */
export function shortened(text: string, most = MOST_LETTERS): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${letters.slice(0, half).join("")}…${letters.slice(-half).join("")}`;
}

/** Labels lose their outer folders, as in pictures, so that what is left is whole words. */
export function shortenedLabel(label: string, most: number): string {
  if (label.length <= most) return label;
  const home = label.slice(0, label.indexOf("//"));
  const parts = label.slice(home.length + 2).split("/");
  for (let cut = 1; cut < parts.length; cut++) {
    const short = `${home}//…/${parts.slice(cut).join("/")}`;
    if (short.length <= most) return short;
  }
  return shortened(label, most);
}
