# Rational() and Complex() of texts and other objects, quiet or not.
def shown
  yield.inspect
rescue Exception => error
  "#{error.class}: #{error.message}"
end

values = ["1/3", "x", "", "1 ", "-7/21", "12", "1/-3", "1_0/2", "999999999999999999/3", "1234567890123456789/3", "+1/2",
          " 4/6", "1.5", "1\n", "0.3r", "1i", "1+2i", "1@2", nil, 1, 2.5, :a, []]
values.each do |value|
  results = [
    shown { Rational(value) }, shown { Rational(value, exception: false) },
    shown { Rational(value, 2, exception: false) },
    shown { Rational(2, value, exception: false) }, shown { Rational(value, nil, exception: false) },
    shown { Rational(value, "q", exception: false) }, shown { Complex(value) },
    shown { Complex(value, exception: false) },
    shown { Complex(value, 2, exception: false) }, shown { Complex(2, value, exception: false) },
    shown { Complex(value, nil, exception: false) }, shown { Complex(value, :a, exception: false) },
  ]
  puts "#{value.inspect}: #{results.join(" | ")}"
end
p((Rational("1/0") rescue $!), Rational("1/0", exception: false), Rational("0/7"))
p((Rational("1", exception: 1) rescue $!))
