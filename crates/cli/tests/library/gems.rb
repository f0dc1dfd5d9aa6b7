# Installed gems are found by `require`, `gem` and their executables; the gems they depend on are activated.
require "fileutils"
require "rbconfig"
require "tmpdir"

def write(path, text)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, text)
end

def specify(home, name, version, more = "")
  write "#{home}/specifications/#{name}-#{version}.gemspec", <<~RUBY
    Gem::Specification.new do |s|
      s.name = "#{name}"
      s.version = "#{version}"
      s.summary = "s"
      s.authors = ["a"]
      s.files = ["lib/#{name}.rb"]
      #{more}
    end
  RUBY
end

def run(home, code, *options)
  environment = { "GEM_HOME" => home, "GEM_PATH" => nil, "RUBYOPT" => nil, "RUBYLIB" => nil }
  puts IO.popen([environment, ENV.fetch("RUBY", RbConfig.ruby), *options, "-e", code, err: [:child, :out]], &:read)
end

Dir.mktmpdir do |home|
  specify home, "greeting", "1.0"
  specify home, "greeting", "2.0", 's.add_dependency "logger"; s.add_dependency "json"'
  specify home, "needy", "1.0", 's.add_dependency "absent"'
  write "#{home}/gems/greeting-1.0/lib/greeting.rb", "Greeting = 1; p RUBY_ENGINE, ::RUBY_ENGINE, defined?(RUBY_ENGINE)"
  write "#{home}/gems/greeting-2.0/lib/greeting.rb", "Greeting = 2"
  write "#{home}/gems/needy-1.0/lib/needy.rb", "Needy = 1"

  run home, 'require "greeting"; p Greeting, Gem.loaded_specs.keys.sort'
  run home, 'p gem("greeting", "< 2"); require "greeting"; p Greeting'
  run home, 'Object.autoload :Greeting, "greeting"; p Greeting'
  run home, 'begin; require "needy"; rescue Gem::MissingSpecError => e; puts e.message[/.*(?= among)/]; end'
  run home, 'begin; require "nowhere"; rescue LoadError => e; p e.message, e.path; end'
  run home, 'begin; gem "nowhere"; rescue LoadError => e; p e.class, e.name; end'
  run home, 'begin; require "greeting"; rescue LoadError => e; p e.path, defined?(Gem), defined?(gem); end',
      "--disable-gems"
  run home, 'require "stringio"; require "json"; p JSON.parse("[1]"), defined?(Gem)'

  # A newer version of a gem of the library.
  specify home, "abbrev", "99.0"
  write "#{home}/gems/abbrev-99.0/lib/abbrev.rb", "module Abbrev; VERSION = 99; end"
  run home, 'require "abbrev"; p Abbrev::VERSION'
  run home, 'p Gem.extension_api_version == "#{Gem.ruby_api_version}-beni"'
  run home, 'p Gem::Specification.find_all_by_name("erb").map(&:default_gem?),
               Gem.bin_path("bundler", "bundle").end_with?("/exe/bundle")'
end
