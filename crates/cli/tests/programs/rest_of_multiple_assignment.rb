# Multiple assignments with a rest, in code that runs often; with Arrays that are too short and values that are none.
def head(list) = (first, *rest = list; [first, rest])
def tail(list) = (*rest, last = list; [rest, last])
def both(list) = (a, b, *c, d = list; [a, b, c, d])
def nested(list) = ((a, *b), *c = list; [a, b, c])
def params(list) = list.each { |a, *b, c| return [a, b, c] }

class Pair
  def to_ary = [1, 2, 3]
end

LISTS = [[1, 2, 3, 4], [1, 2, 3], [1, 2], [1], [], (1..20).to_a, 5, nil, Pair.new, [[1, 2], [3]], [[[1, 2], [3]], 4]]
result = nil
300.times { result = LISTS.map { |list| [head(list), tail(list), both(list), nested(list)] } }
result.each { |line| p line }
300.times { result = LISTS.grep(Array).map { |list| params([list]) } }
p result

# The rest is an Array of its own.
list = (1..20).to_a
200.times { list = head(list).last.push(1) }
p list
_, rest = head(list)
rest << 5
list << 6
p list.last(2), rest.last(2)
