class File::Stat
  include Comparable

  def dev; __number(0); end
  def dev_major; __number(1); end
  def dev_minor; __number(2); end
  def ino; __number(3); end
  def mode; __number(4); end
  def nlink; __number(5); end
  def uid; __number(6); end
  def gid; __number(7); end
  def rdev; __number(8); end
  def rdev_major; __number(9); end
  def rdev_minor; __number(10); end
  def size; __number(11); end
  def blksize; __number(12); end
  def blocks; __number(13); end
  def atime; __time(0); end
  def mtime; __time(1); end
  def ctime; __time(2); end
  def birthtime; __time(3); end
  def file?; mode & 0170000 == 0100000; end
  def directory?; mode & 0170000 == 0040000; end
  def symlink?; mode & 0170000 == 0120000; end
  def pipe?; mode & 0170000 == 0010000; end
  def socket?; mode & 0170000 == 0140000; end
  def blockdev?; mode & 0170000 == 0060000; end
  def chardev?; mode & 0170000 == 0020000; end
  def setuid?; mode & 04000 != 0; end
  def setgid?; mode & 02000 != 0; end
  def sticky?; mode & 01000 != 0; end
  def zero?; size == 0; end
  def size?; (bytes = size) == 0 ? nil : bytes; end
  def owned?; uid == Process.euid; end
  def grpowned?; gid == Process.egid || Process.groups.include?(gid); end
  def readable?; __allows(4, true); end
  def writable?; __allows(2, true); end
  def executable?; __allows(1, true); end
  def readable_real?; __allows(4, false); end
  def writable_real?; __allows(2, false); end
  def executable_real?; __allows(1, false); end
  def world_readable?; mode & 04 == 0 ? nil : mode & 0777; end
  def world_writable?; mode & 02 == 0 ? nil : mode & 0777; end

  def <=>(other)
    other.is_a?(File::Stat) ? mtime <=> other.mtime : nil
  end

  def inspect
    return "#<#{self.class}: uninitialized>" unless __stored?
    shown = "dev=0x#{dev.to_s(16)}, ino=#{ino}, mode=0#{mode.to_s(8)}, nlink=#{nlink}, uid=#{uid}, gid=#{gid}, " \
      "rdev=0x#{rdev.to_s(16)}, size=#{size}, blksize=#{blksize}, blocks=#{blocks}, " \
      "atime=#{atime.inspect}, mtime=#{mtime.inspect}, ctime=#{ctime.inspect}"
    "#<#{self.class} #{shown}>"
  end
end
