# Objects of OpenSSL show no key and no structure when they are inspected; constructors take no nil.
require "openssl"
O = OpenSSL
key = O::PKey::RSA.new(1024)
cert = O::X509::Certificate.new
cert.version, cert.serial, cert.public_key = 2, 1, key
cert.subject = cert.issuer = O::X509::Name.parse("/CN=a")
cert.not_before, cert.not_after = Time.at(0), Time.at(2**31)
cert.sign(key, "SHA256")
request = O::X509::Request.new
request.subject, request.public_key = cert.subject, key
request.sign(key, "SHA256")
p12 = O::PKCS12.create("x", "n", key, cert)
spki = O::Netscape::SPKI.new
spki.challenge = "c"
signed = O::PKCS7.sign(cert, key, "text")
objects = [
  p12, O::PKCS12.new(p12.to_der, "x"), request, O::X509::CRL.new, O::X509::Revoked.new, spki, O::X509::Store.new,
  O::PKCS7.new, signed.signers[0], O::PKCS7::RecipientInfo.new(cert), cert,
  O::X509::Extension.new("basicConstraints", "CA:TRUE"), cert.subject, O::BN.new(3), key,
  O::PKey::EC.generate("prime256v1"), O::PKey::EC::Group.new("prime256v1"), O::Config.new, O::ASN1::Integer(1)
]
objects.each { |object| puts "#{object.class} #{object.instance_variables.sort}" }
p key.inspect[/ oid=\S+ type_name=\w+/], p12.inspect.include?(p12.to_der[0, 20].inspect[1..-2])
puts [request, spki, signed.signers[0], O::X509::CRL.new].map { |object| object.inspect.sub(/0x\h+/, "0x") }
class Marked < O::X509::Request
  def initialize = (super; @mark = 1)
end
p Marked.new.instance_variables

[O::PKey::RSA, O::PKey::DSA, O::PKey::DH, O::PKey::EC].each { |kind| kind.new rescue puts $!.message }
[O::X509::Certificate, O::X509::Request, O::X509::CRL, O::X509::Name, O::Netscape::SPKI].each do |kind|
  kind.new(nil)
rescue TypeError
  puts "#{kind}: #{$!.message}"
end
p((O::BN.new("x") rescue $!.message))
puts OpenSSL::BN.new(5).inspect.sub(/0x\h+/, "0x")
