# The block of Hash#update runs in an iteration of the receiver.
def attempt
  p yield
rescue RuntimeError => error
  puts error.message
end

[:update, :merge!].each do |name|
  attempt { h = {a: 1}; h.__send__(name, {a: 2, b: 3}) { h[:new] = 9 } }
  attempt { h = {a: 1}; h.__send__(name, {a: 2}) { h.rehash } }
  attempt { h = {a: 1}; h.__send__(name, {a: 2}) { h.delete(:a) } }
  attempt { h = {a: 1}; h.__send__(name, {a: 2}) { h.clear } }
  attempt { h = {a: 1}; h.__send__(name, {a: 2}, {a: 3}) { |_, x, y| x + y } }
end
h = {a: 1}
h.update({a: 2}) { break }
catch(:out) { h.update({a: 2}) { throw :out } }
h.update({a: 2}) { raise "x" } rescue h[:b] = 3
p h
