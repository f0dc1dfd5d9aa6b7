# Recorded from CRuby 3.4.11.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { Time.new("2021-12-25 00:00:00.123456789876 +09:00").subsec }
t { Time.new("2021-12-25 00:00:00.123456789876 +09:00", precision: -1).subsec }
t { Time.new("2021-12-25 00:00:00.123456789876 +09:00", precision: nil).subsec }
t { r = Regexp.new("\xa4\xa2".dup.force_encoding("euc-jp")); Encoding.compatible?(r, "hello".dup.force_encoding("utf-8")) }
t { '79+4i'.encode("UTF-16").to_c }
t { "helloYOU.".rindex(/YOU\G/, 8) }
t { "helloYOUall!".rindex(/YOU.+\G.+/, 9) }
t { "helloYOU.".byterindex(/YOU\G/, 8) }
class PP; protected def pro; 1; end; end
t { tap { PP.new.then(&:pro) } }
t { [PP.new].map(&:pro) }
t { [PP.new].each(&:pro) }
t { :pro.to_proc.call(PP.new) }
t { s = "chilled"; s.singleton_class; 1 }
t { Complex(3,0) / 1 }
t { {a: 1}.to_a.pack("y") }
t { [1].pack("y") }
t { [].pack("Cy") }
t { "a".unpack("y") }
t { "\x01".unpack1("C", offset: 2) }
t { [1,2].shuffle(random: Object.new) }
t { o=Object.new; def o.rand(n) = n; [1,2,3].shuffle(random: o) }
t { o=Object.new; def o.rand(n) = -1; [1,2,3].shuffle(random: o) }
t { o=Object.new; def o.rand(n) = n; [1,2,3].sample(random: o) }
t { o=Object.new; def o.rand(n) = n; [1,2,3].sample(2,random: o) }
t { o=Object.new; def o.rand(n) = n; [1,2,3,5,6,7,8].sample(4,random: o) }
t { o=Object.new; def o.rand(n) = 0.5; [1,2,3].shuffle(random: o) }
t { o=Object.new; def o.rand(n) = "a"; [1,2,3].shuffle(random: o) }
t { "a".crypt("ab") }
t { "a".crypt("a") }
t { "a\0".crypt("ab") }
t { "a".crypt("\0\0") }
t { "a".crypt("..") }
t { "abcdefghij".crypt("zz") }
t { [["hello"].pack("p").unpack("p"), ["hello"].pack("P").dup.unpack("P3"), [nil].pack("p")] }
t { ["hello"].pack("P9") }
t { ["hello"].pack("p").to_sym.to_s.unpack("p") }
t { (["a"].pack("p").unpack("p") + ["b"].pack("p").unpack("Q>") ).size }
t { ENV["TZ"] = "PST8PDT"; x = Time.local(2005, 2, 27); ENV["TZ"] = "CET-1"; [x.utc_offset, x.zone, (x + 1).zone, x.dup.zone] }
t { ENV["TZ"] = "PST8PDT"; x = Time.utc(2005, 2, 27); y = x.getlocal; x.localtime; ENV["TZ"] = "UTC"; [x.zone, y.zone] }
