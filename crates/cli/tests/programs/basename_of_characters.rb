# Recorded from CRuby 4.1dev.
# A suffix of File.basename begins where a character begins, and its encoding is ASCII-compatible.
p File.basename("foo\x93_a".dup.force_encoding("cp932"), "_a").bytes
p File.basename("foo\x93__a".dup.force_encoding("cp932"), "_a").bytes
p File.basename("\u{4032}.\u{3024}", ".\u{3024}"), File.basename("folder/a.rb", ".*"), File.basename("a.rb", "b")
[["foo.ext", ".*".encode("UTF-16LE")], ["foo", "o\0"], [1, "o\0"]].each do |arguments|
  File.basename(*arguments)
rescue ArgumentError, TypeError, Encoding::CompatibilityError => error
  puts "#{error.class}: #{error.message}"
end
