# Recorded from CRuby 3.4.11 (digest 3.2.0).
require 'digest'; require 'digest/bubblebabble'
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
class I; include Digest::Instance; end
%w[update << finish reset digest_length block_length digest hexdigest to_s inspect length size digest! hexdigest! new ==].each{|m| print m, " "; t{ I.instance_method(m).arity == 1 ? I.new.send(m,"a") : I.new.send(m)}}
class J; include Digest::Instance; def finish = "abc"; def reset = self; def update(s) = self; end
%w[digest hexdigest to_s inspect length size digest! hexdigest!].each{|m| print m, " "; t{J.new.send(m)}}
t{ J.new.digest("x")}; t{J.new == "616263"}; t{J.new == J.new}; t{J.new==5}; t{J.new.digest_length}
t{ Digest::MD5.new.finish}; t{Digest::MD5.new(1)}; t{Digest::Class.digest}; t{Digest::MD5.digest}; t{Digest::MD5.hexdigest("a", 1)}
t{ Digest::MD5.new.inspect}; t{Digest::MD5.new.update(1)}; t{Digest.hexencode("a\xff")}; t{Digest.hexencode(1)}
t{ Digest::MD5.new.equal?(Digest::MD5.new.new)}; d = Digest::MD5.new << "a"; t{d.new.hexdigest}; t{d.dup.hexdigest}; t{d.hexdigest!}; t{d.hexdigest}
t{ Digest::MD5.bubblebabble("a")}; t{(Digest::MD5.new << "a").bubblebabble}; t{Digest.bubblebabble("")};t{Digest.bubblebabble("abcde")}
[Digest::MD5, Digest::SHA1, Digest::RMD160, Digest::SHA256, Digest::SHA384, Digest::SHA512].each{|k| t{ [k.new.block_length, k.new.digest_length, k.hexdigest("abc"), k.hexdigest("abc").encoding, k.digest("").encoding, k.new.inspect.encoding] }}
t{Digest::SHA2.new(384).update("a").inspect}; t{Digest::SHA2.new(5)}; t{Digest::MD5.allocate.hexdigest}
t{ Digest::MD5.hexdigest("é".encode("UTF-16LE"))}; t{Digest::SHA256.base64digest("a")}; t{Digest(:MD5)}; t{Digest(:Nope)}; t{Digest::Foo}
t{ Digest::MD5.new.instance_variables }; t{ Digest::MD5.file("/etc/hostname").hexdigest.size}; t{ (Digest::MD5.new <=> 1)}
t{ Digest::MD5.new == Digest::MD5.hexdigest("").upcase}; t{ Digest::MD5.new == Digest::MD5.hexdigest("")};t{ Digest::MD5.new == Digest::MD5.digest("")}
