# Repeated `require` while the program changes `$LOADED_FEATURES` and `$LOAD_PATH`.
require "tmpdir"

Dir.mktmpdir do |folder|
  folder = File.realpath(folder)
  %w[one two].each do |name|
    Dir.mkdir(File.join(folder, name))
    File.write(File.join(folder, name, "features_change_a.rb"), "$loads << #{name.inspect}\n")
  end
  File.write(File.join(folder, "two", "features_change_b.rb"), "$loads << :b\np require(\"features_change_b\")\n")
  $loads = []
  asked = -> { 2.times.map { require "features_change_a" } }

  $LOAD_PATH.unshift(File.join(folder, "two"))
  p asked.call, $loads
  $LOAD_PATH.unshift(File.join(folder, "one"))
  p asked.call, $loads

  $LOADED_FEATURES.reject! { |feature| feature.end_with?("features_change_a.rb") }
  p asked.call, $loads

  place = $LOADED_FEATURES.index { |feature| feature.end_with?("features_change_a.rb") }
  $LOADED_FEATURES[place] = "/nowhere/features_change_a.rb"
  p asked.call, $loads

  path = File.join(folder, "two", "features_change_a")
  p 2.times.map { require path }, 2.times.map { require "#{path}.rb" }, $loads

  begin
    require "features_change_c"
  rescue LoadError => error
    puts error.message
  end
  File.write(File.join(folder, "two", "features_change_c.rb"), "$loads << :c\n")
  p 2.times.map { require "features_change_c" }, $loads.last

  p require("features_change_b"), require("features_change_b")
  $LOADED_FEATURES.pop
  p require("features_change_b"), require("features_change_b"), $loads.count(:b)
end
