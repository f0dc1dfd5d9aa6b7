# Files found in a folder of `$LOAD_PATH` that is a symbolic link have the path without the link.
require "tmpdir"
Dir.mktmpdir do |tmp|
  root = File.realpath(tmp)
  Dir.mkdir(File.join(root, "real"))
  File.symlink("real", File.join(root, "link"))
  File.write(File.join(root, "real/one.rb"), "$seen = __FILE__; require_relative 'two'")
  File.write(File.join(root, "real/two.rb"), "autoload :ThreeOfLink, 'three'")
  File.write(File.join(root, "real/three.rb"), "ThreeOfLink = __FILE__")
  show = ->(path) { path.delete_prefix(root) }
  $:.unshift(File.join(root, "link"), File.join(root, "later"))
  p $:.resolve_feature_path("one").map { |part| show.(part.to_s) }
  p require("one"), show.($seen), require(File.join(root, "link/one")),
    require(File.join(root, "real/one")), require("one")
  p show.(ThreeOfLink), $".grep(/#{root}/).map(&show)
  p $:.resolve_feature_path("one").map { |part| show.(part.to_s) }
  load("one.rb")
  p show.($seen)
  load(File.join(root, "link/one.rb"))
  p show.($seen)
  File.symlink("real", File.join(root, "later"))
  File.write(File.join(root, "real/four.rb"), "$seen = __FILE__")
  $:.shift
  p require("four"), show.($seen), show.($:.first)
end
