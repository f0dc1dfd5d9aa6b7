# Memory of loaded code: resident bytes per line of the loaded libraries.

def resident = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i * 1024

LIBRARIES = %w[
  set json yaml csv erb optparse fileutils tempfile time date net/http uri open3 logger rdoc rubygems bundler minitest
  rexml/document ostruct pstore securerandom digest forwardable delegate observer tsort shellwords find pp cgi resolv
  ipaddr open-uri un rubygems/package rubygems/installer rdoc/markdown rdoc/parser/ruby
]

GC.start
before, features = resident, $LOADED_FEATURES.size
LIBRARIES.each do |library|
  require library
rescue LoadError
  # This interpreter does not have the library.
end
GC.start
files = $LOADED_FEATURES[features..].select { |feature| feature.end_with?(".rb") && File.exist?(feature) }
lines = files.sum { |file| File.foreach(file).count }
abort "only #{lines} lines were loaded" if lines < 20_000
puts "lines\t#{lines}"
puts "bytes for each line\t#{((resident - before) / lines.to_f).round(1)}"
