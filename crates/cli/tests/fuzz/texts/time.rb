# Times and dates from texts, and in texts.
require "time"
require "date"

DIRECTIVES = [*"a".."z", *"A".."Z", "+", "%", ":z", "::z", ":::z", "", "\0", "é", "-", "10", "-5", "0", "_", "^", "#",
  "E", "O"]
FLAGS = ["", "", "", "-", "0", "^", "#", "_", ":", "::", "10", "3", "100", "E", "O", "2147483647", "99999999999",
  "-0^#5"]
TEXTS = ["2001-02-03 04:05:06 +0900", "2001-02-03T04:05:06.789Z", "Sat, 3 Feb 2001 04:05:06 GMT",
  "Sat Feb  3 04:05:06 2001", "10:20", "3rd Feb 2001",
         "H13.02.03", "20010203", "2001-W05-6", "2001-034", "12:30pm EST", "-4712-01-01", "99999999999-01-01", "1e400",
           "2000-12-31 23:59:60", "S63.1.2", "@0", "xmas"]
ZONES = [nil, "UTC", "Z", "+09:00", "-23:59:59", "A", "+25:00", "EST", "+0900", "x", 3600, -86_399, 86_400, 0.5,
  "+09:60"]

def attempt
  text = Kit.changed(Kit.pick(TEXTS), Kit::PIECES + %w[Jan sat noon BC AD +99:99 T W Z utc dst])
  directive = Array.new(1 + Kit.roll(6)) { Kit.pick(["", " ",
    "-"]) + "%" + Kit.pick(FLAGS) + Kit.pick(DIRECTIVES) }.join
  directive = Kit.changed(directive) if Kit.roll(6) == 0
  directive = directive.dup.force_encoding(Kit.pick(["UTF-16LE", "BINARY", "EUC-JP"])) if Kit.roll(12) == 0
  zone = Kit.pick(ZONES)
  reads text, directive, zone
  try { Time.parse(text) }
  try { Time.new(text, in: zone) }
  try { Time.iso8601(text) }
  try { Time.strptime(text, directive) }
  try { Date.parse(text, Kit.roll(2) == 0, limit: nil) }
  try { DateTime.strptime(text, directive) }
  try { Date._parse(text) }
  try { Date._strptime(text, directive) }
  %i[iso8601 rfc3339 xmlschema rfc2822 httpdate jisx0301].each { |name| try { DateTime.public_send(name, text) } }
  moment = Kit.pick([0, -1, 1.5, 1r / 3, 2**31, 2**40, 2**62, -2**62, 2**80, 1e20, -1e300])
  time = nil
  try { time = Time.at(moment, Kit.pick([0, 999_999_999, -5, 1r / 7]), Kit.pick(%i[nsec usec millisecond]), in: zone) }
  if time
    try { time.strftime(directive) }
    try { [time.inspect, time.to_a, time.round(Kit.roll(30)), time.iso8601(Kit.pick([0, 9, 100])), time.to_date,
      time + moment] }
    try { Marshal.load(Marshal.dump(time)).localtime(zone) }
  end
  parts = Array.new(1 + Kit.roll(7)) { Kit.pick(Kit::NUMBERS + Kit::FLOATS + ["1", "jan", nil, 1r / 3]) }
  reads parts
  try { Time.utc(*parts) }
  try { Time.new(*parts, in: zone).strftime(directive) }
  try { Date.new(*parts.first(3)).strftime(directive) }
  try { d = DateTime.new(*parts); [d >> parts[0], d + 1, d.strftime(directive), d.inspect, d.jd, d.to_time] }
  try { Date.commercial(*parts.first(3)).step(Date.today, 2**40).first(2) }
end
