// The page: a name, then tasks one after the other.

import { Api, pageKey } from "./api.js";
import { differing, Editor } from "./editor.js";
import { typing } from "./elements.js";
import { Sound } from "./sound.js";
import { showAnswers, showFeedback, showKeys, showText, where } from "./view.js";

const $ = (id) => document.getElementById(id);
const NUDGE_S = 0.5;
const sound = new Sound($("sound"));
const page = { api: null, me: null, index: 0, task: null, editor: null, seq: 0, ready: false };

const say = (text) => { $("notice").textContent = text; };

async function begin(rater) {
  localStorage.setItem("rater", rater);
  page.api = new Api(pageKey(), rater, told);
  const lost = [];
  await page.api.restore((why) => lost.push(why));
  await enter();
  if (lost.length) say(`Changes of an earlier window were not taken: ${lost.join("; ")}`);
}

async function enter(index = null) {
  try {
    page.me = await page.api.get("me");
  } catch (error) {
    $("start").hidden = false;
    $("desk").hidden = true;
    say(error.message);
    $("start").querySelector("h1").textContent = error.message;
    return;
  }
  $("start").hidden = true;
  $("desk").hidden = false;
  showKeys($("keys"), page.me.tags, page.me.role);
  await open(index ?? page.me.first);
}

async function open(index) {
  page.ready = false;
  sound.stop();
  const { me, api } = page;
  page.index = Math.max(0, Math.min(me.tasks - 1, index));
  const path = `${me.phase}/${page.index}`;
  await api.settled();
  if (me.phase === "work") showFeedback($("feedback"), [], "");
  try {
    page.task = await api.get(path);
  } catch (error) {
    say(error.message);
    return;
  }
  page.editor = new Editor(page.task, page.task.state);
  page.seq = page.task.state.seq;
  $("text").lang = page.task.language || "";
  $("estimate").hidden = !page.task.estimated || Boolean(page.task.fault);
  showAnswers($("answers"), page.task.answers ?? [], plain);
  if (page.task.fault) say(`This recording cannot be played: ${page.task.fault}`);
  const [wav, picture] = page.task.fault
    ? [null, null]
    : await Promise.all([api.blob(`${path}/sound.wav`), api.blob(`${path}/spectrogram.png`)]);
  await sound.load(wav, picture, page.task.duration_s, page.task.times);
  page.ready = true;
  render();
  $("text").focus();
}

function render() {
  const { me, editor, index, task } = page;
  showText($("text"), editor, differing(task.answers ?? []));
  $("where").textContent = where(editor);
  const phase = me.phase === "gold" ? "Qualification, " : me.role === "adjudicator" ? "Adjudication, " : "";
  const finished = editor.done ? ", done" : "";
  $("who").textContent = page.api.rater;
  $("progress").textContent = `${phase}${index + 1} of ${me.tasks}${finished}; ${me.done} done in all`;
  $("desk").dataset.task = task.name;
  $("desk").dataset.ready = page.ready;
  sound.mark(editor.caret);
}

// The tagged text of an answer, for the adjudicator.
function plain({ points, spans }) {
  const shown = new Editor(page.task, { points, spans, done: false });
  const box = document.createElement("div");
  shown.caret = -1;
  showText(box, shown, new Set());
  return box.textContent;
}

function told(waiting) {
  $("saved").textContent = waiting ? `not saved yet: ${waiting}` : "saved";
  $("saved").classList.toggle("waiting", waiting > 0);
}

function keep(kind, then = () => {}) {
  const { editor, me, index, task } = page;
  const action = { kind, ...editor.marks, done: editor.done, base: page.seq };
  page.api.act(`${me.phase}/${index}`, action, (answer) => {
    if (page.task !== task) return then(answer);
    if (answer.conflict) {
      say("This task was changed in another window; here is how it stands now.");
      return open(index);
    }
    if (answer.error) {
      say(answer.error);
      return open(index);
    }
    page.seq = answer.seq;
    return then(answer);
  });
}

function edit(kind, changed) {
  if (!changed) return;
  page.editor.done = false;
  say("");
  keep(kind);
}

function finish() {
  const { me, editor } = page;
  const fresh = !editor.done;
  editor.done = true;
  keep("done", async (answer) => {
    if (answer.error) return;
    if (fresh) me.done += 1;
    if (me.phase === "gold" && me.role === "annotator") await judged(answer);
    else await open(page.index + 1);
  });
}

async function judged(answer) {
  showFeedback($("feedback"), answer.feedback, answer.gold);
  if (!answer.verdict) {
    await open(page.index + 1);
    return;
  }
  const { f1, passed } = answer.verdict;
  const score = `${Math.round(100 * f1)} of 100 (${Math.round(100 * page.me.threshold)} are needed)`;
  await enter(passed ? null : 0);
  say(passed ? `Qualified: ${score}. These are the real tasks.` : `Not qualified yet: ${score}. Please try again.`);
}

