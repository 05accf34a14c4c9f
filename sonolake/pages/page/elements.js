// Elements that several pages make.

export const make = (name, kind, text = "") => {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  element.textContent = text;
  return element;
};

// What the keys do: a heading and its rows of [key, meaning], one section after the other.
export function showSections(box, sections) {
  const row = ([key, text]) => {
    const line = make("div");
    line.append(make("kbd", "", key), text);
    return line;
  };
  box.replaceChildren(...sections.flatMap(([heading, rows]) => [make("h2", "", heading), ...rows.map(row)]));
}

// Whether a key is meant for the focused button or field and not for the page.
export function typing(event) {
  if (event.target instanceof HTMLInputElement) return true;
  return event.target instanceof HTMLButtonElement && !event.ctrlKey && ["Space", "Enter", "Tab"].includes(event.code);
}
