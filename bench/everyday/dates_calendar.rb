# Days of many years: Sundays, ends of months, differences, a calendar in words.
require "date"
first = Date.new(1970, 1, 1)
sundays = (first..Date.new(2030, 12, 31)).count(&:sunday?)
months = Hash.new(0)
date = first
while date.year < 2000
  months[date.month] += 1 if date.day == 13 && date.friday?
  date += 1
end
ends = (0...600).map { |i| (first >> i).next_month.prev_day.mday }.tally
weeks = first.step(Date.new(1990, 1, 1), 7).map { |day| day.strftime("%Y-%m-%d %a") }
puts sundays, months.inspect, ends.inspect, weeks.last, (Date.new(2026, 11, 22) - first).to_i, weeks.size
