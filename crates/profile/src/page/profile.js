"use strict";
const time = (value) => (value / 1e6).toFixed(1);
const place = (row) => row.path ? row.path + ":" + row.line : "";
const costs = [
  ["share", (value) => percent(value, data.total), "100px"], ["own ms", time, "110px"], ["total ms", time, "110px"],
];

drawers.lines = () => table("lines", [...costs, ["line", null], ["method", null], ["source", code]],
  data.lines.map((row) => [row.own, row.own, row.total, place(row), row.method, row.source]));
drawers.methods = () => table("methods", [...costs, ["method", null], ["kind", null], ["place", null]],
  data.methods.map((row) => [row.own, row.own, row.total, row.name, row.kind, place(row)]));

// The files with the costs of their lines in the margin.
drawers.source = (section) => {
  const choice = element("select", {}, section);
  const body = element("div", { className: "source" }, section);
  data.files.forEach((file, i) => element("option", { value: i, textContent: `${percent(file.own, data.total)}  ${file.path}` }, choice));
  function list() {
    const file = data.files[choice.value || 0];
    if (!file) return;
    const costs = new Map(data.lines.filter((row) => row.path === file.path).map((row) => [row.line, row]));
    body.replaceChildren(...file.text.split("\n").map((text, i) => {
      const row = costs.get(file.first + i);
      const line = element("div", { className: row ? "cost" : "" });
      if (row) line.style.setProperty("--share", row.own / data.total);
      for (const cell of [row ? time(row.own) : "", row ? time(row.total) : "", file.first + i]) element("span", { textContent: cell }, line);
      element("code", { textContent: text }, line);
      return line;
    }));
    const dearest = data.lines.find((row) => row.path === file.path);
    if (dearest) body.children[dearest.line - file.first]?.scrollIntoView({ block: "center" });
  }
  choice.addEventListener("change", list);
  list();
};

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

// A chart for each thread with its states in each slice of time; below the charts, the pauses, the longest first.
drawers.timeline = (section) => {
  const front = getComputedStyle(document.body).color;
  const axis = { stroke: front, grid: { stroke: "#8884" } };
  for (const thread of data.timeline.threads) {
    const states = Object.keys(thread.states);
    new uPlot({
      title: thread.name, width: section.clientWidth - 32, height: 180, cursor: { sync: { key: "time" } },
      scales: { x: { time: false } }, hooks: { draw: [drawPauses] },
      axes: [{ ...axis, values: (_, ticks) => ticks.map((tick) => tick + " s") }, axis],
      series: [{ label: "s" }, ...states.map((state) => ({
        label: state + " ms", stroke: data.timeline.colours[state], fill: data.timeline.colours[state] + "40",
      }))],
    }, [data.timeline.seconds, ...states.map((state) => thread.states[state])], section);
  }
  const { stops } = data.timeline;
  const longest = stops.count ? `, the longest ${time(data.timeline.pauses[0][1])} ms` : "";
  element("p", { id: "stops", textContent: `${count(stops.count)} stops by the collector, ${time(stops.total)} ms${longest}` }, section);
  if (stops.count) {
    table("stops", [["at s", (value) => (value / 1e9).toFixed(3)], ["ms", (value) => (value / 1e6).toFixed(3)], ["stop", null]],
      data.timeline.pauses.map(([began, length, isCollection]) => [began, length, isCollection ? "collection" : "marking step"]),
      element("div", {}, section));
  }
};
begin();
