# Signatures of whole messages and of their digests are the same, for keys and digests of all kinds.
require "openssl"

rsa = OpenSSL::PKey::RSA.new(2048)
%w[SHA1 SHA224 SHA256 SHA384 SHA512].each do |name|
  digest = OpenSSL::Digest.digest(name, "text")
  signature = rsa.sign(name, "text")
  p [name, signature == rsa.sign_raw(name, digest), rsa.verify_raw(name, signature, digest)]
  p [rsa.verify(name, rsa.sign_raw(name, digest), "text"), rsa.verify(name, signature, "texts"),
    rsa.verify(name, signature.succ, "text"), rsa.verify(name, "", "text"),
    rsa.public_key.verify(name, signature, "text")]
  [:digest, :max, 5].each do |salt|
    pss = rsa.sign_pss(name, "text", salt_length: salt, mgf1_hash: name)
    lengths = [:auto, :digest, 222, 5]
    p [salt, lengths.map { |length| rsa.verify_pss(name, pss, "text", salt_length: length, mgf1_hash: name) }]
    p rsa.verify_pss(name, pss, "other", salt_length: :auto, mgf1_hash: name)
  end
end
mixed = rsa.sign_pss("SHA256", "text", salt_length: :digest, mgf1_hash: "SHA1")
masks = %w[SHA1 SHA256]
p masks.map { |mask| rsa.verify_pss("SHA256", mixed, "text", salt_length: :auto, mgf1_hash: mask) }
p rsa.verify("SHA512", rsa.sign("SHA256", "text"), "text"), rsa.sign("SHA256", "").bytesize
p rsa.verify("SHA256", rsa.sign("SHA256", "text", rsa_padding_mode: "pss"), "text", rsa_padding_mode: "pss")
short = [512, 1024].map { |bits| OpenSSL::PKey::RSA.new(bits) }
p short.map { |key| key.verify("SHA256", key.sign("SHA256", "text"), "text") }
three = OpenSSL::PKey::RSA.new(2048, 3)
p three.verify("SHA256", three.sign("SHA256", "text"), "text")
p rsa.dup.verify("SHA256", rsa.dup.sign("SHA256", "text"), "text")
p rsa.freeze.sign("SHA384", "text") == rsa.sign("SHA384", "text")
begin
  rsa.public_key.sign("SHA256", "text")
rescue ArgumentError, OpenSSL::PKey::PKeyError => error
  p error.class, error.message
end

%w[prime256v1 secp384r1 secp521r1 secp256k1].each do |curve|
  key = OpenSSL::PKey::EC.generate(curve)
  other = OpenSSL::PKey::EC.generate(curve)
  public = OpenSSL::PKey.read(key.public_to_pem)
  %w[SHA1 SHA256 SHA384].each do |name|
    digest = OpenSSL::Digest.digest(name, "text")
    signature = key.sign(name, "text")
    p [curve, name, key.verify(name, signature, "text"), public.verify(name, signature, "text"),
      key.dsa_verify_asn1(digest, signature), key.verify(name, key.dsa_sign_asn1(digest), "text"),
      key.verify(name, signature, "texts"), other.verify(name, signature, "text")]
  end
  p key.freeze.verify("SHA256", key.sign("SHA256", "text"), "text")
  calls = { "verify" => -> { key.verify("SHA256", "no signature", "text") },
    "sign" => -> { public.sign("SHA256", "text") } }
  calls.each do |name, call|
    p [name, call.call]
  rescue ArgumentError, OpenSSL::PKey::PKeyError => error
    p [name, error.class]
  end
end
