# Converts a document with 60 sections to HTML.
require_relative "harness"
require "asciidoctor"

SECTION = <<~TEXT
  == Section

  Some *bold* and _italic_ text with `code` and a https://example.com[link].

  * item one
  * item two with +mono+
  ** nested item

  . first
  . second

  |===
  |a |b |c

  |1 |2 |*3*
  |4 |5 |6
  |===

  [source,ruby]
  ----
  puts 1
  ----

  NOTE: take note.

TEXT
TEXT = "= Title\n:toc:\n\n" + SECTION * 60

measure { Asciidoctor.convert(TEXT, header_footer: true, safe: :safe).size }
