# Ages of characters in patterns, `amp_escape`, the encoding of what `slice!` returns. (Recorded from CRuby 4.1.0dev.)
p %w[6.0 12.0 12.1].map { |age| "\u32ff\u3042".scan(Regexp.new("\\p{age=#{age}}")).size }
p "\u32ff\u3042".scan(/\P{Age=12.0}/), "\u32ff\u3042".scan(/[\p{^age=12.0}a]/), "a" =~ /\p{AGE = 1.1}/
p((Regexp.new("\\p{age=99.9}") rescue $!.class))
p Encoding::Converter.new("", "amp_escape").convert("&<")
p "".b.slice!("".dup.force_encoding("EUC-JP")).encoding, "abc".slice!("b")
p [Rational, Complex].map { |c| c.allocate rescue $!.class }
