# Visibility in files that are loaded with a wrapper, and files that are reached through symbolic links.
# (Recorded from CRuby 4.1.0dev.)
require "tmpdir"

Dir.mktmpdir do |folder|
  folder = File.realpath(folder)
  path = File.join(folder, "wrapped.rb")
  File.write(path, "def inner = 1\nprivate :inner\ndef other = 2\npublic :other\ndefine_method(:third) { 3 }")
  wrapper = Module.new
  load(path, wrapper)
  p wrapper.private_instance_methods(false), wrapper.instance_methods(false).sort
  p Object.private_method_defined?(:inner)

  %w[a b].each { |name| Dir.mkdir(File.join(folder, name)) }
  File.write(File.join(folder, "a/first.rb"), "require_relative 'second'")
  File.write(File.join(folder, "a/second.rb"), "puts 'second'")
  %w[first second].each { |name| File.symlink("../a/#{name}.rb", File.join(folder, "b/#{name}.rb")) }
  $LOAD_PATH.unshift(File.join(folder, "b"))
  p require("second"), require("first")
  p require(File.join(folder, "a/second")), $LOADED_FEATURES.grep(/second/).map { |f| f.delete_prefix(folder) }
  $LOADED_FEATURES.reject! { |f| f.end_with?("b/second.rb") }
  p require(File.join(folder, "a/second"))
end
