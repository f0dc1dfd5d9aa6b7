# $? in Marshal, and options of exec and spawn that do not exist.
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
system("exit 3")
copy = Marshal.load(Marshal.dump($?))
p copy.pid == $?.pid, copy.exitstatus, copy == $?, $?.dup, Marshal.load(Marshal.dump($?.clone)).inspect
t { Process::Status.new }
t { Process::Status.allocate }
t { exec("true", "foo" => 1) }
t { exec("true", 1.5 => 1) }
t { exec("true", :unsetenv_other => true) }


t { exec("true", :pgroup => "x") }
t { exec("true", :new_pgroup => true) }
t { exec("true", :rlimit_nofile => [1,2,3]) }
t { exec("true", :chdir => 5) }
t { exec("true", :in => :foo) }

t { exec("true", nil => 2) }
t { exec("true", -1 => 2) }
t { spawn("true", foo: 1) }
t { spawn("true", -1 => 1) }
t { system("true", foo: 1) }
t { system("true", exception: 1) }
t { exec("true", exception: true) }
t { spawn("true", gid: 0) ; Process.wait; $?.success? }
t { spawn("true", gid: "root") ; Process.wait; $?.success? }
t { exec("true", :rlimit_foo => 1) }
t { spawn("true", close_others: 1) }
t { spawn("true", unsetenv_others: 1) }
t { spawn("true", exception: 1) }
t { spawn("true", close_others: nil) ; Process.wait; $?.success? }
