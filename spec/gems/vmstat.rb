# Recorded from CRuby 4.1dev.
require "vmstat"
p Vmstat.cpu.first.class, Vmstat.load_average.class, Vmstat.memory.pagesize, Vmstat.disk("/").mount
p Vmstat.boot_time.class, Vmstat.task.class, (Vmstat.disk("/none") rescue $!.message)
