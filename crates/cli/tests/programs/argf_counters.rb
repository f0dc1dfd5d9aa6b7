# ARGF's counter of lines, `$.`, copies of ARGF, and its encodings before the first file.
require "tmpdir"

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    File.write("a", "1\n2\n")
    File.write("b", "3\n4\n5\n")
    ARGV.replace(%w[a b])
    p [ARGF.external_encoding.is_a?(Encoding), ARGF.internal_encoding.is_a?(Encoding)]
    ARGF.gets
    p [$., ARGF.lineno, ARGF.internal_encoding]
    ARGF.gets
    ARGF.gets
    p [$., ARGF.lineno]
    ARGF.lineno = 100
    p $.
    ARGF.gets
    p $.
    $. = 200
    p ARGF.lineno
    ARGF.gets
    p [$., ARGF.lineno, ARGF.gets]

    ARGV.replace(%w[a b])
    copy = ARGF.dup
    copy.gets
    copy.gets
    p [$., copy.lineno]
    copy.gets
    p [$., copy.lineno]
    copy.lineno = 50
    p [$., copy.lineno]
  end
end
begin
  Marshal.dump(ARGF)
rescue => error
  p error.class
end
