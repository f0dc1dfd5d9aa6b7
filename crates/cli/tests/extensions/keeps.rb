require "thin"

other = Thread.new { sleep }
p [Thin.next_of(Thread.current), Thin.next_of(Thread.current), Thin.next_of(other)]
other.kill
begin
  Thin.new_keys
rescue ThreadError => e
  puts e.message
end
p Thin.is_object("a" * 3), Thin.is_object(Object.new)

class Shown
  def write(*texts) = texts.sum { |text| $stdout.write(text[/warning.*/m]) }
end
$stderr = Shown.new
Warning[:deprecated] = true
Thin.warns
$VERBOSE = true
Thin.warns
$VERBOSE = false

# A String keeps its NUL, whatever Ruby does with it.
[0, 3, 8, 15, 16, 23, 24, 40, 247, 248, 4095].each do |size|
  whole = "a" * size
  p Thin.lengths(whole) { it << "b" }, Thin.lengths(whole) { it << "c" * 50 }, Thin.lengths(whole) { it.replace("d") }
end
# A piece of another String, too, of every length.
p (1..1200).select { |size| Thin.lengths(("a" * 1300)[0, size]) { }.first != size }
p Thin.lengths("abcdefgh" * 10) { it.slice!(0, 3) }
p Thin.lengths("abcdefgh" * 10) { it.chop! }
p Thin.lengths(("abcdefgh" * 20)[3, 60]) { it.clear }
p Thin.lengths(("abcdefgh" * 20).freeze) {}
p Thin.lengths("abc".freeze) {}
p Thin.lengths("あいう".dup) { it.setbyte(0, 65) }

open = Thin::Open.new
p 300.times.map { [open.respond_to?(:anything), open.respond_to?(:nothing)] }.uniq
p Thin::Open.private_method_defined?(:respond_to_missing?), open.method(:anything).class
puts Thin::Worded.new("of its own").full_message(highlight: false)[/a message.*/]
p Thin.strays
