# Recorded from CRuby 4.1dev.
# Conditions whose truth the compiler knows have no branches, and branches in code that never runs are not counted.
require "coverage"
require "tempfile"

CONDITIONS = [
  "true", "1", "nil", "(true)", "(nil)", "('x')", "__LINE__", "__FILE__", "-> { a }", "(-> { a })", "(1; 2)",
  "((1; 2))", "(foo; 2)", "(x = 5; 2)", "(1; nil)", "(@x; 2)", "({b: [3, 4]}; 2)", "([[1]]; 2)", "((3..4); 2)",
  "([a]; 2)", "()", "[]", "1 && nil", "1 && a", "nil && 1", "nil || 1", "1 || nil", "not 1",
]

def points(text)
  Tempfile.create(%w[coverage .rb]) do |file|
    File.write(file.path, text)
    Coverage.start(branches: true)
    load file.path
    branches = Coverage.result[File.realpath(file.path)][:branches]
    branches.keys.map { |kind, _, *place| [kind, *place.first(2)].join(" ") }
  end
end

CONDITIONS.each do |condition|
  puts condition, points(<<~RUBY).join(", ")
    def m(a)
      if #{condition}
        a ? :x : :y
      else
        b = -> { a ? 1 : 2 }
        def q(a) = a ? 1 : 2
      end
      c = unless #{condition} then a&.b else a&.c end
      unless #{condition} then a&.b else a&.c end
    end
  RUBY
end
