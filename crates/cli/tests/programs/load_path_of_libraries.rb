# Libraries that are no gems have a place in the load path, behind which rubygems puts nothing that -I would have to
# beat.
require "rbconfig"
site, vendor, own = RbConfig::CONFIG.values_at("sitelibdir", "vendorlibdir", "rubylibdir").map { |folder| $LOAD_PATH.index(folder) }
p site < vendor && vendor < own
p Gem.load_path_insert_index == site
