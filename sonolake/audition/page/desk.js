// What is decided about the candidates of one identifier, and what may be undone.

export const NOTHING = { verdict: "", single_source: null, trim_s: null };
const SHORTEST_S = 0.1;

export class Desk {
  constructor({ event, name, ranked_by, takes }) {
    Object.assign(this, { event, name, rankedBy: ranked_by, takes, index: 0, past: [] });
    this.index = Math.max(0, this.undecided(0));
  }

  get take() {
    return this.takes[this.index];
  }

  get decision() {
    return this.take.decision;
  }

  // The first take from `from` on without a verdict, then from the beginning; -1 when there is none.
  undecided(from) {
    const open = (take) => !take.decision.verdict;
    const after = this.takes.findIndex((take, place) => place >= from && open(take));
    return after < 0 ? this.takes.findIndex(open) : after;
  }

  get decided() {
    return this.takes.filter((take) => take.decision.verdict).length;
  }

  move(by) {
    this.index = Math.max(0, Math.min(this.takes.length - 1, this.index + by));
  }

  // Changes the decision about the take; false when it stays the same.
  change(changes) {
    const made = { ...this.decision, ...changes };
    if (JSON.stringify(made) === JSON.stringify(this.decision)) return false;
    this.past.push([this.index, this.decision]);
    this.take.decision = made;
    return true;
  }

  verdict(verdict) {
    return this.change({ verdict });
  }

  singleSource() {
    return this.change({ single_source: !this.decision.single_source });
  }

  // Cuts at `seconds`, at the start or the end of what is kept.
  trim(end, seconds, duration) {
    const [from, to] = this.kept(duration);
    const at = Math.round(1000 * Math.max(0, Math.min(duration, seconds))) / 1000;
    const trim = end ? [from, Math.max(at, from + SHORTEST_S)] : [Math.min(at, to - SHORTEST_S), to];
    if (trim[0] < 0 || trim[1] > duration) return false;
    return this.change({ trim_s: trim.map((s) => Math.floor(1000 * s + 0.5) / 1000) });
  }

  kept(duration) {
    return this.decision.trim_s ?? [0, Math.floor(1000 * duration) / 1000];
  }

  // Back to what the last action changed; false when there is none.
  undo() {
    const last = this.past.pop();
    if (!last) return false;
    this.index = last[0];
    this.take.decision = last[1];
    return true;
  }
}
