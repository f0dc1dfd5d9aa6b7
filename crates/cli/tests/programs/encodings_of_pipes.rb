# With a default internal encoding, the ends of a pipe have the default encodings, unless they are named.

def show(*streams)
  streams.each { |stream| p [stream.binmode?, stream.external_encoding, stream.internal_encoding] }
end

show(*IO.pipe, *IO.pipe("euc-jp"))
$-w = nil
[Encoding::UTF_8, Encoding::EUC_JP].each do |external|
  Encoding.default_internal = Encoding::UTF_8
  Encoding.default_external = external
  show(*IO.pipe, *IO.pipe(binmode: true), *IO.pipe("UTF-8:UTF-8", binmode: true), *IO.pipe("sjis"))
  reader, writer = IO.pipe
  writer.write "\u3042"
  writer.close
  text = reader.read
  p text, text.encoding
end

# A broken separator is an error in itself, whatever the encodings.
Encoding.default_external = Encoding.default_internal = Encoding::UTF_8
[["\u3042", "\xa4".b], ["\u3042", "\xfe"], ["\xff", "\u3042"], ["\u3042".encode("euc-jp"), "\xfe"]].each do |text, by|
  text.split(by)
rescue ArgumentError, Encoding::CompatibilityError => error
  puts error.message
end
