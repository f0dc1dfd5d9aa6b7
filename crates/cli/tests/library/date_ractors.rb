# The library's constants are shareable: Ractors parse and format dates.
require "date"

texts = Ractor.new do
  [
    Date.parse("3rd Feb 2001"),
    DateTime.parse("H31.04.30T23:59:59+09:00"),
    Date.strptime("2001-W05-6", "%G-W%V-%u"),
    Date.httpdate("Sat, 03 Feb 2001 00:00:00 GMT"),
    Date.rfc2822("Sat, 3 Feb 2001 00:00:00 +0000"),
    Date.new(2001, 2, 3).strftime("%A %b"),
    Date.new(2001, 2, 3).jisx0301,
  ].map(&:to_s)
end
puts texts.value
