"use strict";
// The groups of the dominator tree: [parent, name, objects, own bytes, retained bytes, new bytes].
const [PARENT, NAME, OBJECTS, OWN, RETAINED, FRESH] = [0, 1, 2, 3, 4, 5];
const groups = data.groups;
const children = groups.map(() => []);
groups.forEach((group, i) => { if (i > 0) children[group[PARENT]].push(i); });

drawers.map = (section) => {
  const bar = element("div", { className: "bar" }, section);
  const way = element("div", { className: "way" }, bar);
  const search = element("input", { type: "search", placeholder: "class or place" }, bar);
  const about = element("p", { className: "about" }, section);
  const map = element("div", { className: "map" }, section);
  let top = 0;

  const label = (i) => {
    const group = groups[i];
    return group[OBJECTS] > 1 ? `${group[NAME]} × ${count(group[OBJECTS])}` : group[NAME];
  };
  function describe(i) {
    const group = groups[i];
    const fresh = data.isCompared ? `, new ${bytes(group[FRESH])}` : "";
    about.textContent = `${label(i)}: retained ${bytes(group[RETAINED])} (${percent(group[RETAINED], groups[0][RETAINED])}), own ${bytes(group[OWN])}${fresh}`;
  }
  // Without a comparison, each name has a colour. With one, areas are grey to red by their share of new bytes.
  function colour(i, depth) {
    const group = groups[i];
    if (data.isCompared) {
      const share = group[RETAINED] ? group[FRESH] / group[RETAINED] : 0;
      return `hsl(8 ${Math.round(share * 75)}% ${Math.round(80 - share * 20 - depth * 3)}%)`;
    }
    let hash = 0;
    for (const c of group[NAME].split(" ")[0]) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
    return `hsl(${hash % 360} 45% ${80 - depth * 5}%)`;
  }
  function draw() {
    // Draws three levels of children within each other. The area that remains stands for the group's own bytes.
    const nested = (i, depth) => ({
      i, rest: groups[i][RETAINED] - (depth < 3 ? children[i].reduce((sum, child) => sum + groups[child][RETAINED], 0) : 0),
      children: depth < 3 ? children[i].map((child) => nested(child, depth + 1)) : [],
    });
    const root = d3.hierarchy(nested(top, 0)).sum((node) => Math.max(node.rest, 0)).sort((a, b) => b.value - a.value);
    d3.treemap().size([map.clientWidth, map.clientHeight]).paddingTop((node) => node.depth > 0 && node.children ? 18 : 0)
      .paddingInner(1)(root);
    const wanted = search.value.toLowerCase();
    const tiles = [];
    root.each((node) => {
      const [width, height] = [node.x1 - node.x0, node.y1 - node.y0];
      if (node.depth === 0 || width < 3 || height < 3) return;
      const { i } = node.data;
      const tile = element("button", { className: "tile", textContent: width > 40 && height > 14 ? label(i) : "", title: label(i) });
      Object.assign(tile.style, {
        left: node.x0 + "px", top: node.y0 + "px", width: width + "px", height: height + "px", background: colour(i, node.depth),
      });
      tile.classList.toggle("faded", wanted !== "" && !within(i, wanted));
      tile.dataset.group = i;
      tile.addEventListener("click", () => enter(children[i].length ? i : groups[i][PARENT]));
      tile.addEventListener("focus", () => describe(i));
      tile.addEventListener("mouseover", () => describe(i));
      tiles.push(tile);
    });
    map.replaceChildren(...tiles);
    const ways = [];
    for (let i = top; ; i = groups[i][PARENT]) {
      ways.unshift(element("button", { textContent: label(i), onclick: () => enter(i) }));
      if (i === 0) break;
    }
    way.replaceChildren(...ways.flatMap((button, i) => i ? [" › ", button] : [button]));
    describe(top);
  }
  // Whether the name of a group, or of one below it, contains the search text.
  const known = new Map();
  function within(i, wanted) {
    const key = wanted + "\n" + i;
    if (!known.has(key)) {
      known.set(key, groups[i][NAME].toLowerCase().includes(wanted) || children[i].some((child) => within(child, wanted)));
    }
    return known.get(key);
  }
  function enter(i) {
    top = i;
    draw();
  }
  search.addEventListener("input", draw);
  addEventListener("resize", draw);
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT" || !section.classList.contains("shown")) return;
    if (event.key === "Escape" || event.key === "Backspace") enter(groups[top][PARENT]);
  });
  draw();
};

const sums = (heading) => [["retained", bytes, "120px"], ["share", (value) => percent(value, groups[0][RETAINED]), "90px"],
  ["own", bytes, "120px"], ["objects", count, "120px"], [heading, null]];
const sumRows = (rows) => rows.map(([name, objects, own, retained]) => [retained, retained, own, objects, name]);
drawers.classes = () => table("classes", sums("class"), sumRows(data.classes));
drawers.places = () => table("places", sums("place of allocation"), sumRows(data.places));
drawers.generations = () => table("generations", sums("generation"), sumRows(data.generations));
drawers.objects = () => table("objects", [["retained", bytes, "120px"], ["own", bytes, "120px"], ["object", null], ["from a root", code]], data.objects);
drawers.strings = () => table("strings", [["wasted", bytes, "120px"], ["objects", count, "120px"], ["value", code]], data.strings);
drawers.growth = () => table("growth",
  [["new bytes", bytes, "120px"], ["new objects", count, "120px"], ["class and place", null]], data.growth);
begin();
