# The encodings of texts that the core makes from ASCII: BINARY for descriptions and messages, US-ASCII for names.
class Plain; end
class Größe; end
Point = Struct.new(:x)

def encodings
  texts = [
    Object.name, Plain.to_s, Größe.name, Class.new.to_s, Plain.singleton_class.to_s, Object.new.to_s, Größe.new.to_s,
    Plain.new.inspect, Point.new(1).inspect, Point.new("é").inspect, method(:puts).inspect, Fiber.new { }.inspect,
    "a".match(/a/).inspect, "é".match(/é/).inspect, ArgumentError.new.message, ArgumentError.new("a").inspect,
    ArgumentError.new("é").inspect, (1 / 0 rescue $!.message), [Plain].inspect, [Object.new].join
  ]
  nothing = nil
  texts << "#{nothing}#{nothing}" << "#{nothing}é" << "#{nothing}" << "#{Object.new}#{1}" << (Object.new.to_s << "é")
  texts.map { |text| text.encoding.name }
end

first = encodings
puts first
300.times { raise "hot" unless encodings == first }
