# Parses command lines: options with optparse, words as a shell splits them.
require "optparse"
require "shellwords"
totals = Hash.new(0)
1_500.times do |i|
  options = { verbose: false }
  parser = OptionParser.new do |opts|
    opts.banner = "Usage: tool [options]"
    opts.on("-v", "--[no-]verbose", "Run verbosely") { |v| options[:verbose] = v }
    opts.on("-n", "--count N", Integer, "How many") { |n| options[:count] = n }
    opts.on("-f", "--format FORMAT", %i[json text], "Format") { |f| options[:format] = f }
    opts.on("--list A,B", Array) { |list| options[:list] = list }
  end
  rest = parser.parse(Shellwords.split("-v --count #{i} -f json --list x,'y z' \"file #{i}.txt\" other\\ file"))
  totals[options[:format]] += options[:count] + rest.size + options[:list].size
  totals[parser.help.lines.size] += 1
end
puts totals.inspect, Shellwords.escape("it's a file"), %w[a b\ c].shelljoin
