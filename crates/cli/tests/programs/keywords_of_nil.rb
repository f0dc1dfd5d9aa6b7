# A flagged hash at the end of a spread array stays an argument if the call has keywords, even none.
class Passing
  ruby2_keywords def with_nil(*list) = taken(*list, **nil)
  ruby2_keywords def with_none(*list) = taken(*list, **{})
  ruby2_keywords def with_variable(*list) = (none = nil; taken(*list, **none))
  ruby2_keywords def without(*list) = taken(*list)
  def taken(*list, **keywords) = [list, keywords]
end
3.times do
  p Passing.new.with_nil(1, x: 2), Passing.new.with_none(1, x: 2), Passing.new.with_variable(1, x: 2)
  p Passing.new.without(1, x: 2), Passing.new.taken(*[1, Hash.ruby2_keywords_hash({y: 1})], **nil)
end
