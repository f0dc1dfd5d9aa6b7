# Forty patterns that programs use, each on lines of its kind: nanoseconds a line, of a match or of what the row says.
#
#   ruby bench/rows/regexps.rb [PART OF A LABEL]
LOG = (0...200).map do |i|
  %(10.0.#{i % 256}.#{i * 7 % 256} - user#{i % 17} [26/Nov/2026:14:#{10 + i % 50}:#{10 + i * 3 % 50} +0000] ) +
    %("#{%w[GET POST PUT][i % 3]} /items/#{i}/edit?page=#{i % 9}&q=ruby+#{i} HTTP/1.1" #{[200, 404, 302][i % 3]} ) +
    %(#{i * 31} "https://example.com/list?id=#{i}" "Mozilla/5.0 (X11; Linux x86_64)")
end.freeze
TEXT = (0...200).map do |i|
  "The user no. #{i} (mail: first.last#{i}@example#{i % 5}.com) met on 2026-11-#{10 + i % 20} in Zürich's café; " \
    "it cost $#{i},#{100 + i}.50, isn't that much?"
end.freeze
CODE = (0...200).map do |i|
  "  def method_#{i}(first, second = #{i}, *rest, key: \"value #{i}\") # TODO: see issue ##{i}, or CamelCase#{i}Name"
end.freeze
CONFIG = (0...200).map { |i| "key_#{i} = \"value #{i}\"   # comment #{i}" }.freeze

def processor_time = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

def row(label, lines)
  return if ARGV[0] && !label.include?(ARGV[0])
  best = (0...5).map do
    rounds = 0
    started = processor_time
    while processor_time - started < 0.02
      lines.each { |line| yield line }
      rounds += 1
    end
    (processor_time - started) / rounds / lines.size
  end.min
  puts "#{label}\t#{(best * 1e9).round(1)}"
end

COMMON = /\A(?<host>\S+)\ \S+\ (?<user>\S+)\ \[(?<time>[^\]]+)\]\ "(?<verb>\w+)\ (?<path>\S+)[^"]*"
  \ (?<status>\d+)\ (?<bytes>\d+)/x
row("named groups of a log line", LOG) { |line| (m = COMMON.match(line)) && m[:path] }
row("groups of a log line", LOG) { |line| line =~ /\A(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+)/ && $4 }
row("named captures", LOG) { |line| /(?<verb>GET|POST) (?<path>\S+)/.match(line)&.named_captures }
row("local variables", LOG) { |line| /page=(?<page>\d+)/ =~ line && page }
row("a literal", LOG) { |line| line.match?(/Mozilla/) }
row("a literal that is missing", LOG) { |line| line.match?(/Opera/) }
row("alternative words", LOG) { |line| line.match?(/POST|PUT|DELETE/) }
row("ignoring case", LOG) { |line| line.match?(/mozilla/i) }
row("anchored at the start", LOG) { |line| line.match?(/\A\d+\.\d+/) }
row("anchored at the end", LOG) { |line| line.match?(/x86_64\)"\z/) }
row("address", LOG) { |line| line[/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/] }
row("status", LOG) { |line| line[/" (\d{3}) /, 1] }
row("quoted texts", LOG) { |line| line.scan(/"([^"]*)"/) }
row("numbers", LOG) { |line| line.scan(/\d+/) }
row("words", TEXT) { |line| line.scan(/\w+/) }
row("letters of all scripts", TEXT) { |line| line.scan(/\p{L}+/) }
row("words with apostrophes", TEXT) { |line| line.scan(/[[:alpha:]]+(?:'[[:alpha:]]+)?/) }
row("mail address", TEXT) { |line| line[/[\w.+-]+@[\w-]+\.[\w.]+/] }
row("date", TEXT) { |line| line =~ /(\d{4})-(\d{2})-(\d{2})/ && $~.captures }
row("price", TEXT) { |line| line[/\$(\d{1,3}(?:,\d{3})*\.\d\d)/, 1] }
row("text in parentheses", TEXT) { |line| line[/\((.*?)\)/, 1] }
row("spaces squeezed", TEXT) { |line| line.gsub(/\s+/, " ") }
row("vowels replaced", TEXT) { |line| line.gsub(/[aeiou]/, "*") }
row("replaced by a hash", TEXT) { |line| line.gsub(/[&<>"']/, "&" => "&amp;", "<" => "&lt;", "'" => "&#39;") }
row("replaced by a block", TEXT) { |line| line.gsub(/\d+/) { |digits| digits.succ } }
row("replaced with a reference", TEXT) { |line| line.gsub(/(\w+)@/, '\1 at ') }
row("first replaced", TEXT) { |line| line.sub(/\s*;.*/, "") }
row("split at separators", TEXT) { |line| line.split(/[\s,;:]+/) }
row("backreference", TEXT) { |line| line[/(\w)\1/] }
row("look-ahead", TEXT) { |line| line[/\w+(?=@)/] }
row("look-behind", TEXT) { |line| line[/(?<=mail: )[^)]+/] }
row("underscored", CODE) { |line| line.gsub(/([A-Z\d]+)([A-Z][a-z])/, '\1_\2').gsub(/([a-z\d])([A-Z])/, '\1_\2') }
row("method definition", CODE) { |line| line =~ /^\s*def\s+(\w+[?!]?)\s*\(([^)]*)\)/ && $1 }
row("string literal", CODE) { |line| line[/"(?:[^"\\]|\\.)*"/] }
row("comment", CODE) { |line| line[/#.*$/] }
row("TODO with its number", CODE) { |line| line =~ /TODO: .*#(\d+)/ && $1 }
row("extended, a setting", CONFIG) { |line| line =~ /\A\s*(\w+)\s*=\s*"([^"]*)"\s*(?:\#.*)?\z/x && $2 }
row("thousands separated", CONFIG) { |line| "1234567".gsub(/(\d)(?=(\d{3})+$)/, '\1,') }
row("last digits", CONFIG) { |line| line.rindex(/\d+/) }
row("interpolated pattern", CONFIG) { |line| line.match?(/#{line[0, 5]}\s*=/) }
