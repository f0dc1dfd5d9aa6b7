# A name that is required is that of a loaded feature only in a folder of the load path; the first folder counts.
require "tmpdir"
Dir.mktmpdir do |top|
  top = File.realpath(top)
  %w[a b c a/inner].each { |name| Dir.mkdir("#{top}/#{name}") }
  files = %w[a/x b/x c/x a/inner/x c/y b/y.rb c/z.tar]
  files.each { |name| File.write("#{top}/#{name}.rb", "$seen << #{name.dump}\n") }
  $seen = []
  own = $LOAD_PATH.dup
  use = ->(*folders) { $LOAD_PATH.replace(folders.map { |folder| "#{top}/#{folder}" } + own) }

  use.("a", "b")
  p require("x"), require("x"), require("x.rb"), require("inner/x"), require("inner/x"), $seen
  use.("b", "a")
  p require("x"), require("x"), $seen
  use.("c")
  p require("x"), require("#{top}/a/x"), $seen.last
  use.("a/inner", "c")
  p require("x"), $seen.last
  use.("b", "c")
  p require("y"), require("y.rb"), require("y"), require("z.tar"), require("z.tar.rb"), $seen.last(3)
  p $LOADED_FEATURES.last(5).map { |file| file.delete_prefix("#{top}/") }
  $LOADED_FEATURES.reject! { |file| file.end_with?("/c/x.rb") }
  use.("c")
  p require("x"), require("x"), $seen.last
  $LOADED_FEATURES << "#{top}/nowhere/w.rb" << "v" << "u.rb"
  use.("nowhere")
  %w[w v u t x/].each do |name|
    p require(name)
  rescue LoadError => error
    p error.message
  end
end
