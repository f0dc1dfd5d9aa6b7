# Module functions as private instance methods. Recorded from CRuby 4.1dev.
require "etc"
require "zlib"
[Process, Process::UID, Process::GID, Process::Sys, Etc, Zlib, FileTest].each do |mod|
  p mod, mod.private_instance_methods(false).reject { |name| name.start_with?("_") }.sort, mod.instance_methods(false)
end
class Includes
  include Process, Etc, Zlib, FileTest
  def all = [pid == Process.pid, wait(fork_nothing) > 0, getpwuid.uid == Process.uid, crc32("a"), exist?("/"), times.class]
  def fork_nothing = Process.fork { exit!(true) }
  def exit!(*) = Process.exit!(*)
  def limits = getrlimit(:NOFILE) == Process.getrlimit(:NOFILE)
end
p Includes.new.all, Includes.new.limits
begin
  Includes.new.getlogin
rescue NoMethodError => e
  puts e.message
end
p Process.instance_method(:wait).arity, Process.method(:wait).arity, Process.instance_method(:kill).parameters
include Process
p waitpid(fork { exit!(3) }).class, Process.last_status.exitstatus
