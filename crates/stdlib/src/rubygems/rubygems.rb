# The gems of the standard library count as installed in the default folder: a search of the default folder finds them
# too.
Gem::PathSupport.prepend(Module.new do
  private def split_gem_path(paths, home)
    found = super
    found.include?(expand(Gem.default_dir)) ? found | [expand(Gem.bundled_dir)] : found
  end
end)

module Gem
  # CRuby loads it right after rubygems.
  autoload :BUNDLED_GEMS, "bundled_gems"

  class << self
    # The gems that come with the standard library are in its folder, those installed for all users in #default_dir.
    def default_path
      paths = Dir.exist?(Gem.user_home) ? [user_dir] : []
      paths << default_dir << bundled_dir
      paths << vendor_dir if vendor_dir && Dir.exist?(vendor_dir)
      paths
    end

    # Keeps what is compiled for Beni apart from what is compiled for CRuby where both use the same folder of gems.
    def extension_api_version = "#{ruby_api_version}-beni"

    def default_specifications_dir = File.join(bundled_dir, "specifications", "default")

    def bundled_dir = File.join(BENI_STDLIB, "gems")
  end
end
