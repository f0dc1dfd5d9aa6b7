# Regular expressions and what they are matched against.
ATOMS = <<'END'.split
  a b . \d \w \s \h \R \X \b \B \A \z \Z \G ^ $ é 日 \p{Alpha} \p{^Greek} [a-c] [^a] [[:alpha:]] [a&&[^b]] [\d-z] (a)
  (?:ab) (?<n>a) \k<n> \k<-1> \g<n> \g<0> \1 \2 (?=a) (?!b) (?<=a) (?<!b) (?>a*) (?i) (?i:a) (?m-x:.) (?~ab) (?#c) \K
  (?(1)a|b) (?(<n>)a) | \x41 \u3042 \u{1f600} \n \cA \M-a \0 \xff ß (?a:\w) (?u) (?d) \p{Han} \N \O \y (?@a)
  [\x00-\x{10ffff}] \P{L} (a|b) (|a) () (a*)* (a+)+ (?:a|a)* ] [ ( ) { } \
END
QUANTIFIERS = ["", "", "", "", "*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{0}", "{,3}", "{2,}",
  "{1,3}", "{3,1}", "{1,2}?", "{1,2}+", "{100}", "{0,1000}", "{99999}", "{100001}", "**", "+*"]
SUBJECTS = ["", "a", "aaaa", "abab", "aaaaaaaaaaaaaaaaaaaaaaaaaab", "é日本", "a\nb\r\nc", "ß ẞ ſ K", "\xff\x80a",
  "e\u0301e", "\u{1f600}\u{1f468}\u200d\u{1f469}", "abc 123 XYZ", "x" * 500, "ab" * 300, "\0"]
ENCODINGS = ["UTF-8", "BINARY", "US-ASCII", "EUC-JP", "Shift_JIS", "UTF-16LE", "ISO-8859-1", "Windows-1252", "GB18030"]

def subject
  text = Kit.roll(3) == 0 ? Kit.changed(Kit.pick(SUBJECTS)) : Kit.pick(SUBJECTS).dup
  Kit.roll(6) == 0 ? text.force_encoding(Kit.pick(ENCODINGS)) : text
end

def attempt
  source = Array.new(1 + Kit.roll(7)) { Kit.pick(ATOMS) + Kit.pick(QUANTIFIERS) }.join
  source = "(#{source})#{Kit.pick(QUANTIFIERS)}" if Kit.roll(4) == 0
  source = Kit.changed(source, ATOMS + QUANTIFIERS) if Kit.roll(4) == 0
  source = source.dup.force_encoding(Kit.pick(ENCODINGS)) if Kit.roll(8) == 0
  options = Kit.roll(8) | Kit.pick([0, 0, 0, 16, 32])
  text = subject
  reads source, options, text
  made = nil
  try { made = Regexp.new(source, options, timeout: 1) }
  return unless made
  try { made.match(text)&.then { |m| [m.pre_match, m.post_match, m.captures, m.named_captures, m.offset(0),
    m.byteoffset(0)] } }
  try { text.scan(made) }
  try { text.gsub(made) { |m| m.upcase } }
  try { text.gsub(made, "\\0\\1\\k<n>\\'") }
  try { text.rindex(made, -Kit.roll(4)) }
  try { text.split(made, Kit.pick([-1, 0, 2])) }
  try { text.byterindex(made) }
  try { text.index(made, Kit.roll(5)) }
  try { text.slice!(made) }
  try { text.partition(made) + text.rpartition(made) }
  try { Regexp.union(made, /b/).match?(text) }
  try { Regexp.new(made.to_s) == made && made.inspect && Regexp.linear_time?(made) && made.names && made.hash }
end
