module Gem
  class << self
    # The gems that come with the standard library are in its folder, those installed for all users in #default_dir.
    def default_path
      paths = Dir.exist?(Gem.user_home) ? [user_dir] : []
      paths << default_dir << bundled_dir
      paths << vendor_dir if vendor_dir && Dir.exist?(vendor_dir)
      paths
    end

    def default_specifications_dir = File.join(bundled_dir, "specifications", "default")

    private def bundled_dir = File.join(BENI_STDLIB, "gems")
  end
end
