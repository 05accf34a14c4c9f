// Marks on a transcript, the caret between words, and undo. Knows nothing of the page.

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Editor {
  // `gaps` holds what stands at each: the end of the word before, and the beginning of the next.
  constructor({ words, gaps }, state) {
    this.words = words;
    this.gaps = gaps;
    this.load(state);
  }

  load(state) {
    this.points = state.points;
    this.spans = state.spans;
    this.done = state.done;
    this.caret = Math.min(this.caret ?? 0, this.words.length);
    this.anchor = this.caret;
    this.past = [];
    this.future = [];
  }

  get marks() {
    return { points: this.points, spans: this.spans };
  }

  // First and last word selected, or null.
  get selection() {
    if (this.anchor === this.caret) return null;
    return [Math.min(this.anchor, this.caret), Math.max(this.anchor, this.caret) - 1];
  }

  move(to, extend = false) {
    this.caret = Math.max(0, Math.min(this.words.length, to));
    if (!extend) this.anchor = this.caret;
  }

  change(marks) {
    if (same(marks, this.marks)) return false;
    this.past.push(this.marks);
    this.future = [];
    this.points = marks.points;
    this.spans = marks.spans;
    return true;
  }

  insert(name) {
    const known = this.points.some(([gap, other]) => gap === this.caret && other === name);
    return !known && this.change({ points: [...this.points, [this.caret, name]], spans: this.spans });
  }

  // Words under the selection get the tag; touching spans of the tag become one. Again on words that have it: off.
  wrap(name) {
    const selected = this.selection;
    if (!selected) return false;
    const covered = new Set();
    for (const [label, first, last] of this.spans) {
      if (label === name) for (let word = first; word <= last; word += 1) covered.add(word);
    }
    const chosen = [];
    for (let word = selected[0]; word <= selected[1]; word += 1) chosen.push(word);
    const off = chosen.every((word) => covered.has(word));
    for (const word of chosen) off ? covered.delete(word) : covered.add(word);
    return this.change({ points: this.points, spans: [...this.others(name), ...runs(name, covered)] });
  }

  others(name) {
    return this.spans.filter(([label]) => label !== name);
  }

  // The last point at the caret, else the spans that begin or end there, else those over the selection.
  remove() {
    const here = this.points.filter(([gap]) => gap === this.caret);
    if (here.length) {
      const gone = here[here.length - 1];
      return this.change({ points: this.points.filter((point) => point !== gone), spans: this.spans });
    }
    const [first, last] = this.selection ?? [this.caret, this.caret - 1];
    const touched = (span) =>
      this.selection ? span[1] <= last && span[2] >= first : span[1] === this.caret || span[2] + 1 === this.caret;
    return this.change({ points: this.points, spans: this.spans.filter((span) => !touched(span)) });
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return false;
    to.push(this.marks);
    ({ points: this.points, spans: this.spans } = from.pop());
    return true;
  }
}

function runs(name, words) {
  const made = [];
  for (const word of [...words].sort((a, b) => a - b)) {
    const last = made[made.length - 1];
    if (last && last[2] === word - 1) last[2] = word;
    else made.push([name, word, word]);
  }
  return made;
}

// Places that not all of several answers mark alike: "gap 3", "word 4".
export function differing(answers) {
  const marked = answers.map((answer) => new Set(places(answer)));
  const all = new Set(marked.flatMap((one) => [...one]));
  const odd = [...all].filter((place) => !marked.every((one) => one.has(place)));
  return new Set(odd.map((place) => place.split(" ").slice(0, 2).join(" ")));
}

function* places({ points, spans }) {
  for (const [gap, name] of points) yield `gap ${gap} ${name}`;
  for (const [name, first, last] of spans) {
    for (let word = first; word <= last; word += 1) yield `word ${word} ${name}`;
  }
}
