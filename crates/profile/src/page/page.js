"use strict";
// The parts that all pages have: tabs, tables, keys, light and dark colours.
const data = JSON.parse(document.getElementById("data").textContent);
const tabs = [...document.querySelectorAll("nav button")];
// Functions by tab, which draw the tab's section when it is shown for the first time.
const drawers = {};

function show(name) {
  tabs.forEach((tab) => tab.setAttribute("aria-selected", tab.dataset.tab === name));
  document.querySelectorAll("section").forEach((section) => section.classList.toggle("shown", section.id === name));
  const draw = drawers[name];
  delete drawers[name];
  if (draw) draw(document.getElementById(name));
  history.replaceState(null, "", "#" + name);
}

// Called once all drawers are known.
function begin() {
  const wanted = location.hash.slice(1);
  show(tabs.some((tab) => tab.dataset.tab === wanted) ? wanted : tabs[0].dataset.tab);
}

const percent = (part, whole) => (whole ? (part * 100 / whole).toFixed(1) + " %" : "");
const count = (number) => number.toLocaleString("en");
function bytes(number) {
  let unit = 0;
  while (Math.abs(number) >= 1024 && unit < 4) [number, unit] = [number / 1024, unit + 1];
  return (unit ? number.toFixed(1) : number) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][unit];
}
const code = (text) => gridjs.h("code", {}, text);

// A table that sorts by a click on a heading. Columns: [heading, formatter or null, width or null].
function table(name, columns, rows, place = document.getElementById(name)) {
  new gridjs.Grid({
    columns: columns.map(([heading, formatter, width]) => ({
      name: heading, ...(formatter && { formatter }), ...(width && { width }),
    })),
    data: rows, sort: true, search: true, pagination: { limit: 50, summary: true },
  }).render(place);
}

function element(tag, attributes, parent) {
  const made = Object.assign(document.createElement(tag), attributes);
  if (parent) parent.append(made);
  return made;
}

function changeTheme() {
  const root = document.documentElement;
  const isDark = getComputedStyle(root).getPropertyValue("color-scheme") === "dark"
    || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = isDark ? "light" : "dark";
  dispatchEvent(new Event("themechange"));
}

tabs.forEach((tab) => tab.addEventListener("click", () => show(tab.dataset.tab)));
document.getElementById("theme").addEventListener("click", changeTheme);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.tagName === "INPUT") {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const tab = step ? tabs[(at + step + tabs.length) % tabs.length] : tabs[Number(event.key) - 1];
  if (tab) show(tab.dataset.tab);
  if (event.key === "t") changeTheme();
  if (event.key === "/") {
    const search = document.querySelector("section.shown input");
    if (search) { search.focus(); event.preventDefault(); }
    const frame = document.querySelector("section.shown iframe");
    if (frame && frame.contentWindow.search_prompt) frame.contentWindow.search_prompt();
  }
});
