# Recorded from CRuby 4.1dev.
require "bson"
time = Time.at(1_700_000_000, 5000).utc
document = {"a" => 1, "b" => [1.5, nil, true, 2**40], "t" => time, "s" => "é", y: /x+/i, "d" => {}}
buffer = document.to_bson
bytes = buffer.to_s
p bytes.size, bytes.encoding, bytes.unpack1("H*")
again = Hash.from_bson(BSON::ByteBuffer.new(bytes))
p again.class, again["b"], again["t"], again["s"], again["y"].compile
p BSON::ObjectId.from_string("4e4d66343b39b68407000001").to_s, BSON::ObjectId.new.to_s.size
p BSON::Binary.new("ab", :generic).to_bson.to_s, BSON::Timestamp.new(1, 2).to_bson.to_s
buffer = BSON::ByteBuffer.new
p buffer.put_int32(7).put_cstring("name").put_string("text").put_double(0.5).length
p buffer.get_int32, buffer.get_cstring, buffer.get_string, buffer.get_double, buffer.length
failing = [-> { buffer.get_int32 }, -> { buffer.put_cstring("a\0b") }, -> { buffer.put_int32(2**40) }]
failing.each { |f| f.call rescue p $!.class }
