"use strict";
const columns = (heading) => [["bytes", bytes, "110px"], ["share", (value) => percent(value, data.bytes), "90px"],
  ["objects", count, "110px"], ["survived", count, "110px"], [heading, null]];
const shown = (row) => row.line ? row.name + ":" + row.line : row.name || "(buffers)";
const parts = (row) => row.parts.map(([name, objects]) => objects ? `${name} × ${count(objects)}` : name || "(buffers)").join(", ");
const cells = (row) => [row.bytes, row.bytes, row.objects, row.survived, shown(row), parts(row)];

drawers.lines = () => table("lines", [...columns("line"), ["classes", null], ["source", code]],
  data.lines.map((row) => [...cells(row), row.source]));
drawers.classes = () => table("classes", [...columns("class"), ["lines", null]],
  data.classes.map(cells));
begin();
