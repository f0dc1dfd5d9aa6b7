# Recorded from CRuby 4.1dev.
# Methods that share a block, each under its own name again (`alias_method :a, :a`), are counted apart.
require "coverage"
require "tempfile"

SOURCE = <<~'RUBY'
  M = Module.new
  def M.add(name, &block)
    define_method(name, &block)
    alias_method(name, name)
    alias_method(:"other_#{name}", name)
  end
  def M.counted(name) = add(name) { |*list| [name, *list] }
  %i[a b c d].each { |name| M.counted(name) }
RUBY

Tempfile.create(%w[coverage .rb]) do |file|
  File.write(file.path, SOURCE)
  Coverage.start(methods: true)
  load file.path
  object = Object.new.extend(M)
  object.a
  2.times { object.c(1) }
  3.times { object.other_d }
  methods = Coverage.result[File.realpath(file.path)][:methods]
  counted = methods.select { |(owner, *), _| owner == M }
  counted.map { |key, count| [*key, count] }.sort_by { |key| key[1] }.each { p _1 }
end
