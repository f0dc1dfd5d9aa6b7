# Keys and certificates: written keys can be read back, signatures verify, errors are OpenSSL's.
require "openssl"

def show(name)
  puts "#{name}: #{yield.inspect}"
rescue StandardError, NotImplementedError => error
  puts "#{name}: #{error.class}: #{error.message}"
end

rsa = OpenSSL::PKey::RSA.new(1024)
ec = OpenSSL::PKey::EC.generate("prime256v1")
ed = OpenSSL::PKey.generate_key("ED25519")
x = OpenSSL::PKey.generate_key("X25519")

show("numbers") { [rsa.n.num_bits, rsa.e.to_i, (rsa.p * rsa.q) == rsa.n, rsa.params.keys] }
%w[SHA1 SHA256 SHA512].each { |d| show("RSA #{d}") { s = rsa.sign(d, "text"); [s.bytesize, rsa.verify(d, s, "text"), rsa.verify(d, s, "texts")] } }
show("PSS") { s = rsa.sign_pss("SHA256", "text", salt_length: :max, mgf1_hash: "SHA256"); [rsa.verify_pss("SHA256", s, "text", salt_length: :auto, mgf1_hash: "SHA256"), rsa.verify_pss("SHA256", s, "text", salt_length: 5, mgf1_hash: "SHA256")] }
show("PKCS1") { rsa.private_decrypt(rsa.public_encrypt("secret")) }
show("OAEP") { rsa.private_decrypt(rsa.public_encrypt("secret", 4), 4) }
show("OAEP SHA256") { o = { "rsa_padding_mode" => "oaep", "rsa_oaep_md" => "SHA256", "rsa_mgf1_md" => "SHA1" }; rsa.decrypt(rsa.encrypt("secret", o), o) }
show("private, public") { rsa.public_decrypt(rsa.private_encrypt("text")) }
show("too long") { rsa.public_encrypt("x" * 200) }
show("no private key") { rsa.public_key.sign("SHA256", "x") }
show("broken OAEP") { rsa.private_decrypt("x" * 128, 4) }
show("forms") { [rsa.to_pem, rsa.private_to_pem, rsa.public_to_pem, ec.to_pem, ec.private_to_pem, ed.private_to_pem].map { |pem| [pem[/BEGIN ([^-]*)/, 1], OpenSSL::PKey.read(pem).oid] } }
show("der") { [rsa.to_der, rsa.private_to_der, ec.to_der].map { |der| OpenSSL::PKey.read(der).private? } }
show("encrypted") { [rsa.to_pem("aes-128-cbc", "word"), rsa.private_to_pem("aes-256-cbc", "word"), ec.to_pem("des-ede3-cbc", "word")].map { |pem| OpenSSL::PKey.read(pem, "word").private? } }
show("asked for") { OpenSSL::PKey::RSA.new(rsa.to_pem("aes-128-cbc", "word")) { "word" }.n == rsa.n }
show("wrong password") { OpenSSL::PKey::RSA.new(rsa.to_pem("aes-128-cbc", "word"), "other") }
show("no key") { OpenSSL::PKey.read("nothing") }
show("another kind") { OpenSSL::PKey::RSA.new(ec.to_pem) }
show("unknown curve") { OpenSSL::PKey::EC.new("nothing") }

%w[prime256v1 secp384r1 secp521r1 secp256k1].each do |name|
  show(name) do
    a, b = OpenSSL::PKey::EC.generate(name), OpenSSL::PKey::EC.generate(name)
    s = a.sign("SHA256", "text")
    [a.group.degree, a.verify("SHA256", s, "text"), b.verify("SHA256", s, "text"), a.dh_compute_key(b.public_key) == b.dh_compute_key(a.public_key), a.group.generator.mul(a.private_key) == a.public_key, a.check_key]
  end
end
show("points") { p2 = ec.public_key.add(ec.public_key); [p2 == ec.public_key.mul(2), p2.dup.invert!.add(p2).infinity?, p2.to_octet_string(:compressed).bytesize, OpenSSL::PKey::EC::Point.new(ec.group, p2.to_octet_string(:hybrid)) == p2] }
show("no point") { OpenSSL::PKey::EC::Point.new(ec.group, "\x04" + "a" * 64) }
show("Ed25519") { s = ed.sign(nil, "text"); [s.bytesize, ed.verify(nil, s, "text"), ed.verify(nil, s, "texts"), OpenSSL::PKey.new_raw_private_key("ED25519", ed.raw_private_key).raw_public_key == ed.raw_public_key] }
show("X25519") { y = OpenSSL::PKey.generate_key("X25519"); x.derive(OpenSSL::PKey.new_raw_public_key("X25519", y.raw_public_key)) == y.derive(x) }
show("wrong use") { x.sign(nil, "text") }

name = OpenSSL::X509::Name.parse("/C=DE/O=Some, Thing/CN=CA")
show("name") { [name.to_s, name.to_s(OpenSSL::X509::Name::RFC2253), name.to_a, name.hash, name == OpenSSL::X509::Name.parse("/C=DE/O=some,  thing/CN=ca")] }
show("name, too long") { OpenSSL::X509::Name.parse("/C=DEU") }
make = lambda do |subject, key, issuer, issuer_key, extensions, serial|
  cert = OpenSSL::X509::Certificate.new
  cert.version, cert.serial, cert.subject, cert.public_key = 2, serial, OpenSSL::X509::Name.parse(subject), key
  cert.issuer = issuer ? issuer.subject : cert.subject
  cert.not_before, cert.not_after = Time.at(1_700_000_000), Time.at(4_000_000_000)
  factory = OpenSSL::X509::ExtensionFactory.new(issuer || cert, cert)
  extensions.each { |oid, value, critical| cert.add_extension(factory.create_extension(oid, value, critical)) }
  cert.sign(issuer_key, "SHA256")
