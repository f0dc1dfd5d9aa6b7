# Methods that Ruby 4.1 adds.
def tried
  p yield
rescue StandardError, LoadError => e
  puts "#{e.class}: #{e.message}"
end

2.times do
  tried { [0, 1, 7, 0b10101, 255, 2**1000, 2**1000 - 1, 2**62].map(&:bit_count) }
  tried { -1.bit_count }
  tried { (-2**70).bit_count }
  match = /(?<y>\d{4})(?<m>\d\d)(x)?/.match("20260308")
  tried { [match.integer_at(0), match.integer_at(1), match.integer_at("m"), match.integer_at(:y)] }
  tried { [match.integer_at(9), match.integer_at(-1), match.integer_at(-9)] }
  plain = /\d+(x)?/.match("011")
  tried { [plain.integer_at(0), plain.integer_at(1), plain.integer_at(0, 12), plain.integer_at(0, 0)] }
  tried { match.integer_at("z") }
  tried { plain.integer_at(0, -1) }
  tried { plain.integer_at(0, 1) }
  tried { plain.integer_at(0, 37) }
  ["", "-", " 12", "_1", "0x", "12abc", "-5", "0b", "1__2", "1_2"].each do |text|
    whole = /.*/m.match(text)
    tried { [0, 10, 16].map { |base| whole.integer_at(0, base) } }
  end
  tried { plain.integer_at }
  tried { /.*/.match("x" * 3).integer_at(0) }
  tried { /\d+/.match("1" * 30).integer_at(0) }
  [[3, 7], [3, 10], [0, 10], [3..7], [3...7], [20..30], [-10..0], [..7], [...7], [3..], [3...], [nil, 4], [4, nil],
   [nil..nil]].each do |bounds|
    [1..10, 1...10, 0.., ..10, ...10, ..5, 1..5, 1.., 1..., nil..nil].each { |range| tried { range.clamp(*bounds) } }
  end
  tried { (1..2).clamp(3) }
  tried { (1..10).clamp(Struct.new(:begin, :end, :exclude_end?).new(3, 7, true)) }
  tried { (1..2).clamp(5, 3) }
  tried { (1..2).clamp }
  tried { ("a".."z").clamp("c", "f") }
  ENV["beni_x"] = "1"
  tried { ENV.fetch_values("beni_x") }
  tried { ENV.fetch_values("beni_x", "beni_y") { |name| name * 2 } }
  tried { ENV.fetch_values("beni_x", "beni_y") }
  tried { ENV.fetch_values }
  tried { ENV.fetch_values(3) }
end

module Holder
  tried { autoload_relative :Missing, "no/such/file.rb" }
  tried { autoload?(:Missing).delete_prefix(__dir__) }
  tried { autoload_relative :lower, "x" }
end
tried { Holder.autoload_relative(:Other, "../other.rb") }
tried { Holder.autoload?(:Other) == File.expand_path("../other.rb", __dir__) }
autoload_relative :OnTop, "on_top.rb"
tried { Object.autoload?(:OnTop) == File.join(__dir__, "on_top.rb") }
tried { eval("autoload_relative(:InEval, 'x')", nil, "(eval at x)") }
