# A relative folder of the load path is one of the current directory, whichever that is when `require` is called.
require "tmpdir"

Dir.mktmpdir do |top|
  top = File.realpath(top)
  %w[one two].each do |name|
    Dir.mkdir("#{top}/#{name}")
    Dir.mkdir("#{top}/#{name}/lib")
    File.write("#{top}/#{name}/lib/relative_feature.rb", "$seen << #{name.inspect}")
  end
  $seen = []
  $LOAD_PATH.unshift("lib")
  results = 2.times.map do
    %w[one two].map { |name| Dir.chdir("#{top}/#{name}") { [require("relative_feature"), require("tmpdir")] } }
  end
  p results, $seen
  ENV["HOME"] = "#{top}/two"
  $LOAD_PATH[0] = "~/lib"
  p require("relative_feature")
end
puts `RUBYLIB=:/tmp::/usr #{RbConfig.ruby} -e 'p $LOAD_PATH.first(2)'`
