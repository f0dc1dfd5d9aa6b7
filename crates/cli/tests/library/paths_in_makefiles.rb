# The folders in MAKEFILE_CONFIG are written with variables, and expand to those in CONFIG.
require "rbconfig"
folders = RbConfig::MAKEFILE_CONFIG.select { |name, _| name.end_with?("dir") }
p folders.all? { |name, text| RbConfig.expand(text.dup) == RbConfig::CONFIG[name] }
of_architecture = folders.select { |name, _| name =~ /\A(?:site|vendor).*arch.*dir\z/ }
p of_architecture.values.all? { |text| text.include?("$(sitearch)") }
p folders["archdir"], folders["rubyarchdir"].include?("$(arch)")
