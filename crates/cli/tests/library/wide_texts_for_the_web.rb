# Texts whose encoding does not extend ASCII are escaped by the library's Ruby methods.
require "cgi/escape"
%w[UTF-16LE UTF-32BE].each do |encoding|
  %i[escapeHTML unescapeHTML escape escapeURIComponent unescape].each do |name|
    text = "<a>&' &lt;&#65;é".encode(encoding)
    p CGI.public_send(name, text), text.encode("UTF-8")
  rescue Encoding::CompatibilityError, ArgumentError => error
    p error.class
  end
end
