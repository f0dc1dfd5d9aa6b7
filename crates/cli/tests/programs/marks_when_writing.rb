# `BOM|` in modes that do not read: recorded from CRuby 3.4.11.
require "tmpdir"
Dir.mktmpdir do |folder|
  path = "#{folder}/file"
  [
    ["w:BOM|UTF-8", {}], ["w", { encoding: "BOM|UTF-8" }], ["a", { encoding: "bom|utf-16le" }], ["w+:BOM|UTF-8", {}],
    ["w", { external_encoding: "BOM|UTF-8" }], ["w", { encoding: "bom|utf-8", universal_newline: false }]
  ].each do |mode, options|
    File.open(path, mode, **options) { |file| p file.external_encoding, file.write("ä") }
  rescue ArgumentError => error
    p error.message
  end
  p File.binread(path)
  File.write(path, "\uFEFFabc")
  p File.open(path, "r", encoding: "BOM|UTF-8", &:read)
end
