require "openssl"
include OpenSSL

def issue(name, serial, key, issuer = nil, issuer_key = key, **extensions)
  certificate = X509::Certificate.new
  certificate.version, certificate.serial, certificate.public_key = 2, serial, key.public_key
  certificate.subject = X509::Name.parse("/CN=#{name}")
  certificate.issuer = issuer ? issuer.subject : certificate.subject
  certificate.not_before, certificate.not_after = Time.now - 100, Time.now + 100_000
  factory = X509::ExtensionFactory.new
  extensions.each { |oid, value| certificate.add_extension(factory.create_extension(oid.to_s, value, true)) }
  certificate.sign(issuer_key, "SHA256")
end

KEYS = Array.new(3) { PKey::RSA.new(2048) }
ROOT = issue("root", 1, KEYS[0], basicConstraints: "CA:TRUE", keyUsage: "keyCertSign")
CERT = issue("server", 16, KEYS[1], ROOT, KEYS[0])
OTHER = issue("other", 17, KEYS[1], ROOT, KEYS[0])
RESPONDER = issue("responder", 3, KEYS[2], ROOT, KEYS[0], extendedKeyUsage: "OCSPSigning")
STORE = X509::Store.new.add_cert(ROOT)

def show
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

id = OCSP::CertificateId.new(CERT, ROOT)
other = OCSP::CertificateId.new(OTHER, ROOT)
p id.serial.to_i, id.hash_algorithm, id.cmp(other), id.cmp_issuer(other), id.cmp(OCSP::CertificateId.new(id.to_der))
p id.issuer_name_hash == OpenSSL::Digest.hexdigest("SHA1", ROOT.subject.to_der)
p OCSP::CertificateId.new(CERT, ROOT, "SHA256").cmp_issuer(id)
show { OCSP::CertificateId.new(CERT, nil) }

request = OCSP::Request.new.add_certid(id).add_nonce("nonce")
p request.signed?, request.verify([], STORE), request.certid.map { |one| one.serial.to_i }
request.sign(CERT, KEYS[1], [])
p request.signed?, request.verify([], STORE), request.verify([], X509::Store.new), request.dup.to_der == request.to_der
p OCSP::Request.new(request.to_der).verify([], STORE), OCSP::Request.new(request.to_der).certid[0].cmp(id)
show { request.sign(CERT, KEYS[0]) }

now = Time.at(Time.now.to_i)
answer = OCSP::BasicResponse.new
p request.check_nonce(answer), answer.copy_nonce(request), request.check_nonce(answer), OCSP::Request.new.check_nonce(answer)
answer.add_status(id, OCSP::V_CERTSTATUS_GOOD, nil, nil, -10, 500, [])
answer.add_status(other, OCSP::V_CERTSTATUS_REVOKED, OCSP::REVOKED_STATUS_KEYCOMPROMISE, now - 50, now - 20, nil, nil)
show { answer.add_status(other, OCSP::V_CERTSTATUS_REVOKED, 0, nil, 0, nil, nil) }
show { answer.add_status(nil, 0, 0, nil, 0, nil, nil) }
answer.sign(RESPONDER, KEYS[2], [])
p answer.verify([], STORE), answer.verify([], X509::Store.new), answer.verify([], STORE, OCSP::NOINTERN)
p answer.verify([RESPONDER], X509::Store.new, OCSP::TRUSTOTHER)
p OCSP::BasicResponse.new(answer.to_der).verify([], STORE)
changed = answer.to_der.sub("responder", "responded")
p OCSP::BasicResponse.new(changed).verify([], STORE)

single = answer.find_response(other)
p single.cert_status, single.revocation_reason, single.revocation_time == now - 50, single.this_update == now - 20
p single.next_update, single.extensions, single.check_validity, single.check_validity(0, 10)
show { answer.responses[0].revocation_time }
p answer.find_response(OCSP::CertificateId.new(RESPONDER, ROOT)), answer.responses.map { |one| one.certid.serial.to_i }

# The issuer itself, a responder that is not entitled to it, and one named by its key.
signed = ->(certificate, key, flags = 0) { answer.dup.sign(certificate, key, [], flags).verify([], STORE) }
p signed.(ROOT, KEYS[0]), signed.(CERT, KEYS[1]), signed.(RESPONDER, KEYS[2], OCSP::RESPID_KEY)

response = OCSP::Response.create(OCSP::RESPONSE_STATUS_SUCCESSFUL, answer)
p response.status, response.status_string, response.basic.to_der == answer.to_der, response.dup.to_der == response.to_der
later = OCSP::Response.create(OCSP::RESPONSE_STATUS_TRYLATER, nil)
p later.status, later.status_string, later.basic
[OCSP::Request, OCSP::BasicResponse, OCSP::Response, OCSP::CertificateId, OCSP::SingleResponse].each do |kind|
  kind.new("0\x03abc")
rescue OCSP::OCSPError
  puts kind
end
