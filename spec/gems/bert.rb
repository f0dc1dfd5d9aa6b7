# Recorded from CRuby 4.1dev. The part in Ruby that encodes needs Fixnum.
require "bert"
p BERT::Decode.impl
atom = ->(name) { [100, name.size, name].pack("CnA*") }
list = ->(*items) { [108, items.size].pack("CN") + items.join + "j" }
tuple = ->(*items) { [104, items.size].pack("CC") + items.join }
text = ->(bytes) { [109, bytes.bytesize].pack("CN") + bytes.b }
bert = ->(*rest) { tuple[atom["bert"], *rest] }
decoded = ->(bytes) { BERT::Decode.decode("\x83".b + bytes) rescue $!.class }
small, int, big = [97, 200].pack("CC"), [98, -300 & 0xffffffff].pack("CN"), [110, 8, 1, 2**63].pack("CCCQ<")
p decoded[tuple[atom["user"], small, int, big]], decoded[text["é"]]&.encoding, decoded["j"]
p decoded[list[text["a"], list[small], bert[atom["nil"]], bert[atom["true"]]]], decoded[[99, "1.5e3"].pack("Ca31")]
p decoded[bert[atom["dict"], list[tuple[atom["k"], text["v"]]]]], decoded[bert[atom["time"], small, small, small]].to_i
p decoded[[107, 3, "abc"].pack("CnA*")], decoded["\x01"], decoded[text["cut"][0, 6]], decoded[""]
