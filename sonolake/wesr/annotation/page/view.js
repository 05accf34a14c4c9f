// The transcript with its marks, keys, answers and messages as elements.

import { make, showSections } from "./elements.js";

const count = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

export function showText(box, editor, odd) {
  const { words, gaps, spans, selection } = editor;
  const parts = [];
  gaps.forEach(([tail, head], place) => {
    const core = tail.trimEnd();
    parts.push(core, gap(place, tail.slice(core.length), editor, odd), head);
    if (place === words.length) return;
    const element = make("span", "word", words[place]);
    element.dataset.word = place;
    if (spans.some(([, first, last]) => first <= place && place <= last)) element.classList.add("in");
    if (selection && selection[0] <= place && place <= selection[1]) element.classList.add("selected");
    if (odd.has(`word ${place}`)) element.classList.add("differs");
    parts.push(element);
  });
  box.replaceChildren(...parts);
}

// Closing tags, the blank, then what happens before the next word.
function gap(place, blank, { points, spans, caret }, odd) {
  const element = make("span", "gap");
  element.dataset.gap = place;
  if (odd.has(`gap ${place}`)) element.classList.add("differs");
  for (const [name, , last] of spans) if (last + 1 === place) element.append(make("span", "tag", `</${name}>`));
  element.append(blank);
  for (const [at, name] of points) if (at === place) element.append(make("span", "tag", `[${name}]`));
  if (place === caret) element.append(make("span", "caret"));
  for (const [name, first] of spans) if (first === place) element.append(make("span", "tag", `<${name}>`));
  return element;
}

export function where(editor) {
  const { words, caret, selection } = editor;
  if (selection) return `${count(selection[1] - selection[0] + 1, "word")}: ${words.slice(selection[0], selection[1] + 1).join(" ")}`;
  const before = caret ? `after “${words[caret - 1]}”` : "at the beginning";
  return `${before}${caret < words.length ? `, before “${words[caret]}”` : ", at the end"}`;
}

const COMMANDS = [
  ["← →", "a word back, on"],
  ["Shift ← →", "select words"],
  ["Home End", "to the beginning, the end"],
  ["Space", "play from here, or the selection; stop"],
  ["Shift Space", "play everything"],
  [", .", "half a second back, on"],
  ["Backspace", "take a tag out"],
  ["Ctrl Z", "undo"],
  ["Ctrl Y", "redo"],
  ["Ctrl Enter", "done, next"],
  ["PgUp PgDn", "previous, next"],
  ["J", "go to a number"],
];

export function showKeys(box, tags, role) {
  const named = (tag) => [tag.key.toUpperCase() === tag.key ? `Shift ${tag.key}` : tag.key, label(tag)];
  const label = ({ form, name, meaning }) => `${form === "discrete" ? `[${name}]` : `<${name}>`} ${meaning}`;
  const of = (form) => tags.filter((tag) => tag.form === form).map(named);
  const commands = role === "adjudicator" ? [["1 … 9", "take an annotator's answer"], ...COMMANDS] : COMMANDS;
  showSections(box, [
    ["Put in at the caret", of("discrete")],
    ["Around the selected words", of("continuous")],
    ["Move, play, finish", commands],
  ]);
}

export function showAnswers(box, answers, tagged) {
  box.replaceChildren(
    ...answers.map((answer) => {
      const line = make("li");
      line.append(make("b", "", answer.rater), " ", make("q", "", tagged(answer)));
      return line;
    }),
  );
}

const KINDS = {
  confused: ({ tag, found }) => `${found} where ${tag} belongs`,
  displaced: ({ tag, shift }) => `${tag} ${count(Math.abs(shift), "word")} too ${shift > 0 ? "late" : "early"}`,
  missed: ({ tag }) => `${tag} missed`,
  added: ({ tag }) => `${tag} where nothing belongs`,
};

export function showFeedback(box, feedback, gold) {
  const lines = feedback.map((mistake) => make("li", "", `${KINDS[mistake.kind](mistake)}: ${mistake.context}`));
  box.replaceChildren(...(lines.length ? [make("li", "", `Right is: ${gold}`), ...lines] : []));
}
