# Parses dates in several notations, sorts them and groups them by month.
require "date"
texts = Array.new(12_000) do |i|
  y, m, d = 1990 + i % 30, 1 + i % 12, 1 + i % 28
  case i % 4
  when 0 then format("%04d-%02d-%02d", y, m, d)
  when 1 then "#{d} #{Date::MONTHNAMES[m]} #{y}"
  when 2 then format("%02d/%02d/%04d", d, m, y)
  else format("%04d%02d%02dT101500+0200", y, m, d)
  end
end

dates = texts.map { |text| text.include?("/") ? Date.strptime(text, "%d/%m/%Y") : Date.parse(text) }
bad = texts.first(3_000).count { |text| Date.valid_date?(text.to_i, 2,
    30) || !Date.iso8601(text).is_a?(Date) rescue true }
puts dates.min, dates.max, dates.group_by(&:month).transform_values(&:size).inspect, bad, dates.uniq.size
