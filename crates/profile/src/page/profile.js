"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const tabs = [...document.querySelectorAll("nav button")];

function show(name) {
  tabs.forEach((tab) => tab.setAttribute("aria-selected", tab.dataset.tab === name));
  document.querySelectorAll("section").forEach((section) => section.classList.toggle("shown", section.id === name));
  if (name === "timeline") drawTimeline();
  history.replaceState(null, "", "#" + name);
}

// A table that sorts by a click on a heading; the key `/` focuses its search field.
function table(name, columns, rows) {
  const share = (value) => (data.total ? (value * 100 / data.total).toFixed(1) + " %" : "");
  const time = (value) => (value / 1e6).toFixed(1);
  const made = columns.map((column) => {
    if (column === "own" || column === "total") return { name: column + " ms", formatter: time, width: "110px" };
    if (column === "share") return { name: "share", formatter: share, width: "100px" };
    if (column === "source") return { name: "source", formatter: (text) => gridjs.h("code", {}, text) };
    return { name: column };
  });
  new gridjs.Grid({
    columns: made, data: rows, sort: true, search: true, pagination: { limit: 50, summary: true },
  }).render(document.getElementById(name));
}

table("lines", ["share", "own", "total", "line", "method", "source"],
  data.lines.map((row) => [row.own, row.own, row.total, row.path + ":" + row.line, row.method, row.source]));
table("methods", ["share", "own", "total", "method", "kind", "place"],
  data.methods.map((row) => [row.own, row.own, row.total, row.name, row.kind, row.path ? row.path + ":" + row.line : ""]));

// Marks the collector's pauses above a chart: full height for a collection, half for an incremental step.
function drawPauses(chart) {
  const { ctx, bbox } = chart;
  ctx.fillStyle = data.timeline.colours.collector;
  for (const [began, length, isCollection] of data.timeline.pauses) {
    const left = chart.valToPos(began / 1e9, "x", true);
    const width = Math.max(1, chart.valToPos((began + length) / 1e9, "x", true) - left);
    ctx.fillRect(left, bbox.top - 8, width, isCollection ? 8 : 4);
  }
}

// A chart for each thread: its states in each slice of time.
let drawn = false;
function drawTimeline() {
  if (drawn) return;
  drawn = true;
  const place = document.getElementById("timeline");
  const front = getComputedStyle(document.body).color;
  const axis = { stroke: front, grid: { stroke: "#8884" } };
  for (const thread of data.timeline.threads) {
    const states = Object.keys(thread.states);
    new uPlot({
      title: thread.name, width: place.clientWidth - 32, height: 180, cursor: { sync: { key: "time" } },
      scales: { x: { time: false } }, hooks: { draw: [drawPauses] },
      axes: [{ ...axis, values: (_, ticks) => ticks.map((tick) => tick + " s") }, axis],
      series: [{ label: "s" }, ...states.map((state) => ({
        label: state + " ms", stroke: data.timeline.colours[state], fill: data.timeline.colours[state] + "40",
      }))],
    }, [data.timeline.seconds, ...states.map((state) => thread.states[state])], place);
  }
}

tabs.forEach((tab) => tab.addEventListener("click", () => show(tab.dataset.tab)));
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") return;
  const tab = tabs[Number(event.key) - 1];
  if (tab) show(tab.dataset.tab);
  if (event.key === "/") {
    const search = document.querySelector("section.shown input");
    if (search) { search.focus(); event.preventDefault(); }
  }
});
const wanted = location.hash.slice(1);
show(tabs.some((tab) => tab.dataset.tab === wanted) ? wanted : "flame");
