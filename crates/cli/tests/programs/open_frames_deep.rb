# Recursion that uses up the native stack of a fiber, through methods whose frames compiled code leaves open.

# Too long to be inlined.
def look(way)
  return 1 if way == 1
  return 2 if way == 2
  return 3 if way == 3
  return 4 if way == 4
  return 5 if way == 5
  return 6 if way == 6
  return 7 if way == 7
  return 8 if way == 8
  return 9 if way == 9
  return 10 if way == 10
  return 11 if way == 11
  return 12 if way == 12
  return 13 if way == 13
  return 14 if way == 14
  return 15 if way == 15
  return 16 if way == 16
  return 17 if way == 17
  return 18 if way == 18
  return 19 if way == 19
  return 20 if way == 20
  way
end

def endless(n) = [deeper(n + 1)]

def deeper(n)
  look(0)
  endless(n)
end
Fiber.new do
  endless(0)
rescue SystemStackError => error
  p error.class, error.backtrace.first(3).map { |line| line[/in '(?:Object#)?(.*)'/, 1] }.uniq.size > 0
end.resume
