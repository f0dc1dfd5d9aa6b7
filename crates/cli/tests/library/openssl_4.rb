# Recorded from CRuby 4.1dev with openssl 4.0.2: what changed in version 4.0.
require "openssl"
include OpenSSL

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message[/\A[^:]*/]}"
end

t { ASN1::ASN1Data.new(1, 2, 3) }
t { ASN1::ASN1Data.new(1, "a", :X).tag_class }
t { ASN1::Primitive.new(1) }
t { [ASN1::Primitive.new(1, 2).tag_class, ASN1::Primitive.new(1, 2, :IMPLICIT).tag_class] }
t { ASN1::Primitive.new(1, 2, 3) }
t { ASN1::Primitive.new(1, 2, :EXPLICIT, 4) }
t { ASN1::Integer.new(1, nil, :IMPLICIT) }
t { [ASN1::Integer.new(1).tag, ASN1::Integer.new(1).tagging, Class.new(ASN1::Integer).new(1).tag] }
t { [ASN1::BitString.new("a").unused_bits, ASN1::EndOfContent.new.value, ASN1::EndOfContent().tag_class] }
t { ASN1::EndOfContent.new(1) }
t { [ASN1::Sequence.new([1, 2]).to_a, ASN1::Sequence.new([]).indefinite_length] }
t { ASN1::Integer.new(1).indefinite_length = true }
t { [ASN1::Integer.new(1), ASN1::BitString.new(""), ASN1::EndOfContent.new].map(&:instance_variables) }
t { [ASN1::Constructive, ASN1::BitString].map { |klass| klass.ancestors.take(3) } }

t { [PKey::RSAError, PKey::ECError, PKey::DSAError, PKey::DHError].uniq }
t { PKey::RSA.new(1024).public_key.params["d"] }
t { Cipher.new("nope") }
t { OpenSSL::Digest.new("nope") }
t { Cipher.new("aes-128-gcm").encrypt("password") }
t { Cipher::AuthTagError.superclass }
t do
  cipher = Cipher.new("aes-128-gcm").decrypt
  cipher.key, cipher.iv, cipher.auth_tag = "k" * 16, "i" * 12, "t" * 16
  cipher.update("abc")
  cipher.final
end
t { PKCS7.new("junk") }

t do
  context = SSL::SSLContext.new
  context.min_version, context.max_version = :TLS1_2, SSL::TLS1_3_VERSION
  context.groups = context.ecdh_curves = "P-256"
  context.set_params
  context.freeze
end
t { SSL::SSLContext.new.min_version = :TLS9 }
t { SSL::SSLContext.new.freeze.max_version = nil }

# PKCS7: what belongs to signed data is refused elsewhere, and `data` is what was signed or verified.
t do
  data = PKCS7.new
  data.type = :data
  data.data = "content"
  [-> { data.add_certificate(X509::Certificate.new) }, -> { data.cipher = "aes-128-cbc" }].map do |refused|
    refused.call
  rescue PKCS7::PKCS7Error => error
    error.class
  end
end
t do
  signing = PKey.generate_key("RSA", "rsa_keygen_bits" => 1024)
  certificate = X509::Certificate.new
  certificate.version, certificate.serial = 2, 1
  certificate.subject = certificate.issuer = X509::Name.parse("/CN=me")
  certificate.public_key = signing.public_key
  certificate.not_before, certificate.not_after = Time.now - 60, Time.now + 3600
  certificate.sign(signing, "SHA256")
  store = X509::Store.new
  store.add_cert(certificate)
  made = PKCS7.sign(certificate, signing, "a\nb\n", [])
  read = PKCS7.new(made.to_der)
  seen = [made.data, read.data, read.verify([], store), read.data, read.error_string]
  detached = PKCS7.sign(certificate, signing, "a\nb\n", [], PKCS7::DETACHED | PKCS7::BINARY)
  read = PKCS7.new(detached.to_der)
  seen + [read.verify([], store), read.data, read.error_string, read.verify([], store, "a\nb\n"), read.data]
end
t { ASN1.decode(["3080"].pack("H*") * 500) }
t do
  ASN1::GeneralizedTime.new(Time.utc(10000)).to_der
rescue ASN1::ASN1Error
  "no year 10000"
end
t { Cipher.new("AES-256-CBC").send(:initialize, "AES-256-CBC") }
t do
  one, other = [1, 2].map { PKey.generate_key("RSA", "rsa_keygen_bits" => 1024) }
  PKey.read(one.public_to_der + other.private_to_pem).private?
end
t { PKey::DH.new(ASN1::Sequence([ASN1::Integer(24), ASN1::Integer(5)])).params_ok? }
