# Binary records of fixed size: written with pack, read with unpack.
records = Array.new(60_000) { |i| [i, i % 256, i * 0.5, "name#{i % 1000}"] }
data = records.map { |record| record.pack("NCEa12") }.join
size = [0, 0, 0.0, ""].pack("NCEa12").bytesize
sum = 0.0
(0...data.bytesize).step(size) do |offset|
  id, kind, value, name = data.byteslice(offset, size).unpack("NCEZ12")
  sum += value if kind < 128 && name.end_with?("7") && id > 10
end
checksum = data.unpack("C*").sum
words = data.unpack("n*").each_slice(2).sum { |a, b| a ^ (b || 0) }
puts data.bytesize, sum, checksum, words, [data[0, 60]].pack("m0"), data.unpack1("@4C")
