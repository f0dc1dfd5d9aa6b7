# Paths at the edges: masks, links without targets, encodings, methods of File that are overridden.
require "pathname"
require "tmpdir"

Dir.mktmpdir do |folder|
  folder = File.realpath(folder)
  Dir.chdir(folder) do
    File.umask(0o077)
    Pathname("a/b").mkpath(mode: 0o775)
    p %w[a a/b].map { |path| format("%o", File.stat(path).mode & 0o777) }

    File.symlink("missing", "link")
    File.symlink("../#{File.basename(folder)}/./link", "chain")
    File.symlink("loop", "loop")
    p %w[link chain].map { |path| Pathname(path).realdirpath.to_s.delete_prefix(folder) }
    %w[loop missing/child].each do |path|
      File.realdirpath(path)
    rescue SystemCallError => e
      p e.class
    end
  end
  p File.open(folder, File::RDWR | File::TMPFILE) { |file| file.path }
end

begin
  Pathname.new("a".encode("UTF-32BE"))
rescue => e
  p e.class
end

base = Object.new
def base.cleanpath = Pathname("/a/b")
def base.is_a?(kind) = kind == Pathname
p Pathname("/a/c").relative_path_from(base)

path = Pathname.allocate
p %w[/ /// a a/ a//].map { |text| path.send(:has_trailing_separator?, text) }
p %w[/ /// a a/ //a/b//].map { |text| path.send(:del_trailing_separator, text) }

def File.split(path) = nil
begin
  Pathname("a").split
rescue TypeError => e
  puts e.message
end
