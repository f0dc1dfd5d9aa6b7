# Digests, HMACs, key derivation, ciphers, big numbers: the same bytes and the same errors.
require "openssl"

def show(name)
  value = yield
  puts "#{name}: #{value.is_a?(String) && !value.ascii_only? || value.is_a?(String) && value.encoding == Encoding::BINARY ? value.unpack1("H*") : value.inspect}"
rescue StandardError, NotImplementedError => error
  puts "#{name}: #{error.class}: #{error.message}"
end

%w[MD5 SHA1 SHA224 SHA256 SHA384 SHA512 SHA512-256 SHA3-256 RIPEMD160 BLAKE2b512 SM3 sha-256 RSA-SHA1 2.16.840.1.101.3.4.2.3].each do |name|
  show(name) { d = OpenSSL::Digest.new(name, "abc"); [d.name, d.digest_length, d.block_length, d.hexdigest] }
end
show("unknown digest") { OpenSSL::Digest.new("nothing") }
show("copy") { a = OpenSSL::Digest.new("SHA256"); a << "x"; b = a.dup; a << "y"; [a.hexdigest == b.hexdigest, b.update("y").hexdigest == a.hexdigest] }
show("class") { [OpenSSL::Digest::SHA256.hexdigest("a"), OpenSSL::Digest::SHA1.base64digest("a"), OpenSSL::Digest.digest("MD5", "a")] }
show("hmac") { h = OpenSSL::HMAC.new("key", "SHA256"); h << "a"; first = h.hexdigest; h << "b"; [first, h.hexdigest, h.reset.update("ab").hexdigest] }
show("hmac of another") { OpenSSL::HMAC.new("key", "nothing") }
show("pbkdf2") { OpenSSL::KDF.pbkdf2_hmac("pass", salt: "salt", iterations: 3, length: 40, hash: "SHA512").unpack1("H*") }
show("scrypt") { OpenSSL::KDF.scrypt("pass", salt: "salt", N: 16, r: 2, p: 1, length: 20).unpack1("H*") }
show("hkdf") { OpenSSL::KDF.hkdf("key", salt: "salt", info: "info", length: 50, hash: "SHA1").unpack1("H*") }
show("scrypt without N") { OpenSSL::KDF.scrypt("pass", salt: "salt", r: 2, p: 1, length: 20) }
show("compare") { [OpenSSL.secure_compare("a", "b"), OpenSSL.secure_compare("a", "a"), OpenSSL.fixed_length_secure_compare("aa", "ab")] }
show("compare lengths") { OpenSSL.fixed_length_secure_compare("a", "aa") }

%w[aes-128-cbc aes-192-ecb aes-256-ctr aes-128-cfb aes-256-cfb8 aes-192-ofb des-ede3-cbc des-ede chacha20].each do |name|
  show(name) do
    text = "a text of some length, " * 3
    c = OpenSSL::Cipher.new(name).encrypt
    c.key = "k" * c.key_len
    c.iv = "v" * c.iv_len if c.iv_len > 0
    out = c.update(text[0, 7]) + c.update(text[7..]) + c.final
    d = OpenSSL::Cipher.new(name).decrypt
    d.key = "k" * d.key_len
    d.iv = "v" * d.iv_len if d.iv_len > 0
    [c.name, c.key_len, c.iv_len, c.block_size, out.unpack1("H*"), d.update(out[0, 20]) + d.update(out[20..]) + d.final == text]
  end
end
%w[aes-256-gcm chacha20-poly1305].each do |name|
  show(name) do
    c = OpenSSL::Cipher.new(name).encrypt
    c.key, c.iv, c.auth_data = "k" * 32, "v" * 12, "covered"
    out = c.update("se") + c.update("cret" * 10) + c.final
    d = OpenSSL::Cipher.new(name).decrypt
    d.key, d.iv, d.auth_tag, d.auth_data = "k" * 32, "v" * 12, c.auth_tag, "covered"
    [out.unpack1("H*"), c.auth_tag.unpack1("H*"), d.update(out) + d.final]
  end
  show("#{name} forged") do
    d = OpenSSL::Cipher.new(name).decrypt
    d.key, d.iv, d.auth_tag = "k" * 32, "v" * 12, "t" * 16
    d.update("abc")
    d.final
  end
end
show("gcm of a long nonce") { c = OpenSSL::Cipher.new("aes-128-gcm").encrypt; c.iv_len = 20; c.key, c.iv = "k" * 16, "v" * 20; (c.update("abc") + c.final).unpack1("H*") }
show("unknown cipher") { OpenSSL::Cipher.new("nothing") }
show("wrong key") { OpenSSL::Cipher.new("aes-128-cbc").key = "k" }
show("wrong vector") { OpenSSL::Cipher.new("aes-128-cbc").iv = "v" }
show("no key") { OpenSSL::Cipher.new("aes-128-cbc").encrypt.update("a") }
show("no key at the end") { OpenSSL::Cipher.new("aes-128-cbc").encrypt.final }
show("not whole") { c = OpenSSL::Cipher.new("aes-128-cbc").decrypt; c.key = "k" * 16; c.update("abc"); c.final }
show("bad padding") { c = OpenSSL::Cipher.new("aes-128-cbc").decrypt; c.key = "k" * 16; c.update("a" * 16); c.final }
show("tag of what has none") { OpenSSL::Cipher.new("aes-128-cbc").auth_tag }
show("copy under way") { c = OpenSSL::Cipher.new("aes-128-ctr").encrypt; c.key, c.iv = "k" * 16, "v" * 16; c.update("abc"); d = c.dup; c.update("d") == d.update("d") }
show("long data") do
  %w[aes-128-cbc aes-256-gcm chacha20 aes-128-cfb].map do |name|
    text = Random.new(3).bytes(200_001)
    c = OpenSSL::Cipher.new(name).encrypt
    c.key, c.iv = "k" * c.key_len, "v" * c.iv_len
    out = c.update(text[0, 5]) + c.update(text[5..]) + c.final
    d = OpenSSL::Cipher.new(name).decrypt
    d.key, d.iv = "k" * d.key_len, "v" * d.iv_len
    d.auth_tag = c.auth_tag if c.authenticated?
    buffer = "given".b
    d.update(out[0, 3], buffer)
    first = buffer.dup
    d.update(out[3..], buffer)
    [OpenSSL::Digest.hexdigest("SHA1", out), first + buffer + d.final == text]
  end
end
show("key of a password") { c = OpenSSL::Cipher.new("aes-256-cbc").encrypt; c.pkcs5_keyivgen("pass", "saltsalt", 5, "SHA1"); (c.update("x") + c.final).unpack1("H*") }

show("numbers") { a = OpenSSL::BN.new("ff", 16); [a.to_s, (a + 1).to_i, (a / 2).map(&:to_i), (a % 7).to_i, a.mod_exp(3, 1000).to_i, a.mod_inverse(256).to_i, a.num_bits, a.to_s(2), (-a).to_s(0).unpack1("H*")] }
show("no inverse") { 2.to_bn.mod_inverse(4) }
show("root") { 2.to_bn.mod_sqrt(515761).mod_sqr(515761).to_i }
show("primes") { [97.to_bn.prime?, 98.to_bn.prime?, (2**127 - 1).to_bn.prime?, OpenSSL::BN.generate_prime(40).num_bits] }
