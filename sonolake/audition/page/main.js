// The page: a name, then the candidates of an identifier one after the other, or the table of what there is.

import { Api, pageKey } from "./api.js";
import { Desk } from "./desk.js";
import { make, showSections, typing } from "./elements.js";
import { Sound } from "./sound.js";

const $ = (id) => document.getElementById(id);
const sound = new Sound($("sound"));
const page = { api: null, events: [], desk: null, duration: 0, ready: false };
const SPLITS = ["train", "validation", "test", "none"];

const say = (text) => { $("notice").textContent = text; };

async function begin(rater) {
  localStorage.setItem("rater", rater);
  page.api = new Api(pageKey(), rater, told);
  const lost = [];
  try {
    const { begin: event } = await fill();
    await page.api.restore((why) => lost.push(why));
    $("start").hidden = true;
    $("desk").hidden = false;
    $("rater").blur();
    await open(event);
  } catch (error) {
    $("start").querySelector("h1").textContent = error.message;
    return;
  }
  if (lost.length) say(`Decisions of an earlier window were not taken: ${lost.join("; ")}`);
}

async function open(event) {
  page.ready = false;
  await page.api.settled();
  try {
    page.desk = new Desk(await page.api.get(`events/${event}`));
  } catch (error) {
    return say(error.message);
  }
  table(false);
  say(page.desk.takes.length ? "" : "The lake has no candidate for this sound.");
  return load();
}

async function load(aloud = false) {
  page.ready = false;
  sound.stop();
  const { desk } = page;
  if (desk.take) {
    const path = `takes/${desk.take.asset_id}`;
    const heard = await page.api.get(path);
    if (heard.fault) say(`This recording cannot be played: ${heard.fault}`);
    const parts = heard.fault ? [null, null] : [page.api.blob(`${path}/sound.wav`), page.api.blob(`${path}/spectrogram.png`)];
    const [wav, picture] = await Promise.all(parts);
    page.duration = heard.duration_s;
    await sound.load(wav, picture, page.duration, []);
  }
  page.ready = true;
  render();
  if (aloud && desk.take) play();
}

function told(waiting) {
  $("saved").textContent = waiting ? `not saved yet: ${waiting}` : "saved";
  $("saved").classList.toggle("waiting", waiting > 0);
}

function render() {
  const { desk } = page;
  $("event").textContent = `${desk.event}: ${desk.name}`;
  $("progress").textContent = `${desk.takes.length ? desk.index + 1 : 0} of ${desk.takes.length}; ${desk.decided} decided`;
  $("ranked").textContent = desk.rankedBy;
  $("takes").replaceChildren(...desk.takes.map(line));
  $("takes").querySelector(".here")?.scrollIntoView({ block: "nearest" });
  $("desk").dataset.take = desk.take?.asset_id ?? "";
  $("desk").dataset.event = desk.event;
  $("desk").dataset.ready = page.ready;
  if (!desk.take) return;
  const [from, to] = desk.kept(page.duration);
  $("state").textContent = said(desk.decision, page.duration);
  $("before").style.width = `${(100 * from) / page.duration}%`;
  $("after").style.width = desk.decision.trim_s ? `${100 - (100 * to) / page.duration}%` : "0";
}

function said({ verdict, single_source: single, trim_s: trim }, duration) {
  const parts = [{ accept: "accepted", reject: "rejected", "": "not decided" }[verdict]];
  if (single) parts.push("single source");
  if (trim) parts.push(`${trim[0].toFixed(2)} to ${trim[1].toFixed(2)} s of ${duration.toFixed(2)} s`);
  return parts.join(", ");
}

function line(take, place) {
  const made = make("li", place === page.desk.index ? "here" : "");
  made.append(make("span", take.decision.verdict, take.title || take.asset_id.slice(0, 12)));
  const facts = [take.event, take.split ?? "no split", `${take.duration_s.toFixed(1)} s`, take.licence, take.found_by];
  made.append(make("small", "", facts.filter(Boolean).join(" · ")));
  made.dataset.place = place;
  return made;
}

function keep(take = page.desk.take) {
  const { desk } = page;
  const action = { decision: take.decision, base: take.seq };
  page.api.act(`events/${desk.event}/${take.asset_id}`, action, (answer) => {
    if (answer.conflict || answer.error) {
      open(desk.event).then(() => say(answer.error));
      return;
    }
    take.seq = answer.seq;
  });
}

function decide(changed) {
  if (!changed) return;
  say("");
  keep();
}

async function judge(verdict) {
  const { desk } = page;
  decide(desk.verdict(desk.decision.verdict === verdict ? "" : verdict));
  if (!desk.decision.verdict) return;
  const next = desk.undecided(desk.index + 1);
  if (next < 0) {
    say("Every candidate is decided.");
    return;
  }
  desk.index = next;
  await load(true);
}

async function undo() {
  const here = page.desk.index;
  if (!page.desk.undo()) return;
  keep();
  if (page.desk.index !== here) await load();
}

async function move(by) {
  page.desk.move(by);
  await load();
}

