# Writes a file line by line, reads it in several ways, and filters it into another.
require "tmpdir"
Dir.mktmpdir do |dir|
  path = File.join(dir, "numbers.txt")
  File.open(path, "w") { |file| 150_000.times { |i| file.puts "line #{i} #{i * 31 % 977}" } }
  sum = 0
  File.foreach(path) { |line| sum += line.split.last.to_i }
  File.open("#{path}.out", "w") do |out|
    File.open(path) do |file|
      while (line = file.gets)
        out.write(line.upcase) if line.include?(" 9")
      end
    end
  end
  longest = File.readlines(path, chomp: true).max_by(&:size)
  printed = File.open("#{path}.2", "w") { |file| 30_000.times { |i| file.printf("%05d;%s\n", i,
      "x") ; file << i << "\n" }; file.pos }
  puts sum, File.size("#{path}.out"), longest, printed, File.read(path).count("\n"), IO.readlines("#{path}.out").first
end
