# Lines and errors of streams that convert what they read. (Recorded from CRuby 4.1.0dev.)
require "tmpdir"
Dir.chdir(Dir.mktmpdir)
def reading(text, mode, **options)
  File.binwrite("t", text)
  File.open("t", mode, **options) { |f| yield f }
rescue ArgumentError, EncodingError => e
  "#{e.class}: #{e.message}"
end
latin = "before \u00FF after"
p reading(latin, "r:utf-8:iso-8859-1") { |f| [f.gets("\xFF".dup.force_encoding("iso-8859-1")), f.read] }
p reading("before \xA1\xA2\xA2\xA3 after", "r:euc-jp:utf-8") { |f| f.gets("\xA2\xA2".dup.force_encoding("euc-jp").encode("utf-8")).size }
p reading("before \xA1\xA2\xA2\xA3 after", "r:euc-jp") { |f| f.gets("\xA2\xA2".dup.force_encoding("euc-jp")).size }
p reading("\x95\x5c|\x5c", "r:shift_jis") { |f| f.each_line("\x5c".dup.force_encoding("shift_jis")).map(&:b) }
p reading("before \xA2\xA2 after", "r:euc-jp") { |f| f.gets("\u00e9") }
p reading("a\nb\n".encode("UTF-16LE"), "rb:utf-16le:utf-8") { |f| f.readlines }
p reading("a\n\u0a0a\n".encode("UTF-16LE"), "rb:utf-16le") { |f| f.each_line.map { it.encode("UTF-8") } }
p reading("a\n".encode("UTF-16LE"), "rb:utf-16le") { |f| f.gets("\n") }
p reading("a\r\nb\r\n".encode("UTF-16BE"), "rt:utf-16be:utf-8") { |f| f.readlines }
p reading("a\r\nb\r\n".encode("UTF-16BE"), "rt:utf-16be:utf-8") { |f| f.read }
p reading("a\r\nb", "r", textmode: true, universal_newline: false) { |f| f.read }
%i[gets read readlines].each do |name|
  File.binwrite("t", "\u{3042}\x80\u{3046}\nx\n")
  File.open("t", "r:utf-8:euc-jp") do |f|
    begin
      f.public_send(name)
    rescue Encoding::InvalidByteSequenceError => e
      p e.error_bytes, f.public_send(name).then { [*it].map { |s| s.encode("UTF-8") } }
    end
  end
  File.binwrite("t", "a\u{1f600}b\nc\n")
  File.open("t", "r:utf-8:euc-jp") do |f|
    f.public_send(name)
  rescue Encoding::UndefinedConversionError => e
    p e.error_char, f.public_send(name)
  end
end
p Encoding::Converter.new([["ISO-8859-1", "EUC-JP"]]).convpath
begin
  Object.new.send(:method_missing, 1)
rescue ArgumentError => e
  p e.message
end