function play() {
  if (sound.playing) return sound.stop();
  return sound.play(...page.desk.kept(page.duration));
}

const now = () => sound.player.currentTime;

function seek(by) {
  sound.player.currentTime = Math.max(0, Math.min(page.duration, now() + by));
  sound.tick();
}

// The table of all identifiers, and back.
async function table(wanted) {
  $("coverage").hidden = !wanted;
  $("hearing").hidden = wanted;
  if (!wanted) return;
  sound.stop();
  await page.api.settled();
  await fill();
  $("coverage").querySelector(".here")?.scrollIntoView({ block: "center" });
}

async function fill() {
  const answer = await page.api.get("coverage");
  const rows = new Map();
  for (const one of answer.coverage) {
    if (!rows.has(one.event)) rows.set(one.event, {});
    rows.get(one.event)[one.split] = one;
  }
  page.events = [...rows.keys()];
  const heads = ["identifier", ...SPLITS.slice(0, 3), "without split", "accepted", "single source", "rejected"];
  $("coverage").querySelector("thead").replaceChildren(tableRow(heads, "th"));
  $("coverage").querySelector("tbody").replaceChildren(...[...rows].map(([event, of]) => eventRow(event, of)));
  return answer;
}

function eventRow(event, of) {
  const sum = (name) => Object.values(of).reduce((all, one) => all + one[name], 0);
  const cells = SPLITS.map((split) => (of[split]?.wanted ? `${of[split].takes}/${of[split].wanted}` : of[split]?.takes ?? 0));
  const row = tableRow([event, ...cells, sum("accepted"), sum("single_source"), sum("rejected")], "td");
  SPLITS.forEach((split, place) => {
    if (of[split] && of[split].takes < of[split].wanted) row.children[place + 1].className = "short";
  });
  row.dataset.event = event;
  if (event === page.desk?.event) row.className = "here";
  return row;
}

function tableRow(cells, kind) {
  const row = make("tr");
  row.append(...cells.map((cell) => make(kind, "", cell)));
  return row;
}

const step = (by) => open(page.events.at((page.events.indexOf(page.desk.event) + by) % page.events.length));

const KEYS = [
  ["Decide", [
    ["A", "accept, next"], ["R", "reject, next"], ["S", "a single source, or not"],
    ["[ ]", "begin, end what is kept here"], ["Backspace", "keep all of it"], ["Ctrl Z", "undo"],
  ]],
  ["Listen", [
    ["Space", "play what is kept; stop"], ["Shift Space", "play everything"],
    ["← →", "0.05 s back, on; with Shift 0.5 s"], ["↑ ↓", "previous, next candidate"],
  ]],
  ["Elsewhere", [["C", "how many takes there are; back"], ["PgUp PgDn", "previous, next identifier"]]],
];
const COMMANDS = {
  KeyA: () => judge("accept"),
  KeyR: () => judge("reject"),
  KeyS: () => decide(page.desk.singleSource()),
  BracketLeft: () => decide(page.desk.trim(false, now(), page.duration)),
  BracketRight: () => decide(page.desk.trim(true, now(), page.duration)),
  Backspace: () => decide(page.desk.change({ trim_s: null })),
  Space: (event) => (event.shiftKey ? sound.play(0) : play()),
  ArrowLeft: (event) => seek(event.shiftKey ? -0.5 : -0.05),
  ArrowRight: (event) => seek(event.shiftKey ? 0.5 : 0.05),
  ArrowUp: () => move(-1),
  ArrowDown: () => move(1),
};
const ELSEWHERE = {
  KeyC: () => table($("coverage").hidden),
  PageUp: () => step(-1),
  PageDown: () => step(1),
};

document.addEventListener("keydown", async (event) => {
  if ($("desk").hidden || !page.ready || event.altKey || event.metaKey || typing(event)) return;
  let found = ELSEWHERE[event.code] ?? ($("coverage").hidden && page.desk.take ? COMMANDS[event.code] : null);
  if (event.ctrlKey) found = event.code === "KeyZ" && $("coverage").hidden ? undo : null;
  if (!found) return;
  event.preventDefault();
  try {
    await found(event);
  } catch (error) {
    say(error.message);
  }
  if (page.ready) render();
});

$("takes").addEventListener("click", (event) => {
  const chosen = event.target.closest("li");
  if (chosen && page.ready) move(Number(chosen.dataset.place) - page.desk.index);
});

$("coverage").addEventListener("click", (event) => {
  const chosen = event.target.closest("tr[data-event]");
  if (chosen) open(chosen.dataset.event);
});

$("sound").addEventListener("click", (event) => {
  const box = $("sound").getBoundingClientRect();
  sound.play(((event.clientX - box.left) / box.width) * page.duration);
});

$("start").addEventListener("submit", (event) => {
  event.preventDefault();
  begin($("rater").value.trim());
});

showSections($("keys"), KEYS);
$("rater").value = localStorage.getItem("rater") ?? "";
pageKey();
$("rater").focus();
