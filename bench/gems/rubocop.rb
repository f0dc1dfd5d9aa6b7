# Checks two files with all cops.
require_relative "harness"
require "rubocop"

CONFIGURATION = RuboCop::ConfigStore.new
$stdout = File.open(File::NULL, "w")

measure do
  options = {formatters: [["quiet", File::NULL]], cache: "false", force_exclusion: false}
  RuboCop::Runner.new(options, CONFIGURATION).run(RUBY_FILES)
end
