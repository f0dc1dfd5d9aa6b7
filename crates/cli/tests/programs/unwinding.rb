def early
  [1, 2, 3].each { |x| return x if x == 2 }
  nil
ensure
  puts "left"
end
30.times { raise unless [1, 2, 3].each { |x| break x * 10 if x == 2 } == 20 }
p early
log = []
begin
  begin
    raise "inner"
  rescue => e
    log << e.message
    raise ArgumentError, "outer"
  ensure
    log << :ensure
  end
rescue ArgumentError => e
  log << e.message << e.cause.message
else
  log << :never
end
p log, $!
tries = 0
begin
  tries += 1
  raise "again" if tries < 3
rescue
  retry
end
p tries
p catch(:done) { 10.times { |i| throw :done, i if i == 4 }; :never }
p [1, 2, 3, 4].map { |x| next 0 if x.even?; x }
i = 0
i += 1 while i < 10
p i, (begin; Integer("x"); rescue ArgumentError; :rescued; end)
def deep(n) = deep(n + 1)
begin
  deep(0)
rescue SystemStackError => e
  puts e.message
end
p (loop do break :out end)
