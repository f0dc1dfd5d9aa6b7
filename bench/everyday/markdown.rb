# A small converter of Markdown, line by line.
text = <<~TEXT * 400
  # A *title* here
  Some text with **bold**, _italic_ and `code <b>`; see [the site](http://example.com/x?y=1).

  - first item
  - second **item**

  ## Section
  > quoted words
  1. numbered
TEXT
def inline(line)
  line.gsub("&", "&amp;").gsub("<", "&lt;")
      .gsub(/`([^`]+)`/) { "<code>#{$1}</code>" }
      .gsub(/\*\*(.+?)\*\*/, '<b>\1</b>').gsub(/\*(.+?)\*/, '<em>\1</em>').gsub(/\b_(.+?)_\b/, '<i>\1</i>')
      .gsub(/\[(?<label>[^\]]+)\]\((?<url>[^)]+)\)/, '<a href="\k<url>">\k<label></a>')
end
html = nil
8.times do
  list = false
  html = text.each_line(chomp: true).map do |line|
    out = case line
          when /\A(\#{1,6})\s+(.*)/ then "<h#{$1.size}>#{inline($2)}</h#{$1.size}>"
          when /\A[-*] (.*)/ then "#{"<ul>" unless list}<li>#{inline($1)}</li>"
          when /\A> (.*)/ then "<blockquote>#{inline($1)}</blockquote>"
          when /\A\d+\. (?<item>.*)/ then "<li>#{inline($~[:item])}</li>"
          when "" then nil
          else "<p>#{inline(line)}</p>"
          end
    out = "</ul>#{out}" if list && line !~ /\A[-*] /
    list = line.start_with?("- ")
    out
  end.compact.join("\n")
end
puts html.size, html.lines.first(5).join
