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

  const kind = document.createElement("template");
  kind.innerHTML = "<svg></svg>";
  const SVG = kind.content.firstChild.namespaceURI;
  function draw(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function lineage(data) {
    const place = document.getElementById("graph");
    const choice = document.getElementById("item");
    const finder = document.getElementById("find");
    const nodes = data.nodes.map((node) => (Array.isArray(node) ? node : [node]));
    const items = nodes.slice(data.items).map(([id]) => id);
    const numbers = new Map(items.map((id, number) => [id, data.items + number]));
    function parents(child) {
      const found = new Map();
      const flat = data.parents[child];
      for (let at = 0; at < flat.length; at += 2) {
        found.set(flat[at + 1], [...(found.get(flat[at + 1]) || []), data.roles[flat[at]]]);
      }
      return found;
    }
    const label = (number) => nodes[number][1] || nodes[number][0];
    const cut = (text, room) => (text.length <= room ? text : text.slice(0, room - 1) + "…");

    // Levels: the item, its parents, theirs, and so on; a node stands where it is first met, its edges go to it there.
    function levels(root) {
      const at = new Map([[root, 0]]);
      const found = [[root]];
      for (let depth = 0; found[depth] && found[depth].length; depth += 1) {
        const next = [];
        for (const node of found[depth]) {
          const mine = [...parents(node).entries()];
          mine.sort((a, b) => a[1].join().localeCompare(b[1].join()) || label(a[0]).localeCompare(label(b[0])));
          for (const [parent] of mine) {
            if (!at.has(parent)) {
              at.set(parent, depth + 1);
              next.push(parent);
            }
          }
        }
        if (next.length) found.push(next);
      }
      return found;
    }

    function box(node, x, y, width, role, chosen) {
      const [id, , licence] = nodes[node];
      const room = Math.floor((width - 20) / 7.2);
      const drawn = draw("g", { class: chosen ? "node root" : "node", transform: `translate(${x} ${y})` });
      drawn.append(
        draw("title", {}, [id, label(node) === id ? "" : label(node), licence || ""].filter(Boolean).join(" · ")),
        draw("rect", { width, height: 40, rx: 8 }),
        draw("text", { x: 10, y: 16, class: "role" }, cut(role + (licence ? " · " + licence : ""), room + 4)),
        draw("text", { x: 10, y: 32 }, cut(label(node), room))
      );
      return drawn;
    }
    function curve(x1, y1, x2, y2, near) {
      const middle = (x1 + x2) / 2;
      return draw("path", { class: near ? "edge near" : "edge", d: `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` });
    }
    const roleOf = (child, parent) => (parents(child).get(parent) || []).join(", ");

    function wide(root, columns, width) {
      const gap = 64;
      const boxWidth = Math.min(300, (width - gap * (columns.length - 1)) / columns.length);
      const height = Math.max(...columns.map((nodes) => nodes.length)) * 50;
      const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
      const spot = new Map();
      columns.forEach((nodes, depth) =>
        nodes.forEach((node, row) => spot.set(node, [depth * (boxWidth + gap), ((row + 0.5) * height) / nodes.length - 20])));
      const played = new Map([[root, "item"]]);
      for (const [child, [x, y]] of spot) {
        for (const parent of parents(child).keys()) {
          const [px, py] = spot.get(parent);
          if (!played.has(parent)) played.set(parent, roleOf(child, parent));
          picture.append(px > x ? curve(x + boxWidth, y + 20, px, py + 20, child === root) : curve(x + boxWidth, y + 20, px + boxWidth, py + 20, false));
        }
      }
      for (const [node, [x, y]] of spot) picture.append(box(node, x, y, boxWidth, played.get(node), node === root));
      return picture;
    }

    function narrow(root, width) {
      const rows = [];
      const seen = new Set();
      const direct = parents(root);
      (function walk(node, depth, role, above) {
        const row = rows.length;
        const again = seen.has(node) || (depth > 1 && direct.has(node));
        rows.push({ node, depth, role, above, again });
        if (again) return;
        seen.add(node);
        const mine = [...parents(node).entries()];
        mine.sort((a, b) => a[1].join().localeCompare(b[1].join()) || label(a[0]).localeCompare(label(b[0])));
        for (const [parent, roles] of mine) walk(parent, depth + 1, roles.join(", "), row);
      })(root, 0, "item", -1);
      const picture = draw("svg", { viewBox: `0 0 ${width} ${rows.length * 48}`, width, height: rows.length * 48 });
      rows.forEach(({ depth, above }, row) => {
        if (above < 0) return;
        const x = 22 * depth - 12;
        picture.append(draw("path", { class: depth === 1 ? "edge near" : "edge", d: `M${x} ${above * 48 + 40} V${row * 48 + 20} H${x + 12}` }));
      });
      rows.forEach(({ node, depth, role, again }, row) =>
        picture.append(box(node, 22 * depth, row * 48, width - 22 * depth - 1, again ? role + " (the one shown)" : role, depth === 0)));
      return picture;
    }

    let shown = "";
    function show(wanted) {
      place.textContent = "";
      shown = wanted;
      const width = Math.floor(place.clientWidth);
      if (!numbers.has(shown) || width < 160) return;
      const root = numbers.get(shown);
      const columns = levels(root);
      const picture = width >= 260 * columns.length ? wide(root, columns, width) : narrow(root, width);
      const told = [...parents(root).entries()].map(([parent, roles]) => roles.join(", ") + " " + label(parent));
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", shown + " is made from " + (told.join("; ") || "nothing that is listed"));
      place.append(picture);
    }
    choice.addEventListener("change", () => {
      finder.value = "";
      show(choice.value);
    });
    finder.addEventListener("change", () => {
      const begun = finder.value.trim();
      const fit = numbers.has(begun) ? [begun] : begun ? items.filter((id) => id.startsWith(begun)) : [];
      choice.value = fit.length === 1 ? fit[0] : "";
      show(fit.length === 1 ? fit[0] : "");
      if (begun && fit.length !== 1) place.textContent = fit.length ? "Several items begin so." : "No item begins so.";
    });
    let last = 0;
    new ResizeObserver(() => {
      if (place.clientWidth !== last && shown) show(shown);
      last = place.clientWidth;
    }).observe(place);
    for (const link of document.querySelectorAll("[data-lineage]")) {
      if (!numbers.has(link.dataset.lineage)) link.hidden = true;
      link.addEventListener("click", () => {
        choice.value = link.dataset.lineage;
        show(link.dataset.lineage);
      });
    }
    if (items.length) {
      choice.value = items[0];
      show(items[0]);
    }
  }
  const kept = document.getElementById("lineage-data");
  if (kept) lineage(JSON.parse(kept.textContent));

  // A proof that is pointed to is opened.
  function point() {
    const found = location.hash.startsWith("#proof-") && document.getElementById(location.hash.slice(1));
    if (found) found.querySelectorAll("details").forEach((fold) => (fold.open = true));
  }
  addEventListener("hashchange", point);
  point();
})();
