# Strings of matches, Emacs-Mule, streams of subclasses.
class S < String; end
p S.new("abc").match(/b/).string.class, S.new("abc" * 99).match(/b/).string.frozen?
p (S.new("b") =~ /b/; $~.string.class)
p Regexp.new("a|b".encode("Emacs-Mule")), "\x92\xa4\xa2x".dup.force_encoding("Emacs-Mule") =~ /x/

require "stringio"
class W < StringIO
  def write(*a) = super(*a.map { |x| "[#{x}]" })
  def gets(*, **) = super&.upcase
  def getc = raise("getc")
  def closed? = raise("closed?")
end
w = W.new
w.putc("x")
w.puts(nil, "", "a")
p w.string
w = W.new(+"ab\ncd\n")
p w.readline, w.readline(chomp: true), (w.readline rescue $!.class), w.seek(0), w.each_char.to_a.size
