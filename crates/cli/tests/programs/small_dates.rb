# Dates whose fields are fixnums use the fast paths of Date, others its Ruby half. Recorded with CRuby 3.4.11.
require "date"

def try
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

[[2024, 1, 2], [1582, 10, 4], [1582, 10, 15], [-1, 3, 4], [2024, 2, 29], [10_000, 1, 1], [2**70, 5, 6]].each do |year, month, day|
  date = Date.new(year, month, day)
  p date, [date.year, date.mon, date.day, date.wday, date.yday, date.jd], date.iso8601, date.strftime("%j %a %Z %s %F %T %L")
  p date + 1, date - 1, date >> 1, date << 13, date <=> Date.new(2024, 1, 2), date == date.dup
end
try { Date.new(2023, 2, 29) }
try { Date.new(2023, -1, -1) }
try { Date.new(1582, 10, 10) }
try { Date.new("a") }
try { Date.new(2023, 1, 1, Date::JULIAN).to_s }
try { [Date.valid_date?(2023, 2, 30), Date.valid_date?(2023, 2, -1), Date.valid_date?("a", 2, 1), Date.valid_civil?(1582, 10, 10)] }
try { [Date.new(1582, 12, 31).yday, Date.new(1582, 12, 31).strftime("%j"), Date.new(2024, 1, 2).instance_variables] }
try { DateTime.new(2024, 1, 2, 3, 4, 5) }
try { DateTime.new(2024, 1, 2, 3, 4, 5.5) }
try { DateTime.new(2024, 1, 2, 24) }
try { DateTime.new(2024, 1, 2, 24, 0, 1) }
try { DateTime.new(2024, 1, 2, -1, -1, -1, "+9") }
class Mine < Date
  def initialize(*parts) = super
end
try { Mine.new(2024, 1, 31) >> 1 }

FORMATS = ["%Y-%m-%d", "%d/%b/%Y:%H:%M:%S %z", "%Y%m%d", "%s", "%Q", "%FT%T.%L%z", "%A %B %e", "%I:%M %p", "%j %Y", "%U %w", "%F %T %Z", "%C%y", "%E%Y", "%%%Y", "%N"]
TEXTS = ["2024-01-02", "10/Oct/2023:13:55:36 +0000", "20240102", "-5", "2024-01-02T03:04:05.678+09:00", "Tuesday January  2", "03:04 p.m.", "045 2024",
         "2024-01-02 03:04:05 JST", "%2024", "12345678901234567890", "2024-01-02 é"]
FORMATS.each { |format| TEXTS.each { |text| found = Date._strptime(text, format) and p [format, text, found] } }
try { Date.strptime("2024-02", "%Y-%m") }
try { Date.strptime("2024-13-02", "%Y-%m-%d") }
try { DateTime.strptime("2024-01-02T03:04:05+09:00") }
