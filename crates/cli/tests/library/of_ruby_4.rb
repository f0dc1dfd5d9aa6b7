# Recorded from CRuby 4.1dev: what changed in the libraries of Ruby 4.0.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

# Pathname is a core class; its file adds some methods even to the loaded class.
t { [Pathname, Pathname::VERSION, Pathname.method_defined?(:find)] }
t { [require("pathname"), Pathname.method_defined?(:find), require("pathname")] }

# All ways to combine short paths; a checksum replaces the texts.
parts = ["", "a", ".", "..", "/", "//", "a/", "b/.", "../", "./c", "/..", ".h//x"]
texts = parts.product(parts).map(&:join).uniq
sum = 0
add = lambda do |text|
  text.each_byte { |byte| sum = (sum * 31 + byte) & 0xffffffff }
end
texts.each do |text|
  path = Pathname(text)
  add.(path.cleanpath.to_s)
  add.(path.cleanpath(true).to_s)
  add.([path.root?, path.absolute?, path.parent, path.each_filename.to_a].join("|"))
  add.([path.ascend.to_a, path.descend.to_a].join("|"))
  texts.each do |other|
    add.((path + other).to_s)
    add.(path.join(other, "..", text).to_s)
    add.(path.relative_path_from(other).to_s)
  rescue ArgumentError => e
    add.(e.message)
  end
end
t { [texts.size, sum] }
t { Pathname("a").relative_path_from("../b") }
t { Pathname("/a").relative_path_from("b") }
t { Pathname("/").mountpoint? }

require "tmpdir"
Dir.mktmpdir do |folder|
  deep = Pathname(folder) + "a/b/c"
  t { deep.mkpath.equal?(deep) && deep.directory? }
  t { deep.mkpath.directory? }
  deep.join("file").write("x")
  t { deep.children.map(&:basename) }
  t { Pathname(folder).find.map { |path| path.relative_path_from(folder).to_s }.sort }
  t { deep.join("file", "below").mkpath rescue $!.class }
end

require "cgi/escape"
t { [CGI.escapeHTML("<a&b>"), CGI.unescapeHTML("&lt;&#65;"), CGI.escape("a b/c"), CGI.unescape("a+b%2Fc")] }
t { [CGI.escapeElement('<BR><A HREF="url"></A>', "A"), CGI.unescape_uri_component("a%20b")] }
t { CGI::Cookie }

t { [Encoding::UNICODE_VERSION.frozen?, "e\u0301".unicode_normalize, "\u00e9".unicode_normalize(:nfd).size] }

require "json"
t { [JSON::Parser::Config, JSON.parser, JSON.generator, JSON_LOADED, JSON.parse("[1]"), JSON.generate([nil])] }

require "io/console"
t { File.open(__FILE__, &:ttyname) }

require "set"
t { $LOADED_FEATURES.grep(/set|pathname\.so/).sort }
