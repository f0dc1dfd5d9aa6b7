# Texts that are joined, compared and written in steps of several bytes: each length, and a difference at each place.
# Recorded from CRuby 4.1dev.
Warning[:experimental] = false

def joined
  words = (0..40).map { |n| ("a".."z").cycle.take(n).join }
  accented = words.map { |word| word.sub("c", "é") }
  lengths = (0..20).map { |n| [words.join("-" * n), accented.join("—" * n), words.join("ü" * n), accented.join("." * n)] }
  p lengths.flatten.map { |text| [text.size, text.bytesize, text.valid_encoding?, text.ascii_only?] }.tally.size
  p lengths.flatten.map(&:sum).sum, lengths[3].map { |text| text[0, 30] }
  p words.first(5).join(", "), ["é", "", "a"].join("ü"), ["\xff", "a"].join("-").valid_encoding?
end

def compared
  upper, lower = ("A".."Z").cycle.take(90).join, ("a".."z").cycle.take(90).join
  orders = (0..90).map do |n|
    other = lower.dup
    other[n, 1] = "~" if n < 90
    [upper.casecmp(other), other.casecmp(upper), upper[0, n].casecmp(lower), upper[0, n].casecmp(lower[0, n]),
      upper.casecmp(other.sub("~", "é")), upper.b.casecmp(other.sub("~", "\xe9").b)]
  end
  p orders.tally
end

def written
  times = [Time.at(1_700_000_000, 123_456_789, :nsec, in: "UTC"), Time.at(0, 5, :nsec, in: "+05:30"),
    Time.utc(-5, 1, 1), Time.utc(12345), Time.at(1, 1.to_r / 3, in: "-01:00")]
  times.each { |time| puts (0..12).map { |digits| time.xmlschema(digits) } }
  p times[0].xmlschema(3).encoding
end

def patterns
  p Regexp.allocate.equal?(Regexp.allocate), Regexp.new(/a(b|c)d/i) == /a(b|c)d/i, Regexp.new(/x/).match?("axb")
  p((Regexp.allocate.source rescue $!.class), Class.new(Regexp).new("a").dup =~ "ba")
end

def numbers
  buffer = IO::Buffer.for("The quick brown fox")
  p [:U8, :S8, :u16, :U16, :s32, :F32, :f64, :U64, :U128].map { |type| buffer.get_value(type, 1) }
  p buffer.get_values([:U8, :u32, :U16], 3), buffer.get_values([], 0)
  [[:U32, 16], [:U32, 2**62], [:u8, 0], [:"", 0], ["U8", 0], [:U8, -1]].each do |type, offset|
    buffer.get_value(type, offset)
  rescue => error
    puts "#{error.class}: #{error.message}"
  end
  part = IO::Buffer.new(8).tap { |of| @of = of }.slice(0, 4)
  @of.free
  [:U8, :none].each do |type|
    part.get_value(type, 0)
  rescue => error
    puts "#{error.class}: #{error.message}"
  end
end

[:joined, :compared, :written, :patterns, :numbers].each do |name|
  puts name
  send(name)
  output, $stdout = $stdout, File.open(File::NULL, "w")
  60.times { send(name) }
  $stdout = output
  send(name)
end
