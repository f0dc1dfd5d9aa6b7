# Module functions called through an including class; the module Ruby (.out recorded from CRuby 4.0.0, Process from
# 3.4.11).
p Ruby::VERSION == RUBY_VERSION, Ruby::ENGINE == RUBY_ENGINE, Ruby.class
class Includer
  include Process, ObjectSpace, Signal
  def pids = [pid, ppid, clock_gettime(Process::CLOCK_MONOTONIC).class]
  def names = [list["INT"], signame(2)]
  def found = each_object(Class) { break :found }
end
one = Includer.new
p one.pids == [Process.pid, Process.ppid, Float], one.names, one.found
p Includer.public_method_defined?(:pid), Includer.private_method_defined?(:pid)
p Proc.instance_methods(false).grep(/\A\W*\z/).sort, Method.instance_methods(false).include?(:"")
