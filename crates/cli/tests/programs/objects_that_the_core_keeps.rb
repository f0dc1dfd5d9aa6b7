# ObjectSpace shows Procs and Methods that the core made for itself: they answer without an error.
failed = []
3.times do
  ObjectSpace.each_object(Proc) do |block|
    [block.inspect, block.arity, block.parameters, block.source_location, block.hash, block.lambda?]
  rescue Exception => error
    failed << error.class
  end
end
p failed.uniq
