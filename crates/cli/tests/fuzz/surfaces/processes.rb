$VERBOSE = nil
Dir.chdir(ENV["TMPDIR"] || "/tmp")
$r, $w = IO.pipe
def run(*list, **options)
  r, w = IO.pipe
  pid = Process.spawn(*list, **{out: w, err: [:child, :out], in: File::NULL}.merge(options))
  w.close
  text = r.read
  [Process.wait2(pid)[1].then { |s| [s.exitstatus, s.termsig] }, text.gsub(/\d{3,}/, "N").byteslice(0, 100)]
ensure
  r&.close; w&.close
end
__END__
run({command})
run({command}, {option})
run({command}, {option}, {option})
run({env}, {command}, {option})
system({command}, out: File::NULL, err: File::NULL, {option})
system({env}, {command}, exception: {bool}, err: File::NULL, out: File::NULL)
IO.popen({popen}, {mode}) { |io| io.write("x") rescue 0; io.close_write rescue 0; io.read }.then { [_1, $?.exitstatus] }
IO.popen([{env}, "sh", "-c", "echo $A; exit {code}"], {option}, &:read)
pid = fork { {child} }; Process.wait2(pid)[1].then { |s| [s.exitstatus, s.termsig, s.success?] }
`sh -c 'echo a; exit {code}' 2>&1`.then { [_1, $?.exitstatus, $?.success?, $?.signaled?] }
Process.{pure}
pid = spawn("sleep 5"); Process.kill({signal}, pid); Process.wait2(pid)[1].then { |s| [s.exitstatus, s.termsig] }
pid = fork { exec({env}, {command}, out: File::NULL, err: File::NULL) rescue exit!(9) }; Process.wait2(pid)[1].exitstatus
command: "echo a" | "exit {code}" | "echo $A" | "sh", "-c", "echo $A; pwd >/dev/null; exit {code}" | "nonexistent" | ["sh", "name"], "-c", "echo $0" | "" | "echo a | cat" | "ls /nonexistent" | "cat" | "kill -9 $$" | ":" | "printf", "%s", "é" | "umask" | "echo a\0b" | "ulimit -n" | "sh", "-c", "echo err >&2; exec 3>&1; echo b >&3"
option: out: File::NULL | err: File::NULL | out: :err | [:out, :err] => File::NULL | in: $r | chdir: "/" | chdir: "/nonexistent" | umask: 0o77 | umask: "x" | pgroup: true | pgroup: {n} | new_pgroup: true | unsetenv_others: true | close_others: {bool} | rlimit_nofile: 64 | rlimit_nofile: [64, 128] | rlimit_nope: 1 | rlimit_cpu: [1] | 3 => :out | 3 => 1 | {n} => :out | out: {n} | out: ["/nonexistent/x", "w"] | out: ["spawned", "w", 0o600] | in: ["/etc/hostname"] | in: :close | exception: {bool} | nope: 1 | out: [:child, :err] | 5 => [:child, 1] | out: $w | $w => :out
env: {"A" => "1"} | {"A" => nil} | {} | {"A" => 5} | {"A=B" => "1"} | {"A" => "é"} | {"A\0" => "b"} | {nil => "x"} | {"LC_ALL" => "C", "A" => "2"}
bool: true | false | nil
popen: "cat" | "echo a" | ["cat"] | ["sh", "-c", "cat; exit {code}"] | "nonexistent" | ["nonexistent"] | [] | {env}, "cat" | [{env}, "cat"] | "-" | 5
mode: "r" | "r+" | "w" | "rb" | "x" | "r+:UTF-8"
code: 0 | 1 | 3 | 255
child: exit!({n}) | exit({bool}) | abort | raise "x" rescue exit!(4) | Process.kill({signal}, $$) | at_exit { exit!(7) } | Thread.new { exit!(6) }.join | fork { exit!(1) }.then { Process.wait; exit!($?.exitstatus) } | throw :x rescue exit!(5) | Process.exit!(true) | exec("exit 8") | Process.daemon(true, true) rescue exit!(2) | sleep(0.001) | $stdout.reopen(File::NULL) | trap("TERM") { exit!(3) }.then { Process.kill(:TERM, $$); sleep 1 }
signal: :TERM | :KILL | "INT" | 0 | 9 | :NOPE | "SIGHUP" | 99 | -9 | nil
pure: wait | wait(-1, Process::WNOHANG) | waitpid({n}, 1) | getpgid(0).class | getpriority(Process::PRIO_PROCESS, 0) | getrlimit(:NOFILE).class | getrlimit({n}) | setrlimit(:CORE, 0, {n}) | clock_gettime({n}).class | clock_getres(:TIMES_BASED_CLOCK_REALTIME) | clock_gettime(Process::CLOCK_REALTIME, :{unit}).class | last_status.class | argv0.class | setproctitle("x") | ppid.class | times.class | detach(fork { exit!({code}) }).value.exitstatus | waitall.size | kill(0, $$) | kill({signal}, 2**30) | groups.class | egid.class | getsid.class | spawn | spawn({env}) | warmup
unit: nanosecond | float_second | float_millisecond | second | nope
n: 0 | 1 | 2 | 7 | -1 | 2**40 | nil | 1.5 | 300