function play() {
  const { editor } = page;
  if (sound.playing) return sound.stop();
  const chosen = editor.selection;
  if (chosen && page.task.times.length) return sound.play(page.task.times[chosen[0]][0], page.task.times[chosen[1]][1]);
  return sound.play(sound.at(editor.caret));
}

function jump() {
  const wanted = Number.parseInt(prompt(`Go to which of ${page.me.tasks}?`, page.index + 1), 10);
  if (wanted) open(wanted - 1);
}

function adopt(number) {
  const answer = page.task.answers?.[number - 1];
  if (answer) edit("adopt", page.editor.change({ points: answer.points, spans: answer.spans }));
}

const move = (by, extend) => page.editor.move(page.editor.caret + by, extend);
const nudge = (by) => sound.play(Math.max(0, sound.player.currentTime + by));

const COMMANDS = {
  ArrowLeft: (event) => move(-1, event.shiftKey),
  ArrowRight: (event) => move(1, event.shiftKey),
  ArrowUp: (event) => move(-8, event.shiftKey),
  ArrowDown: (event) => move(8, event.shiftKey),
  Home: (event) => page.editor.move(0, event.shiftKey),
  End: (event) => page.editor.move(page.editor.words.length, event.shiftKey),
  Space: (event) => (event.shiftKey ? sound.play(0) : play()),
  Comma: () => nudge(-NUDGE_S),
  Period: () => nudge(NUDGE_S),
  Backspace: () => edit("remove", page.editor.remove()),
  Delete: () => edit("remove", page.editor.remove()),
  PageUp: () => open(page.index - 1),
  PageDown: () => open(page.index + 1),
  KeyJ: jump,
};
const WITH_CONTROL = {
  KeyZ: (event) => (event.shiftKey ? edit("redo", page.editor.redo()) : edit("undo", page.editor.undo())),
  KeyY: () => edit("redo", page.editor.redo()),
  Enter: finish,
};

// The physical key, so that an input method or another layout's script does not matter.
function command(event) {
  const table = event.ctrlKey || event.metaKey ? WITH_CONTROL : COMMANDS;
  const found = table[event.code];
  if (found || event.ctrlKey || event.metaKey || event.altKey) return found;
  if (/^(Digit|Numpad)[1-9]$/.test(event.code)) return () => adopt(Number(event.code.slice(-1)));
  const letter = event.code.startsWith("Key") ? event.code.slice(3) : "";
  const tag = page.me.tags.find((one) => one.key === (event.shiftKey ? letter : letter.toLowerCase()));
  if (!tag) return null;
  if (tag.form === "discrete") return () => edit("insert", page.editor.insert(tag.name));
  return () => {
    if (!page.editor.selection) say(`Select words first (Shift and arrows), then <${tag.name}> goes around them.`);
    edit("wrap", page.editor.wrap(tag.name));
  };
}

document.addEventListener("keydown", (event) => {
  if ($("desk").hidden || !page.ready) return;
  if (typing(event)) return;
  const found = command(event);
  if (!found) return;
  event.preventDefault();
  found(event);
  if (page.ready) render();
});

$("text").addEventListener("mousedown", (event) => {
  const word = event.target.closest(".word");
  const gap = event.target.closest(".gap");
  if (!word && !gap) return;
  event.preventDefault();
  $("text").focus();
  const box = event.target.getBoundingClientRect();
  const after = word && event.clientX > box.left + box.width / 2 ? 1 : 0;
  page.editor.move(word ? Number(word.dataset.word) + after : Number(gap.dataset.gap), event.shiftKey);
  render();
});

$("sound").addEventListener("click", (event) => {
  const box = $("sound").getBoundingClientRect();
  const seconds = ((event.clientX - box.left) / box.width) * page.task.duration_s;
  page.editor.move(sound.gapAt(seconds));
  sound.play(seconds);
  render();
});

const BUTTONS = {
  previous: () => open(page.index - 1),
  next: () => open(page.index + 1),
  play,
  undo: () => edit("undo", page.editor.undo()),
  done: finish,
};
$("buttons").addEventListener("click", (event) => {
  const wanted = event.target.dataset.do;
  if (!wanted || !page.ready) return;
  BUTTONS[wanted]();
  $("text").focus();
  if (page.ready) render();
});

$("start").addEventListener("submit", (event) => {
  event.preventDefault();
  begin($("rater").value.trim());
});

$("start").hidden = false;
$("rater").value = localStorage.getItem("rater") ?? "";
pageKey();
$("rater").focus();
