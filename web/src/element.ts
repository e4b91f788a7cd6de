// Elements from code: texts are always text, never markup.

type Child = Node | string | undefined | false;

function filled<E extends Element>(element: E, attributes: Record<string, string>, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child) element.append(child);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Record<string, string> = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function button(text: string, title: string, click: () => void, looks = ""): HTMLButtonElement {
  const made = html("button", { type: "button", title, "aria-label": title, ...(looks && { class: looks }) }, text);
  made.addEventListener("click", click);
  return made;
}
