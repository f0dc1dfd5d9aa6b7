# `require` in a Ractor where rubygems has replaced Kernel#require. The output was recorded from CRuby 4.1dev.
require "rubygems"
p Ractor.new { require "json"; JSON.generate([1]) }.value
p Ractor.new { [require("json"), require("set")] }.value
p Ractor.new { begin; require "no_such_file"; rescue LoadError => e; e.path; end }.value
p Kernel.ancestors.map(&:inspect), require("json")
