# `chomp` removes a newline that is given in another encoding; other separators must be compatible.
encodings = %w[UTF-8 US-ASCII EUC-JP UTF-16LE UTF-32BE].map { |name| Encoding.find(name) }
wrong = encodings.product(encodings, ["abc\n", "abc\r\n"], ["", "\n"]).reject do |one, other, line, newline|
  line.encode(one).chomp(newline.encode(other)) == "abc".encode(one)
rescue EncodingError
  false
end
p wrong.size
p ("abc\n".chomp("c\n".encode("UTF-32BE")) rescue $!.class)
p /(?mix)/.to_s, /(?mi-x)/.to_s, /(?m)a|b/.to_s, /#{/(?i)/}a/, /(?m)(?=a)b/.to_s, /(?m)(?i:a)/.to_s
p (1 << 2**66 rescue $!.message), 0 << 2**70
