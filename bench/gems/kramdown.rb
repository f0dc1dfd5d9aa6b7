# Converts six documents to HTML.
require_relative "harness"
require "kramdown"

FILES = %w[calls gc heap jit profiling tracing].map { |name| File.expand_path("../../docs/#{name}.md", __dir__) }
TEXT = FILES.map { |file| File.read(file) }.join("\n")

measure { Kramdown::Document.new(TEXT).to_html.size }
