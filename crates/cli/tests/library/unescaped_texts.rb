# What CGI.unescape and CGI.unescapeHTML do with an encoding of nil and with halves of surrogate pairs.
require "cgi/escape"
[[nil], ["UTF-8"], []].each do |encoding|
  p CGI.unescape("%E3%81%82+", *encoding), CGI.unescapeURIComponent("%E3%81%82+", *encoding)
rescue TypeError => e
  puts e.message
end
p CGI.unescapeHTML("&#xD800;&#57343;&#x3042;").bytes
