# Changed programs: parsed, compiled, and parsed by the libraries prism and ripper. The sources are this repository's
# and, if they were fetched, ruby/spec's. None is run.
require "prism"
require "ripper"

ROOT = File.expand_path("../../../../..", __dir__)
FOLDERS = ["crates/cli/tests", "crates/core/src", "examples", "bench", "target/spec/ruby/language",
  "target/spec/ruby/core/kernel"]
FILES = FOLDERS.flat_map { |folder| Dir.glob("#{ROOT}/#{folder}/**/*.rb") }.sort
PARTS = Kit::PIECES + ["def ", "end\n", "end ", "class ", "class << ", "module ", "do |x|\n",
  "{ |a, (b, *c), d: 1, **e, &f| ", "if ", "unless ", "while ", "until ", "case ", "when ", "in ", "then ", "else\n",
                       "begin\n", "rescue => e\n", "ensure\n", "return ", "break ", "next ", "redo ", "retry ",
                         "yield ", "super ", "super(", "self.", "nil", "->(x) { ", "=> ", "&.", "**", "...", "..",
                         "||= ", "&&= ",
                       "<<~A\n", "<<-'B'\nB\n", "A\n", "%w[", "%i(", "%q{", "%r{", "/x/o", "?a", ":\"a\#{",
                         "alias a b\n", "undef x\n", "BEGIN {", "END {", "defined? ", "not ", "and ", "or ",
                         "__END__\n", "__FILE__", "__method__",
                       "@a", "@@b", "$c", "$1", "$~", "A::B", "::C", "it", "_1", "for a, b in ", "a, *b, (c, d) = ",
                         "1..", "rescue nil", " = 1", "[*a, **b]", "f(&)", "f(*)", "f(**)", "f(...)", "=begin\n=end\n",
                       "# frozen_string_literal: true\n", "# encoding: euc-jp\n", "private def x = ",
                         "a => {b:, **nil}\n", "in [x, *, ^y]\n", "in {a: Integer | nil => z} if w\n", "0x", "1r",
                         "2i", "\\\n", "\"\\u{110000}\"", "\"\\M-\\C-x\""]

def attempt
  text = File.binread(Kit.pick(FILES))
  # A part of the file, begun and ended at lines.
  lines = text.lines
  first = Kit.roll(lines.length.clamp(1..))
  text = lines[first, 1 + Kit.roll(40)].to_a.join if Kit.roll(4) > 0
  text = Kit.changed(text, PARTS, most: 6).force_encoding("UTF-8")
  reads text
  sequence = nil
  try { sequence = RubyVM::InstructionSequence.compile(text) }
  if sequence
    try { sequence.disasm }
    try { RubyVM::InstructionSequence.load_from_binary(sequence.to_binary) }
    try { sequence.to_a }
  end
  try { RubyVM::InstructionSequence.compile("def x\n#{text}\nend", "x", "x", Kit.pick([1, 0, -5, 2**31 - 1])) }
  try { Prism.parse(text).value.inspect }
  try { Prism.lex(text) }
  try { Ripper.sexp(text) }
  try { Ripper.lex(text) }
  try { RubyVM::AbstractSyntaxTree.parse(text, keep_tokens: true).children }
end
