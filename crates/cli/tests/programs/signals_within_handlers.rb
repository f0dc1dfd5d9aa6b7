# Within a handler of a signal, the handlers of others wait; those that the handler of EXIT leaves are forgotten.
require "rbconfig"

def run(code) = IO.popen([RbConfig.ruby, "-e", code], &:read).then { |text| p text.split, $?.exitstatus, $?.termsig }

trap("USR1") do
  puts "first"
  Process.kill("USR2", $$)
  sleep 0.05
  puts "end of first"
end
trap("USR2") { puts "second" }
Process.kill("USR1", $$)
sleep 0.01

run('trap("EXIT") { puts "bye"; Process.kill("TERM", $$); sleep 0.05; puts "end" }')
run('trap("USR1") { puts "bye"; Process.kill("TERM", $$); sleep 0.05; puts "end" }; Process.kill("USR1", $$); puts 1')
run('trap("USR1", "puts 1; Process.kill(%q(TERM), $$); sleep 0.05; puts 2"); Process.kill("USR1", $$); puts 3')
