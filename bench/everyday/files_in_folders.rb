# Creates, lists, measures and moves a tree of folders.
require "fileutils"
require "pathname"
require "find"
require "tmpdir"
Dir.mktmpdir do |dir|
  root = Pathname(dir)
  30.times do |i|
    folder = root.join("d#{i % 6}", "sub#{i}")
    folder.mkpath
    25.times { |j| folder.join("f#{j}.#{%w[rb txt md][j % 3]}").write("content #{i} #{j}\n" * j) }
  end
  sizes = Hash.new(0)
  10.times do
    Dir.glob("**/*.rb", base: dir).each { |name| sizes[File.dirname(name)] += File.size(File.join(dir, name)) }
    Find.find(dir) { |path| sizes[File.extname(path)] += 1 if File.file?(path) }
    root.glob("*/*").each { |path| sizes[path.basename.to_s[0, 3]] += path.children.size }
  end
  FileUtils.cp_r(root.join("d1"), root.join("copy"))
  FileUtils.mv(root.join("copy"), root.join("moved"))
  FileUtils.rm_rf(root.join("d2"))
  puts sizes.values.sum, sizes[".rb"], root.glob("moved/**/*.md").size, root.children.map { |c|
     c.basename.to_s }.sort.join(" ")
end
