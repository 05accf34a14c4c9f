// Talking to the server. Every action is sent at once; what could not be sent is kept in this browser and sent again.

const KEY_HEADER = "x-sonolake-key";
const AGAIN_MS = 1000;

// The key of the printed address, kept for this tab and taken out of what the browser shows and remembers.
export function pageKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given) {
    sessionStorage.setItem("key", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("key") ?? "";
}

export class Api {
  constructor(key, rater, tell) {
    this.key = key;
    this.rater = rater;
    this.tell = tell;
    this.queue = [];
    this.seqs = new Map();
    this.busy = false;
  }

  address(path) {
    return `api/${path}?rater=${encodeURIComponent(this.rater)}`;
  }

  async get(path) {
    const answer = await fetch(this.address(path), { headers: { [KEY_HEADER]: this.key } });
    return read(answer);
  }

  async blob(path) {
    const answer = await fetch(this.address(path), { headers: { [KEY_HEADER]: this.key } });
    if (!answer.ok) await read(answer);
    return answer.blob();
  }

  // Sends an action after those before it; `then` gets the answer, or {conflict: true}.
  act(path, action, then) {
    this.queue.push({ path, action, then });
    this.keep();
    this.flush();
  }

  get place() {
    return `${document.title} ${this.rater}`;
  }

  // The state that an action changes: never one older than what is known to have arrived.
  based(path, action) {
    return { ...action, base: Math.max(action.base, this.seqs.get(path) ?? 0) };
  }

  keep() {
    const waiting = this.queue.map(({ path, action }) => ({ path, action: this.based(path, action) }));
    if (waiting.length) localStorage.setItem(this.place, JSON.stringify(waiting));
    else localStorage.removeItem(this.place);
    this.tell(waiting.length);
  }

  // Sends what an earlier window of this browser could not; `refused` hears of what is refused now.
  restore(refused) {
    for (const { path, action } of JSON.parse(localStorage.getItem(this.place) ?? "[]")) {
      this.queue.push({ path, action, then: (answer) => answer.error && refused(answer.error) });
    }
    return this.flush();
  }

  // Resolves when nothing waits to be sent.
  async settled() {
    while (this.queue.length) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async flush() {
    if (this.busy) return;
    this.busy = true;
    while (this.queue.length) {
      const { path, action, then } = this.queue[0];
      const answer = await this.send(path, this.based(path, action));
      if (answer === null) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        continue;
      }
      if (answer.seq) this.seqs.set(path, answer.seq);
      this.queue.shift();
      this.keep();
      then(answer);
    }
    this.busy = false;
  }

  // The answer; {conflict} or {error} when the server refuses; null when it does not answer.
  async send(path, action) {
    try {
      const answer = await fetch(this.address(`${path}/actions`), {
        method: "POST",
        headers: { [KEY_HEADER]: this.key, "Content-Type": "application/json" },
        body: JSON.stringify(action),
      });
      if (answer.status >= 500) return null;
      const body = await answer.json();
      return answer.ok ? body : { ...body, conflict: answer.status === 409 };
    } catch {
      return null;
    }
  }
}

async function read(answer) {
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}
