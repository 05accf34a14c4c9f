"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("live");
  document.getElementById("theme").addEventListener("click", () => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (dark ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  });

  const clock = (seconds) => {
    const whole = Math.floor(seconds);
    return Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0");
  };
  const players = [];

  function connect(card) {
    const audio = card.querySelector("audio");
    const button = card.querySelector(".play");
    const slider = card.querySelector(".seek");
    const output = card.querySelector(".clock");
    const head = card.querySelector(".head");
    const scroller = card.querySelector(".scroll");
    const duration = Number(card.dataset.duration);
    const blocks = [...card.querySelectorAll(".block")];
    const lines = [...card.querySelectorAll(".lines [data-start]")];
    const sources = [...card.querySelectorAll(".plan [data-label]")];
    const name = button.getAttribute("aria-label").replace(/^Play /, "");
    audio.controls = false;
    players.push(audio);

    function highlight(time) {
      const labels = new Set();
      for (const block of blocks) {
        const on = time >= Number(block.dataset.start) && time <= Math.max(Number(block.dataset.end), Number(block.dataset.start) + 0.3);
        block.classList.toggle("on", on);
        if (on) labels.add(block.dataset.label);
      }
      for (const source of sources) source.classList.toggle("on", labels.has(source.dataset.label));
      let current = null;
      for (const line of lines) if (Number(line.dataset.start) <= time + 0.05) current = line;
      for (const line of lines) line.classList.toggle("on", line === current);
      if (current && !audio.paused) {
        const list = current.closest(".lines");
        const top = current.offsetTop - list.clientHeight / 2;
        if (Math.abs(list.scrollTop - top) > list.clientHeight / 3) list.scrollTop = top;
      }
    }
    function show() {
      const time = Math.min(audio.currentTime, duration);
      head.style.left = (100 * time) / duration + "%";
      if (document.activeElement !== slider || !audio.paused) slider.value = time;
      slider.setAttribute("aria-valuetext", time.toFixed(1) + " seconds");
      output.textContent = clock(time) + " / " + clock(duration);
      highlight(time);
      if (!audio.paused && scroller.scrollWidth > scroller.clientWidth) {
        const at = head.parentElement.offsetLeft + head.offsetLeft - scroller.scrollLeft;
        if (at < 0 || at > 0.85 * scroller.clientWidth) scroller.scrollLeft += at - 0.15 * scroller.clientWidth;
      }
    }
    function tick() {
      show();
      if (!audio.paused) requestAnimationFrame(tick);
    }
    function seek(time, play) {
      audio.currentTime = Math.max(0, Math.min(time, duration));
      card.classList.add("started");
      if (play) audio.play();
      show();
    }
    button.addEventListener("click", () => (audio.paused ? audio.play() : audio.pause()));
    audio.addEventListener("play", () => {
      for (const other of players) if (other !== audio) other.pause();
      card.classList.add("playing", "started");
      button.setAttribute("aria-label", "Pause " + name);
      button.setAttribute("aria-pressed", "true");
      tick();
    });
    for (const end of ["pause", "ended"]) {
      audio.addEventListener(end, () => {
        card.classList.remove("playing");
        button.setAttribute("aria-label", "Play " + name);
        button.setAttribute("aria-pressed", "false");
        show();
      });
    }
    audio.addEventListener("seeked", show);
    slider.addEventListener("input", () => seek(Number(slider.value), false));
    slider.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
      if (event.key in steps) {
        event.preventDefault();
        seek(audio.currentTime + steps[event.key], false);
      }
      if (event.key === " ") {
        event.preventDefault();
        button.click();
      }
    });
    let dragging = false;
    for (const area of card.querySelectorAll(".time")) {
      const follow = (event) => {
        const box = area.getBoundingClientRect();
        seek((duration * (event.clientX - box.left)) / box.width, false);
      };
      area.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.target.closest(".block")) return;
        dragging = event.pointerType === "mouse";
        if (dragging) area.setPointerCapture(event.pointerId);
        follow(event);
      });
      area.addEventListener("pointermove", (event) => dragging && follow(event));
      area.addEventListener("pointerup", () => (dragging = false));
      area.addEventListener("pointercancel", () => (dragging = false));
    }
    for (const block of blocks) block.addEventListener("click", () => seek(Number(block.dataset.start) - 0.5, true));
    for (const line of lines) line.addEventListener("click", () => seek(Number(line.dataset.start), true));
    for (const option of card.querySelectorAll(".quiz ol button")) {
      option.addEventListener("click", () => option.classList.add(option.dataset.right === "yes" ? "right" : "wrong"));
    }
  }
  document.querySelectorAll(".sample").forEach(connect);
})();
