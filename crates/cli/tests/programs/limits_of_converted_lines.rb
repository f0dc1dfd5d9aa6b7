# Limits of lines count the bytes after the conversion to the internal encoding, completed to a character.
require "tmpdir"
Dir.mktmpdir do |folder|
  path = File.join(folder, "text")
  File.write(path, "0123\u00e456\nline \u3042\u3044\n\nlast")
  ["r:utf-8:utf-32le", "r:utf-8:utf-16be", "r:utf-8:iso-8859-1", "r:iso-8859-1:utf-8"].each do |mode|
    [1, 3, 4, 5, 8, 100].each do |limit|
      File.open(path, mode) do |f|
        read = []
        3.times { read << [f.gets(limit), f.lineno] }
        p read.map { |line, number| [line&.b, number] }
      rescue EncodingError => error
        p read, error.class
      end
    end
  end
  File.write(path, "\u3042" * 30_000)
  File.open(path, "r:utf-8:utf-16le") { |f| p f.gets(50_001).bytesize, f.gets(50_001).bytesize, f.gets(1) }
  File.open(path, "r:utf-8:euc-jp") { |f| p f.readlines("\u3042".encode("euc-jp"), 3).size }
  File.open(path, "r:utf-8:ascii", undef: :replace) { |f| p f.gets(5), f.gets(2).size }
end
