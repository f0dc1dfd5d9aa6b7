# Keywords other than `cause:` are one more argument of raise. The output was recorded from CRuby 4.1dev.
class Any < StandardError
  def initialize(*arguments, **keywords) = p(arguments, keywords)
end

class Datum < StandardError
  def initialize(data: 1) = p(data)
end

def try
  yield
rescue Exception => error
  p error, error.cause
end

try { raise Any, a: 1 }
try { raise Any.new, a: 1 }
try { raise Any, "m", a: 1 }
try { raise Datum, data: 1 }
try { raise a: 1 }
try { raise "x", a: 1 }
try { raise Datum, "x", [], a: 1 }
try { raise Datum, "x", [], 3, cause: nil }
try { raise(**{}) }
try { raise Datum, "x", ["a:1"] }
keywords = {b: 2}
try { raise Any, **keywords, cause: nil }
p keywords
