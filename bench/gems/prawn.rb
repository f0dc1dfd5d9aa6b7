# Creates a PDF document with 40 paragraphs.
require_relative "harness"
require "prawn"

measure do
  document = Prawn::Document.new
  40.times do |i|
    document.text "Paragraph #{i}: " + "the quick brown fox jumps over the lazy dog " * 10
    document.move_down 5
    document.stroke_horizontal_rule
  end
  document.render.size
end
