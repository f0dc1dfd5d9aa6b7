# Events of a subclass of Ripper in their order: tokens, and the parser events that the parser can produce.
require "ripper"

class Told < Ripper
  attr_reader :told

  def initialize(*)
    @told = []
    super
  end

  # A method may return nil.
  PARSER_EVENTS.each { |event| define_method(:"on_#{event}") { |*| (@told << event) && nil } }
  SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |token| @told << token unless event == :sp } }
end

[
  "def a(x, *y) return 1 if x; b.c { |z| z } end",
  "def a; return; end",
  "class A # comment\n  B = foo(1).bar do; redo; end\nend",
  "def self.a() end",
  "x = [:a, 1.5, %w(d e), %I[f]] # last\ny",
  "while a; b; end",
  "def a() yield; super; rescue B => c; else d + 1; ensure e; end",
  "def a; B = 1; end",
  "a, (b, *c) = d&.e, ->(f) { f }",
].each do |source|
  told = Told.new(source)
  told.parse
  puts told.told.inspect
end
