require "openssl"
T = OpenSSL::Timestamp

def show
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

key = OpenSSL::PKey::RSA.new(2048)
certificate = OpenSSL::X509::Certificate.new
certificate.version, certificate.serial, certificate.public_key = 2, 7, key.public_key
certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=authority")
certificate.not_before, certificate.not_after = Time.now - 10, Time.now + 1000
factory = OpenSSL::X509::ExtensionFactory.new
certificate.add_extension(factory.create_extension("extendedKeyUsage", "timeStamping", true))
certificate.add_extension(factory.create_extension("keyUsage", "digitalSignature", true))
certificate.sign(key, "SHA256")
store = OpenSSL::X509::Store.new.add_cert(certificate)

request = T::Request.new
p request.version, request.message_imprint, request.policy_id, request.nonce, request.cert_requested?
show { request.algorithm }
show { request.to_der }
show { request.version = -1 }
show { request.version = nil }
show { request.nonce = "1" }
request.algorithm = "sha1"
p request.algorithm
show { request.to_der }
request.message_imprint = OpenSSL::Digest.digest("SHA1", "test")
puts request.to_text

authority = T::Factory.new
make = -> { authority.create_timestamp(key, certificate, request) }
show(&make)
authority.gen_time = Time.at(1_700_000_000)
show(&make)
authority.serial_number = 300
show(&make)
authority.default_policy_id = "1.2.3.4.5"
rejected = make.()
puts rejected.to_text
p rejected.status.to_i, rejected.status_text, rejected.failure_info, rejected.token, rejected.token_info
p rejected.tsa_certificate
show { rejected.verify(request, store) }

authority.allowed_digests = ["SHA1", OpenSSL::Digest.new("SHA256")]
request.nonce = 42
puts T::Request.new(request.to_der).to_text
response = make.()
puts response.to_text
p response.status.to_i, response.status_text, response.failure_info, response.tsa_certificate == certificate
info = T::TokenInfo.new(response.token_info.to_der)
p info.version, info.policy_id, info.algorithm, info.serial_number.to_i, info.gen_time.to_i, info.ordering, info.nonce.to_i
token = OpenSSL::ASN1.decode(response.to_der).value[1]
p token.to_der == response.token.to_der, token.value[1].value[0].value[2].value[0].value
p response.verify(request, store).equal?(response), T::Response.new(response.to_der).verify(request, store).class
show { response.verify(request, OpenSSL::X509::Store.new) }
show { response.verify(nil, store) }
show { response.verify(request, nil) }

changed = T::Response.new(response.to_der.sub("20231114", "20221114"))
puts changed.token_info.gen_time.year
show { changed.verify(request, store).class }

request.nonce = 3
show { response.verify(request, store) }
request.nonce = 42
request.message_imprint = "a" * 20
show { response.verify(request, store) }
request.algorithm = "SHA256"
show { response.verify(request, store) }
puts make.().to_text
request.version = 2
puts make.().to_text
request.version, request.message_imprint, request.cert_requested = 1, "b" * 32, false
bare = make.()
p bare.tsa_certificate, bare.token.certificates
show { bare.verify(request, store, [certificate]).equal?(bare) }
show { bare.verify(request, store) }
certificate.extensions = []
certificate.sign(key, "SHA256")
certificate = OpenSSL::X509::Certificate.new(certificate.to_der)
show(&make)
[T::Request, T::Response, T::TokenInfo].each do |kind|
  kind.new("*" * 44)
rescue T::TimestampError
  puts kind
end
p T::Response.new("0\"0 \x02\x01\x020\x17\f\x15Invalid TimeStampReq.\x03\x02\x06\x80").status_text
