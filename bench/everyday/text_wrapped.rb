# Wraps text to a width, indents it, counts its paragraphs.
sentence = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. "
paragraph = sentence * 12
text = Array.new(80) { |i| "#{i}. #{paragraph}" }.join("\n\n")
wrapped = indented = greedy = nil
6.times do
  wrapped = text.gsub(/(.{1,72})(?:\s+|\z)/, "\\1\n")
  indented = wrapped.gsub(/^/, "    ").lines.map(&:rstrip).join("\n")
  greedy = text.split("\n\n").map do |part|
    part.split.each_with_object([+""]) do |word, lines|
      lines << +"" if lines.last.size + word.size + 1 > 72
      lines.last << " " unless lines.last.empty?
      lines.last << word
    end.join("\n")
  end
end
puts wrapped.lines.size, indented.size, greedy.sum { |part| part.count("\n") }, wrapped.lines[3],
     text.scan(/\b[a-z]+\b/).uniq.size,
     text.split(/(?<=[.,])\s+/).size
