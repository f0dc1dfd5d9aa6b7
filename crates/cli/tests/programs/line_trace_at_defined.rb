def bar
  1 if defined?(DEB)
end
tp = TracePoint.new(:line) { raise "x" }
tp.enable(target: method(:bar))
bar rescue p $!
puts "end"
