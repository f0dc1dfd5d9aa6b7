# Blocks nested as deeply as the parser allows are linked without native recursion: a Fiber's stack suffices.

def depth(code)
  n = 0
  while code.is_a?(Proc)
    code = code.call
    n += 1
  end
  [n, code]
end

p Fiber.new { depth(eval("->{" * 3000 + "1" + "}" * 3000)) }.resume
p Fiber.new { eval("[1].map {" * 1000 + "1" + "}" * 1000).flatten }.resume
p Fiber.new { eval("class A;" * 1000 + "self" + ";end" * 1000).name.size }.resume
