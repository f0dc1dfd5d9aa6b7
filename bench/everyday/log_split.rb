# Request durations by path: splits lines at spaces and at =.
random = Random.new(3)
log = Array.new(80_000) { |i|
  "at=info method=GET path=/p/#{i % 40} status=200 duration=#{random.rand(1..900)}ms" }.join("\n")

durations = log.each_line.with_object({}) do |line, all|
  fields = line.chomp.split(" ").to_h { |pair| pair.split("=", 2) }
  (all[fields["path"]] ||= []) << fields["duration"].delete_suffix("ms").to_i
end
report = durations.map do |path, times|
  sorted = times.sort
  [path, times.sum.fdiv(times.size).round(1), sorted[times.size / 2], sorted[(times.size * 0.95).floor]]
end
puts report.sort_by { |row| -row[1] }.first(3).map { |row| row.join(" ") }
