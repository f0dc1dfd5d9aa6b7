# Filters a system log with =~ and $1, in the style of one-liners.
lines = Array.new(120_000) do |i|
  "Nov #{1 + i % 28} 10:#{i % 60}:#{i % 59} host#{i % 7} #{%w[sshd cron kernel nginx][i % 4]}[#{i % 3000}]: " +
    (i % 5 == 0 ? "Failed password for user#{i % 40} from 10.1.#{i % 200}.7 port #{i}" : "session opened ok #{i}")
end

attempts = Hash.new { |hash, user| hash[user] = [] }
daemons = Hash.new(0)
lines.each do |line|
  daemons[$1] += 1 if line =~ / (\w+)\[\d+\]: /
  attempts[$1] << $2 if line =~ /Failed password for (\w+) from ([\d.]+)/
  next if line !~ /error|failed/i
end
puts daemons.inspect, attempts.size, attempts["user15"].uniq.size, lines.grep(/host3 nginx/).size
