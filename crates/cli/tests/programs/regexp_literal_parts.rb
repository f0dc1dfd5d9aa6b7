# Literals in the interpolations of a pattern are joined with those beside them when it is compiled.
def attempt(source)
  eval(source)
rescue SyntaxError, StandardError => e
  e.class
end

2.times do
  p attempt("# encoding: cp932\n" + '/#{"\u1234"}#{"' + "\x82\xA0".b + '"}/'.b)
  p attempt("# encoding: us-ascii\n" + '/\u1234#{"\x80"}/')
  p attempt("# encoding: us-ascii\n" + '/\u1234#{}\x80/')
  p attempt('x = "b"; /a#{"#{x}"}#{"c"}/')
  p attempt('/a#{"é"}b/').encoding
end
