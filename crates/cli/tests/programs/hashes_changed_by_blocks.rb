# Hash#select and similar methods iterate over a copy; other loops do not allow a rehash.
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
h = {a: 1, b: 2}
t { h.select { h.rehash } }
t { h.reject { h.rehash } }
t { h.each { h.rehash } }
t { h.map { h.rehash } }
t { h.filter_map { h.rehash } }
t { h.any? { h.rehash; false } }
t { h.select! { h.rehash } }
t { h.reject! { h.rehash; false } }
t { h.delete_if { h.rehash; false } }
t { h.keep_if { h.rehash; true } }
t { h.to_h { |k, v| h.rehash; [k, v] } }
t { h.transform_values { h.rehash; 1 } }
t { h.transform_keys { |k| h.rehash; k } }
t { h.each_key { h.rehash } }
t { h.partition { h.rehash; true } }
t { h.min_by { h.rehash; 1 } }
t { h.sum { h.rehash; 1 } }
t { h.count { h.rehash; 1 } }
t { h.find { h.rehash; nil } }
t { h.all? { h.rehash; true } }
t { h.group_by { h.rehash; 1 } }
t { h.each_with_index { h.rehash } }
t { h.merge({a: 1}) { h.rehash; 1 } }
t { h.dup.update(h) { h.rehash; 1 } }
t { h.filter { h.rehash } }
t { h.transform_values! { h.rehash; 1 } }
t { h.sum { |k, v| h.rehash; v } }
t { h.flat_map { |k, v| h.rehash; [v] } }
t { h.each_entry { h.rehash } }
t { h.none? { h.rehash; nil } }
p h
t { h.select { h[:new] = 1 }; h }
t { h.reject { |k, _| h.delete(k); false } }
t { h.compare_by_identity.select { true }.compare_by_identity? }
