# Arrays and objects nested deeper than the native stack allows.
require "json"
def t
  p yield
rescue Exception
  puts "#{$!.class}: #{$!.message}"
end
Warning[:deprecated] = true
$stderr = $stdout
n = 1100
pre, post = "[" * n, "]" * n
dig = ->(x) { n.times { x = x[0] }; x }
t { dig[JSON.parse(pre + '{"a": [1, 2,"x", {}, [], {"b":null}], "c": {"d": [[]]}}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a": 1 , "b" : 2, "a": 3}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a": 1 , "b" : 2, "a": 3}' + post, max_nesting: 0, allow_duplicate_key: false)] }
t { dig[JSON.parse(pre + '{"a": 1,}' + post, max_nesting: 0, allow_trailing_comma: true)] }
t { dig[JSON.parse(pre + '[1,]' + post, max_nesting: 0, allow_trailing_comma: true)] }
t { dig[JSON.parse(pre + '{"a": 1,}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '[1,]' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a" 1}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a":1 "b":2}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a":1, 2}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '{5}' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '[1 2]' + post, max_nesting: 0)] }
t { dig[JSON.parse(pre + '[1', max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a":1', max_nesting: 0)] }
t { dig[JSON.parse(pre + '[', max_nesting: 0)] }
t { dig[JSON.parse(pre + '{"a":{"b":[true]}}' + post, max_nesting: 0, symbolize_names: true)] }
t { x = JSON.parse(pre + '{"a":{"b":["y"]}}' + post, max_nesting: 0, freeze: true); y = dig[x]; [x.frozen?, y.frozen?, y["a"]["b"].frozen?, y["a"]["b"][0].frozen?] }
t { JSON.parse(pre + post, max_nesting: 1050) }
t { JSON.parse(pre + post, max_nesting: 1100).size }
t { JSON.parse(pre + post, max_nesting: 1099).size }
seen = []
t { JSON.load(pre + '{"a": [1, {}]}' + post, proc { |x| seen << (Array === x && x.flatten.size == 1 && x.size == 1 ? :deep : x); x }, max_nesting: 0).size }
t { seen.tally }
t { seen.first(6) }
x = JSON.parse("[" * 100_000 + "]" * 100_000, max_nesting: 0)
n = 0
while x; n += 1; x = x[0]; end
p n
x = JSON.parse('{"a":' * 100_000 + "1" + "}" * 100_000, max_nesting: 0)
p x.class
begin; JSON.parse("[" * 100_000, max_nesting: 0); rescue => e; p e.class; end
a = []; 10_000.times { a = [a] }
p JSON.generate(a, max_nesting: 0).size