end
ca = make.("/CN=CA", rsa, nil, rsa, [["basicConstraints", "CA:TRUE", true], ["keyUsage", "keyCertSign, cRLSign", true]], 1)
leaf = make.("/CN=leaf", ec, ca, rsa, [["subjectAltName", "DNS:a.example,IP:127.0.0.1,email:a@b.c,URI:http://x/"], ["extendedKeyUsage", "serverAuth,clientAuth"]], 2**70)
show("certificate") { read = OpenSSL::X509::Certificate.new(leaf.to_pem); [read == leaf, read.serial.to_i, read.not_before, read.not_after.year, read.signature_algorithm, read.version, read.verify(rsa), read.check_private_key(ec)] }
show("extensions") { leaf.extensions.map(&:to_a) }
show("no certificate") { OpenSSL::X509::Certificate.new("nothing") }
show("no extension") { OpenSSL::X509::ExtensionFactory.new.create_extension("nothing", "x") }
store = OpenSSL::X509::Store.new
show("not trusted") { [store.verify(leaf), store.error, store.error_string] }
show("self-signed") { [store.verify(ca), store.error_string] }
store.add_cert(ca)
show("trusted") { [store.verify(leaf), store.error_string, store.chain.map { |c| c.subject.to_s }] }
store.time = Time.at(1_600_000_000)
show("too early") { [store.verify(leaf), store.error_string] }
show("asked") { seen = []; [store.verify(leaf) { |fine, context| seen << [fine, context.error_depth, context.error]; true }, seen] }
request = OpenSSL::X509::Request.new
request.subject, request.public_key = name, rsa
request.sign(rsa, "SHA256")
show("request") { read = OpenSSL::X509::Request.new(request.to_der); [read.subject.to_s, read.verify(rsa), read.signature_algorithm] }
crl = OpenSSL::X509::CRL.new
crl.version, crl.issuer, crl.last_update, crl.next_update = 1, ca.subject, Time.at(1_700_000_000), Time.at(4_000_000_000)
revoked = OpenSSL::X509::Revoked.new
revoked.serial, revoked.time = leaf.serial, Time.at(1_700_000_000)
crl.add_revoked(revoked).then { crl.sign(rsa, "SHA256") }
checked = OpenSSL::X509::Store.new
checked.add_cert(ca).add_crl(crl)
checked.flags = OpenSSL::X509::V_FLAG_CRL_CHECK
show("revoked") { [OpenSSL::X509::CRL.new(crl.to_pem).revoked.map { |r| r.serial.to_i }, checked.verify(leaf), checked.error_string] }

tree = OpenSSL::ASN1::Sequence([OpenSSL::ASN1::Integer(-129), OpenSSL::ASN1::ObjectId("sha256"), OpenSSL::ASN1::UTF8String("x", 3, :EXPLICIT), OpenSSL::ASN1::Set([OpenSSL::ASN1::Null(nil)])])
show("ASN.1") { tree.to_der.unpack1("H*") }
show("ASN.1 back") { back = OpenSSL::ASN1.decode(tree.to_der); [back.to_der == tree.to_der, back.value.map(&:class), back.value[0].value.to_i, back.value[1].value] }
show("traverse") { rows = []; OpenSSL::ASN1.traverse(tree.to_der) { |row| rows << row }; rows }
show("cut") { OpenSSL::ASN1.decode("\x30\x05\x02") }
show("object") { o = OpenSSL::ASN1::ObjectId("2.5.4.3"); [o.sn, o.ln, o.oid] }
file = OpenSSL::PKCS12.create("word", "name", rsa, ca, [leaf])
show("PKCS12") { read = OpenSSL::PKCS12.new(file.to_der, "word"); [read.key.n == rsa.n, read.certificate == ca, read.ca_certs == [leaf]] }
show("PKCS12, wrong password") { OpenSSL::PKCS12.new(file.to_der, "other") }
binary = OpenSSL::PKCS7::BINARY
store.time = Time.at(1_800_000_000)
signer = make.("/CN=signer", rsa, ca, rsa, [["keyUsage", "digitalSignature", true]], 5)
show("PKCS7") { read = OpenSSL::PKCS7.new(OpenSSL::PKCS7.sign(signer, rsa, "text\n", [], binary).to_der); [read.verify([], store, nil, binary), read.data, read.signers.map { |s| s.serial.to_i }, read.type] }
show("PKCS7, detached") { read = OpenSSL::PKCS7.new(OpenSSL::PKCS7.sign(signer, rsa, "text\n", [], binary | OpenSSL::PKCS7::DETACHED).to_pem); [read.verify([signer], store, "text\n", binary), read.verify([signer], store, "other", binary), read.error_string] }
show("PKCS7, enveloped") { OpenSSL::PKCS7.new(OpenSSL::PKCS7.encrypt([ca], "secret", "aes-128-cbc", binary).to_der).decrypt(rsa, ca) }
request = OpenSSL::Netscape::SPKI.new
request.challenge, request.public_key = "word", rsa.public_key
show("SPKI") { request.sign(rsa, "SHA256"); OpenSSL::Netscape::SPKI.new(request.to_pem).then { |r| [r.challenge, r.verify(rsa)] } }
