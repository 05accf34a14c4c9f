// Waveform, playing, and the lines over both pictures.

const POINTS = 1600;

export class Sound {
  constructor(figure) {
    this.figure = figure;
    this.canvas = figure.querySelector("canvas");
    this.image = figure.querySelector("img");
    this.head = figure.querySelector("#playhead");
    this.line = figure.querySelector("#caret-time");
    this.player = new Audio();
    this.stopAt = Infinity;
    this.duration = 0;
    this.player.addEventListener("timeupdate", () => this.watch());
    this.player.addEventListener("ended", () => this.stop());
  }

  async load(wav, picture, duration, times) {
    this.stop();
    for (const old of [this.player.src, this.image.src]) if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    this.duration = duration;
    this.times = times;
    this.head.style.left = "0";
    this.player.src = wav ? URL.createObjectURL(wav) : "";
    this.image.src = picture ? URL.createObjectURL(picture) : "";
    this.draw(wav ? samples(await wav.arrayBuffer()) : new Int16Array());
  }

  draw(x) {
    const { canvas } = this;
    canvas.width = POINTS;
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = style.getPropertyValue("--ink");
    const middle = canvas.height / 2;
    for (let column = 0; column < POINTS && x.length; column += 1) {
      let low = 0;
      let high = 0;
      const end = Math.floor(((column + 1) * x.length) / POINTS);
      for (let i = Math.floor((column * x.length) / POINTS); i < end; i += 1) {
        if (x[i] < low) low = x[i];
        else if (x[i] > high) high = x[i];
      }
      pen.fillRect(column, middle - (high / 32768) * middle, 1, Math.max(1, ((high - low) / 32768) * middle));
    }
    pen.fillStyle = style.getPropertyValue("--line");
    for (const [start] of this.times) pen.fillRect((start / this.duration) * POINTS, 0, 1, canvas.height);
  }

  get playing() {
    return !this.player.paused;
  }

  // Seconds of a gap: where the word after it begins.
  at(gap) {
    if (!this.times.length) return 0;
    return gap < this.times.length ? this.times[gap][0] : this.times[this.times.length - 1][1];
  }

  gapAt(seconds) {
    const after = this.times.findIndex(([start, end]) => (start + end) / 2 > seconds);
    return after < 0 ? this.times.length : after;
  }

  play(from, to = Infinity) {
    if (!this.duration) return;
    this.stopAt = to;
    this.player.currentTime = Math.min(from, this.duration);
    this.figure.dataset.playing = from.toFixed(3);
    this.player.play().catch(() => this.stop());
    this.tick();
  }

  stop() {
    this.player.pause();
    delete this.figure.dataset.playing;
  }

  watch() {
    if (this.player.currentTime >= this.stopAt) this.stop();
  }

  tick() {
    this.watch();
    this.head.style.left = `${(100 * this.player.currentTime) / this.duration}%`;
    if (this.playing) requestAnimationFrame(() => this.tick());
  }

  mark(gap) {
    this.line.style.left = this.duration ? `${(100 * this.at(gap)) / this.duration}%` : "0";
  }
}

// 16-bit samples of our own WAV files, whose data follow a header of 44 bytes.
function samples(buffer) {
  return new Int16Array(buffer, 44, (buffer.byteLength - 44) >> 1);
}
