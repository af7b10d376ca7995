"use strict";
// Filters and keys. The page is whole without them: what is hidden here is only what a reader asked not to see.
(() => {
  const byId = (id) => document.getElementById(id);
  const form = document.querySelector(".tools");
  const lists = [...document.querySelectorAll(".found, .rest")];
  const files = [...document.querySelectorAll(".file")].map((element) => ({
    element,
    name: element.querySelector("h3")?.textContent || "",
    list: element.parentElement,
    count: 0,
  }));
  const parts = files.flatMap((file) =>
    [...file.element.querySelectorAll(".part")].map((element) => ({ element, file, count: 0 })),
  );
  const entries = parts.flatMap((part) =>
    [...part.element.children].map((element) => ({
      element,
      part,
      file: part.file,
      verdict: element.dataset.v,
      codes: (element.dataset.c || "").split(" "),
      host: element.dataset.h || "",
      words: null,
      shown: true,
    })),
  );
  const names = {
    mismatch: "mismatched", unverifiable: "unverifiable", claim: "claims",
    finding: "other findings", verified: "verified",
    alternative: "other source", suppressed: "suppressed", unknown: "not looked up",
  };
  const present = Object.keys(names).filter((name) => entries.some((entry) => entry.verdict === name));

  const add = (parent, name, values) => parent.appendChild(Object.assign(document.createElement(name), values));

  function choices(select, all, values) {
    const counts = new Map();
    for (const value of values) if (value) counts.set(value, (counts.get(value) || 0) + 1);
    add(select, "option", { value: "", textContent: all });
    for (const [value, count] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))
      add(select, "option", { value, textContent: `${value} (${count})` });
    select.hidden = counts.size < 2;
  }

  choices(byId("c"), "All codes", entries.flatMap((entry) => entry.codes));
  choices(byId("h"), "All hosts", entries.map((entry) => entry.host));
  choices(byId("f"), "All documents", entries.map((entry) => entry.file.name));
  for (const [index, name] of present.entries()) {
    const label = add(byId("v"), "label", { title: `${index + 1}` });
    add(label, "input", { type: "checkbox", checked: true, defaultChecked: true, value: name });
    add(label, "span", { textContent: names[name], className: name });
  }
  const verdicts = [...byId("v").querySelectorAll("input")];
  const nothing = add(document.querySelector("main"), "p", { className: "nothing", textContent: "Nothing fits these filters.", hidden: true });

  function filter() {
    const words = byId("q").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const shownVerdicts = new Set(verdicts.filter((box) => box.checked).map((box) => box.value));
    const [code, host, file] = ["c", "h", "f"].map((id) => byId(id).value);
    const full = new Set();
    let count = 0;
    for (const counted of [...files, ...parts]) counted.count = 0;
    for (const entry of entries) {
      const fits =
        shownVerdicts.has(entry.verdict) &&
        (!code || entry.codes.includes(code)) &&
        (!host || entry.host === host) &&
        (!file || entry.file.name === file) &&
        (!words.length || holds(entry, words));
      if (fits !== entry.shown) entry.element.hidden = !(entry.shown = fits);
      if (fits) entry.part.count++;
    }
    for (const { element, file, count: fitting } of parts) {
      element.hidden = !fitting;
      // How high it will be about: what is not in view has no layout.
      element.style.containIntrinsicBlockSize = `${fitting * (element.matches("ol") ? 36 : 190)}px`;
      file.count += fitting;
    }
    for (const file of files) {
      file.element.hidden = !file.count;
      count += file.count;
      if (file.count) full.add(file.list);
    }
    for (const list of lists) list.hidden = entries.length > 0 && !full.has(list) && list.querySelector(".file") !== null;
    nothing.hidden = count > 0 || !entries.length;
    byId("n").value = count === entries.length ? `all ${count.toLocaleString("en")}` : `${count.toLocaleString("en")} of ${entries.length.toLocaleString("en")}`;
    form.dataset.at = String(Number(form.dataset.at || 0) + 1);
  }

  function holds(entry, words) {
    entry.words ??= `${entry.element.textContent} ${entry.file.name}`.replace(/\s+/g, " ").toLowerCase();
    return words.every((word) => entry.words.includes(word));
  }

  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());

  for (const row of document.querySelectorAll(".tables li")) {
    const [select, value] = row.dataset.h ? [byId("h"), row.dataset.h] : [byId("f"), row.dataset.f];
    const old = row.firstElementChild;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...(old.matches("a") ? old.childNodes : [old.cloneNode(true)]));
    button.addEventListener("click", () => {
      select.value = select.value === value ? "" : value;
      filter();
      form.scrollIntoView();
    });
    old.replaceWith(button);
  }

  function theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }
  byId("theme").addEventListener("click", theme);
  byId("help").addEventListener("click", () => byId("keys").showModal());

  function step(by) {
    const shown = entries.filter((entry) => entry.shown);
    if (!shown.length) return;
    const at = shown.findIndex((entry) => entry.element.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(Math.max(at + by, 0), shown.length - 1);
    shown[next].element.focus({ preventScroll: true });
    shown[next].element.scrollIntoView({ block: "nearest" });
  }
  const follow = (selector) => document.activeElement?.closest?.(".e")?.querySelector(selector)?.click();
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: () => follow("a.src"),
    l: () => follow("a.place"),
    "/": () => byId("q").focus(),
    x: () => form.reset(),
    t: theme,
    "?": () => byId("keys").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    const field = event.target.closest?.("input[type=search], select");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    const box = /^[1-9]$/.test(event.key) ? verdicts[event.key - 1] : null;
    if (box) {
      box.click();
    } else if (Object.hasOwn(keys, event.key)) {
      keys[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });

  form.hidden = !entries.length;
  filter();
  // The words are gathered while nobody waits for them.
  let next = 0;
  const gather = (idle) => {
    while (next < entries.length && idle.timeRemaining() > 2) holds(entries[next++], [""]);
    if (next < entries.length) requestIdleCallback(gather);
  };
  globalThis.requestIdleCallback?.(gather);
})();
