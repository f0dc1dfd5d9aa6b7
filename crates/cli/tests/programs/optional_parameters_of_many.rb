# A call site whose methods have optional parameters, in twelve classes.

OBJECTS = 12.times.map do |n|
  Class.new do
    class_eval <<~RUBY
      def option(a, b = a + 1, c = b * #{n})
        x = c
        y ||= x
        [a, b, c, x, y]
      end
      def first(a = (b = 4; b * 2)) = [a, #{n}]
      def rest(a, *b) = [a, b, #{n}]
      def last(a = 1, b) = [a, b]
      def keyword(a, b = 2, d: 3) = [a, b, d]
    RUBY
  end.new
end

def message
  yield
rescue ArgumentError => e
  e.message
end

def all(o, n)
  [o.option(n), o.option(n, 2), o.option(n, 2, 3), o.first, o.first(n), o.rest(n), o.last(n), o.last(n, 2),
   o.keyword(1), message { o.option }, message { o.option(1, 2, 3, 4) }]
end

results = nil
300.times { |n| results = OBJECTS.map { |o| all(o, n) } }
puts results.map(&:inspect)
