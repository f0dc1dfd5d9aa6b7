# DidYouMean is complete from its first use on, without `require`.
p defined?(DidYouMean::KeyErrorChecker), DidYouMean.constants.size > 15
begin
  {"abc" => 1}.fetch("abd")
rescue KeyError => e
  p e.corrections, e.respond_to?(:spell_checker), e.original_message
end
begin
  [1].frist
rescue NameError => e
  p e.corrections, e.spell_checker.class
  puts e.detailed_message(highlight: false).lines.grep(/Did/)
end
p KeyError.include?(DidYouMean::Correctable), DidYouMean.spell_checkers.size
