# Libraries that are not gems have an entry in the load path; rubygems inserts nothing after it that should take
# precedence over -I.
require "rbconfig"
site, vendor, own = RbConfig::CONFIG.values_at("sitelibdir", "vendorlibdir", "rubylibdir").map { |folder| $LOAD_PATH.index(folder) }
p site < vendor && vendor < own
p Gem.load_path_insert_index == site
