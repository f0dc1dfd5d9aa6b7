# CGI.escapeHTML and ERB's html_escape replace the same characters wherever they stand.
require "cgi/escape"
require "erb"

entities = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;", "'" => "&#39;" }
wrong = (0..150).sum do |size|
  entities.sum do |char, entity|
    (0..size).step(7).count do |at|
      text = "é#{"x" * at}#{char}#{"%=?;!" * (size / 5)}"
      expected = text.sub(char, entity)
      CGI.escapeHTML(text) != expected || ERB::Util.html_escape(text) != expected ||
        CGI.escapeHTML(text.b) != expected.b
    end
  end
end
p wrong
p CGI.escapeHTML("plain text that has no such characters in any of its words, é"), CGI.escapeHTML("<" * 100).size
p CGI.escapeHTML("&<>\"'" * 30) == entities.values.join * 30
p ERB::Util.html_escape("\xff<").bytes, ERB::Util.html_escape(:"a&b")
