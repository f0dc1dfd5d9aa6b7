# OpenSSL::OCSP: what names a certificate, and requests for its state (RFC 6960).

module OpenSSL
  module OCSP
    class OCSPError < OpenSSLError
    end

    {
      RESPONSE_STATUS_SUCCESSFUL: 0, RESPONSE_STATUS_MALFORMEDREQUEST: 1, RESPONSE_STATUS_INTERNALERROR: 2,
      RESPONSE_STATUS_TRYLATER: 3, RESPONSE_STATUS_SIGREQUIRED: 5, RESPONSE_STATUS_UNAUTHORIZED: 6,
      REVOKED_STATUS_NOSTATUS: -1, REVOKED_STATUS_UNSPECIFIED: 0, REVOKED_STATUS_KEYCOMPROMISE: 1,
      REVOKED_STATUS_CACOMPROMISE: 2, REVOKED_STATUS_AFFILIATIONCHANGED: 3, REVOKED_STATUS_SUPERSEDED: 4,
      REVOKED_STATUS_CESSATIONOFOPERATION: 5, REVOKED_STATUS_CERTIFICATEHOLD: 6, REVOKED_STATUS_REMOVEFROMCRL: 8,
      NOCERTS: 1, NOINTERN: 2, NOSIGS: 4, NOCHAIN: 8, NOVERIFY: 16, NOEXPLICIT: 32, NOCASIGN: 64, NODELEGATED: 128,
      NOCHECKS: 256, TRUSTOTHER: 512, RESPID_KEY: 1024, NOTIME: 2048, V_CERTSTATUS_GOOD: 0, V_CERTSTATUS_REVOKED: 1,
      V_CERTSTATUS_UNKNOWN: 2, V_RESPID_NAME: 0, V_RESPID_KEY: 1
    }.each { |name, number| const_set(name, number) }

    class << self
      # An explicitly tagged value.
      def __tagged(tag, value) = ASN1::ASN1Data.new([value], tag, :CONTEXT_SPECIFIC)

      # The tagged parts of a SEQUENCE by their tags.
      def __tags(parts)
        parts.select { |part| part.tag_class == :CONTEXT_SPECIFIC }.to_h { |part| [part.tag, part.value] }
      end

      def __extensions(list) = list.map { |one| X509::Extension.new(one.to_der) }

      # Decodes DER; OCSPError with the name of the structure for anything else.
      def __decode(data, what)
        data = data.to_der if data.respond_to?(:to_der)
        yield ASN1.decode(OpenSSL.__text(data).b), OpenSSL.__text(data).b
      rescue ASN1::ASN1Error, ::NoMethodError, ::ArgumentError, X509::CertificateError, X509::ExtensionError,
        X509::NameError
        raise OCSPError, "d2i_#{what}: wrong tag"
      end

      def __check_key(key, certificate, what)
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        return if certificate.check_private_key(key)
        raise OCSPError, "#{what}: private key does not match certificate"
      end

      # The algorithm and the signature of bytes.
      def __signature(key, digest, bytes)
        digest = digest ? PKey.__digest_name(digest) : "SHA256"
        [X509.__signature_algorithm(key, digest), key.sign(key.oid == "ED25519" ? nil : digest, bytes)]
      end

      # Whether the store trusts a certificate; the chain that shows it, or nil.
      def __chain(store, certificate, others, flags)
        context = X509::StoreContext.new(store, certificate, flags & NOCHAIN == 0 ? others : [])
        context.verify ? context.chain : nil
      end

      def __public_key_bits(certificate) = ASN1.decode(certificate.public_key.public_to_der).value[1].value
    end

    # The nonce of a request or an answer, an extension.
    module Nonces
      NAME = "1.3.6.1.5.5.7.48.1.2"
      private_constant :NAME

      # `add_nonce(text = nil) → self`: replaces the nonce, by default by a random one.
      def add_nonce(text = nil)
        text = text.nil? ? Random.random_bytes(16) : OpenSSL.__text(text).b
        @extensions.reject! { |one| one.__oid == NAME }
        __add_nonce(X509::Extension.new(NAME, ASN1::OctetString(text).to_der))
        self
      end

      def __nonce = @extensions.find { |one| one.__oid == NAME }

      def __add_nonce(extension)
        @extensions << extension
        @der = @tbs = nil
      end
    end
    private_constant :Nonces

    class CertificateId
      # `CertificateId.new(der)`, `CertificateId.new(certificate, issuer, digest = nil)`
      def initialize(subject, issuer = (none = true; nil), digest = nil)
        if none
          return OCSP.__decode(subject, "OCSP_CERTID") do |structure, der|
            algorithm, name, key, serial = structure.value
            @algorithm, @name, @key, @serial, @der = algorithm, name.value.b, key.value.b, serial.value, der
            raise ArgumentError unless ASN1::Integer === serial && ASN1::ObjectId === algorithm.value[0]
          end
        end
        [subject, issuer].each { |one| OpenSSL.__check(one, X509::Certificate, "X509") }
        digest = digest ? PKey.__digest_name(digest) : "SHA1"
        @algorithm = ASN1::Sequence([ASN1::ObjectId(digest), ASN1::Null(nil)])
        @name = Digest.digest(digest, subject.issuer.to_der)
        @key, @serial = Digest.digest(digest, OCSP.__public_key_bits(issuer)), subject.serial
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      # Whether the issuer, and for `cmp` the serial number, are the same.
      def cmp(other) = cmp_issuer(other) && serial == other.serial
      def cmp_issuer(other)
        OpenSSL.__check(other, CertificateId, "OCSP/CERTID")
        __issuer == other.__issuer
      end

      def serial = BN.new(@serial)
      def issuer_name_hash = @name.unpack1("H*")
      def issuer_key_hash = @key.unpack1("H*")
      def hash_algorithm = @algorithm.value[0].ln || @algorithm.value[0].oid

      def to_der = (@der ||= ASN1::Sequence(
        [@algorithm, ASN1::OctetString(@name), ASN1::OctetString(@key), ASN1::Integer(@serial)]).to_der).dup

      def __issuer = [@algorithm.value[0].oid, @name, @key]

      # Whether a certificate is that of the issuer.
      def __of?(certificate)
        digest = @algorithm.value[0].sn
        Digest.digest(digest, certificate.subject.to_der) == @name &&
          Digest.digest(digest, OCSP.__public_key_bits(certificate)) == @key
      end
    end

    class Request
      include Nonces

      # `Request.new(der)`; an empty one without an argument.
      def initialize(der = (none = true; nil))
        @ids, @extensions, @certificates = [], [], []
        return if none
        OCSP.__decode(der, "OCSP_REQUEST") do |structure, bytes|
          tbs, signature = structure.value
          __read_request(tbs)
          __read_signature(signature.value[0]) if signature
          @der = bytes
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      def add_certid(id)
        OpenSSL.__check(id, CertificateId, "OCSP/CERTID")
        @ids << [id.dup, nil]
        @der = @tbs = nil
        self
      end

      def certid = @ids.map { |id, _| id.dup }

      # `check_nonce(basic) → integer`: 1 equal, 0 different, 2 absent in both, 3 only in the answer, -1 only here.
      def check_nonce(basic)
        ours, theirs = __nonce, basic.__nonce
        return theirs ? 3 : 2 unless ours
        return -1 unless theirs
        ours.value_der == theirs.value_der ? 1 : 0
      end

      # `sign(certificate, key, others = nil, flags = 0, digest = nil) → self`: with the certificate and the others,
      # unless they are nil.
      def sign(certificate, key, others = nil, flags = 0, digest = nil)
        OpenSSL.__check(certificate, X509::Certificate, "X509")
        OCSP.__check_key(key, certificate, "OCSP_request_sign")
        @requestor = certificate.subject
        @certificates = others.nil? || flags.to_i & NOCERTS != 0 ? [] : [certificate, *others]
        @tbs = __tbs
        @algorithm, @signature = OCSP.__signature(key, digest, @tbs)
        @der = nil
        self
      end

      def signed? = !@signature.nil?

      # `verify(certificates, store, flags = 0) → true or false`: whether a trusted requestor signed it. The requestor's
      # certificate is in the request or among those given.
      def verify(certificates, store, flags = 0)
        return false unless @signature && @requestor
        of_requestor = ->(one) { one.subject.to_der == @requestor.to_der }
        signer = @certificates.find(&of_requestor) if flags & NOINTERN == 0
        unless signer
          signer = certificates.find(&of_requestor) or return false
          flags |= NOVERIFY if flags & TRUSTOTHER != 0
        end
        unless flags & NOSIGS != 0
          return false unless X509.__verify(@algorithm, signer.public_key, @signature, @tbs || __tbs)
        end
        flags & NOVERIFY != 0 || !OCSP.__chain(store, signer, @certificates + certificates, flags).nil?
      end

      def to_der
        return @der.dup if @der
        parts = [ASN1.decode(@tbs || __tbs)]
        if @signature
          signature = [@algorithm, ASN1::BitString(@signature)]
          signature << OCSP.__tagged(0, ASN1::Sequence(@certificates)) unless @certificates.empty?
          parts << OCSP.__tagged(0, ASN1::Sequence(signature))
        end
        (@der = ASN1::Sequence(parts).to_der).dup
      end

      private

      def __tbs
        list = @ids.map { |id, extensions| ASN1::Sequence([id, *extensions]) }
        parts = [ASN1::Sequence(list)]
        parts.unshift(OCSP.__tagged(1, OCSP.__tagged(4, @requestor))) if @requestor
        parts << OCSP.__tagged(2, ASN1::Sequence(@extensions)) unless @extensions.empty?
        ASN1::Sequence(parts).to_der
      end

      def __read_request(tbs)
        @tbs = tbs.to_der
        tags = OCSP.__tags(tbs.value)
        @requestor = X509::Name.new(tags[1][0].value[0].to_der) if tags[1] && tags[1][0].tag == 4
        list = tbs.value.find { |part| part.tag_class == :UNIVERSAL }
        @ids = list.value.map { |one| [CertificateId.new(one.value[0]), one.value[1]] }
        @extensions = OCSP.__extensions(tags[2][0].value) if tags[2]
      end

      def __read_signature(structure)
        @algorithm, signature, certificates = structure.value
        @signature = signature.value
        @certificates = certificates ? certificates.value[0].value.map { |one| X509::Certificate.new(one.to_der) } : []
      end
    end
  end
end
