# Conversions ask `respond_to_missing?`, also where there is no method_missing that could be called; for pattern matching
# only public methods count.

class Asked
  def respond_to_missing?(name, all)
    print name, " ", all, " "
    $answer
  end
end

ASKED = Asked.new

def try
  yield
  puts "fine"
rescue TypeError => error
  puts error.message
end

[false, true].each do |answer|
  $answer = answer
  try { "a" + ASKED }
  try { [1].first(ASKED) }
  try { a, b = ASKED }
  try { Array(ASKED) }
  try { [ASKED].flatten }
  try { [1].each(&ASKED) }
  try { Hash(ASKED) }
  try { Float(ASKED) }
  try { [*ASKED] }
  try { 1 + ASKED }
  try { 1 <=> ASKED }
  try { IO.select([ASKED]) }
  try { [1] + ASKED }
  try { [1] <=> ASKED }
  try { "ab" * ASKED }
  try { File.join("a", ASKED) }
end

$answer = false
case ASKED
in [a] then p a
in {a:} then p a
else puts "neither"
end

class Secret
  private def deconstruct = [1]
  private def deconstruct_keys(_) = { a: 1 }
end

2.times do
  case Secret.new
  in [a] then p a
  in {a:} then p a
  else puts "private"
  end
end
