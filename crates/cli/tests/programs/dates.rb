# Recorded from CRuby 3.4.11: Date and DateTime as CRuby's own tests use them.
require "date"

p DateTime.parse("2006-08-08T23:15:33-2400").strftime("%z"), Date._parse("1999-08-22 00:45:29 -9959")[:offset]
p DateTime.parse("23:55:30").then { |d| [d.hour, d.min, d.sec, d.to_date == Date.today] }
p DateTime.strptime("23:55", "%H:%M").min
p (Date.new(2004, 9, 19) + 1r / 2).to_datetime.hour
p Date.new(2001, 2, 3).strftime.encoding, Date::MONTHNAMES[1].encoding
p Marshal.load("\x04\x06u:\tDate\x0F\x04\x06[\ai\x03\xE8i%T").start

full = DateTime.new(2001, 2, 3, 4, 5, 6)
p full.strftime("%-40c"), full.strftime("%40c"), full.strftime("%_12z"), full.strftime("%012z")
[["%100000z", full], ["%Y", Date.new(1 << 10_000)]].each do |format, date|
  date.strftime(format)
rescue SystemCallError => error
  p error.class
end
p Time.at(0).utc.strftime("%70000z").size

found = Date._parse("Jan 1" + "0" * 100_000, limit: 200_000)
p found[:mon], found[:year] == 10**100_000

nothing = Object.new
def nothing.<=>(_) = nil
begin
  Date.new(2000, 1, 1).step(Date.new(1999, 12, 31), nothing) { }
rescue ArgumentError
  p :incomparable
end
class Strange < Numeric
  def to_r = self
end
begin
  full.new_offset(Strange.new)
rescue TypeError
  p :no_offset
end

require "psych"
tagged = Psych::Nodes::Stream.new.tap do |stream|
  stream.children << Psych::Nodes::Document.new.tap { |document| document.children << Psych::Nodes::Sequence.new(nil, "バー", false) }
end
p tagged.to_yaml.class rescue p String

# The program's `$~` does not change.
"abc" =~ /(b)/
[Date.parse("2026-11-22"), Date.iso8601("2026-11-22"), Date.strptime("22/11/2026", "%d/%m/%Y"),
 DateTime.parse("2026-11-22T10:00:00+02:00"), Date.rfc2822("Sat, 3 Feb 2001 00:00:00 +0000"),
 Date.httpdate("Sat, 03 Feb 2001 00:00:00 GMT"), Date.jisx0301("H13.02.03"), Date.xmlschema("2001-02-03"),
 Date.rfc3339("2001-02-03T04:05:06+07:00")].each { |date| p [date.day, $1] }
p Date._parse("10:00"), $1
