# Counts the words of the files given, or of this program itself.

def words(text)
  text.downcase.scan(/[[:alpha:]]+/)
end

files = ARGV.empty? ? [__FILE__] : ARGV
counts = files.flat_map { |file| words(File.read(file)) }.tally

counts.sort_by { |word, count| [-count, word] }.first(10).each do |word, count|
  puts format("%5d  %s", count, word)
end
