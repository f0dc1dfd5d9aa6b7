# A frozen coder, its State and its options may be used by several Ractors, if what they refer to may.
require "json"

coder = JSON::Coder.new(symbolize_names: true).freeze
p Ractor.shareable?(coder)
p Ractor.new(coder) { |shared| shared.load(shared.dump({ "a" => [1, nil, 2.5] })) }.value

text = Ractor.shareable_proc { |object| object.class.name }
converting = JSON::Coder.new(&text).freeze
p Ractor.shareable?(converting)
p Ractor.new(converting) { |shared| shared.dump([Object.new]) }.value

names = []
p Ractor.shareable?(JSON::Coder.new { |object| names << object }.freeze)
p Ractor.shareable?(JSON::State.new), Ractor.shareable?(JSON::State.new.freeze)

class Told
  def to_json(state = nil, *) = [state.frozen?, state.depth, state.indent].to_json
end
state = JSON::State.new(indent: "", depth: 3).freeze
p state.generate([Told.new]), state.depth
