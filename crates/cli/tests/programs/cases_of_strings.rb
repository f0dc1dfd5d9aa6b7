# The literals of a case are kept while others are made.
def f(s)
  case s
  when "k0" then 0
  when "k1" then 1
  when "k2" then 2
  when "k3" then 3
  when "k4" then 4
  when "k5" then 5
  when "k6" then 6
  when "k7" then 7
  when "k8" then 8
  when "k9" then 9
  else -1
  end
end
p (0..9).map { |i| f("k#{i}") }
