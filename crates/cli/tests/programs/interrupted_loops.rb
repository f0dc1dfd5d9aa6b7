# An exception of another thread that arrives between two turns of a loop belongs to the loop, also if the loop begins
# where the handler does.
def interrupted(&work)
  $looping = false
  thread = Thread.new(&work)
  Thread.pass until $looping
  thread.raise("interrupted")
  thread.value
end

def at_the_beginning
  begin
    begin
      $looping = true
    end while true
  rescue => error
    error.message
  end
end

def while_true
  begin
    while true
      $looping = true
    end
  rescue => error
    error.message
  end
end

p Array.new(10) { interrupted { at_the_beginning } }.tally
p Array.new(10) { interrupted { while_true } }.tally

# A Hash and a Set that were iterated can be changed again.
def changed(table)
  interrupted do
    loop do
      $looping = true
      yield table
    end
  rescue => error
    table.is_a?(Hash) ? table[table.size] = 0 : table << table.size
    error.message
  end
end

hash_loops = [
  ->(h) { h.each { |k, v| k } }, ->(h) { h.each_key { |k| k } }, ->(h) { h.each_value { |v| v } },
  ->(h) { h.map { |k, v| v } }, ->(h) { h.any? { |k, v| false } }, ->(h) { h.find { |k, v| false } },
  ->(h) { h.delete_if { |k, v| false } }, ->(h) { h.transform_values! { |v| v } }, ->(h) { h.count { |k, v| v } },
]
set_loops = [->(s) { s.each { |x| x } }, ->(s) { s.map { |x| x } }, ->(s) { s.select! { |x| true } }]
p hash_loops.flat_map { |work| h = { 1 => 1, 2 => 2 }; Array.new(4) { changed(h, &work) } }.tally
p set_loops.flat_map { |work| s = Set[1, 2]; Array.new(4) { changed(s, &work) } }.tally
