# Paths and names that tell a place are frozen, and the same String for the same file.
def here = caller_locations(0)[0]
place = here
sequence = RubyVM::InstructionSequence.of(method(:here))
HERE = 1
texts = [
  method(:here).source_location[0], proc { }.source_location[0], place.path, place.base_label, place.absolute_path,
  sequence.label, sequence.path, sequence.absolute_path, sequence.base_label, binding.source_location[0],
  Object.const_source_location(:HERE)[0], Signal.list.keys[0],
]
p texts.map(&:frozen?), texts.map { |text| text.equal?(-text) }
p place.path.equal?(sequence.path), place.base_label.encoding, place.label.frozen?, Signal.list.keys[1].encoding
