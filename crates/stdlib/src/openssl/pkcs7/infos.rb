# OpenSSL::PKCS7: signers and recipients.

module OpenSSL
  class PKCS7
    class PKCS7Error < OpenSSLError
    end

    {
      TEXT: 1, NOCERTS: 2, NOSIGS: 4, NOCHAIN: 8, NOINTERN: 16, NOVERIFY: 32, DETACHED: 64, BINARY: 128, NOATTR: 256,
        NOSMIMECAP: 512
    }.each { |name, number| const_set(name, number) }

    class SignerInfo
      attr_reader :issuer, :serial
      alias name issuer

      # `SignerInfo.new(certificate, key, digest)`: signs the PKCS7 that it is added to.
      def initialize(certificate, key, digest)
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        @issuer, @serial, @key, @name = certificate.issuer, certificate.serial, key, PKey.__digest_name(digest)
      end

      def self.__of(structure) = allocate.__read(structure)

      def __read(structure)
        _, identity, digest, *rest = structure.value
        @issuer, @serial, @name = X509::Name.new(identity.value[0]), identity.value[1].value, digest.value[0].sn
        @attributes = rest.shift.value if rest[0].tag_class == :CONTEXT_SPECIFIC
        @signature, @structure = rest[1].value, structure
        self
      end

      def signed_time
        time = __attribute("signingTime") or raise PKCS7Error, "PKCS7_get_signed_attribute: no signed time"
        time.value
      end

      # Signs a content, unless it is already signed.
      def __sign(content, attributes = true, signing = true)
        return self if @structure
        @attributes = attributes ? __attributes(content) : nil
        signed = @attributes ? ASN1::Set(@attributes).to_der : content
        @signature = signing ? @key.sign(@key.oid == "ED25519" ? nil : @name, signed) : ""
        rsa = @key.oid == "rsaEncryption"
        algorithm = rsa ? ASN1::Sequence([ASN1::ObjectId(@key.oid), ASN1::Null(nil)]) :
          X509.__signature_algorithm(@key, @name)
        parts = [ASN1::Integer(1), ASN1::Sequence([@issuer, ASN1::Integer(@serial)]), __digest]
        parts << ASN1::ASN1Data.new(@attributes, 0, :CONTEXT_SPECIFIC) if @attributes
        @structure = ASN1::Sequence(parts.push(algorithm, ASN1::OctetString(@signature)))
        self
      end

      # Whether a certificate's key signed a content.
      def __signed?(content, certificate)
        key = certificate.public_key
        return __genuine?(key, content) unless @attributes
        __attribute("messageDigest")&.value == Digest.digest(@name, content) &&
          __genuine?(key, ASN1::Set(@attributes).to_der)
      end

      def __digest = ASN1::Sequence([ASN1::ObjectId(@name), ASN1::Null(nil)])
      def to_der = @structure.to_der

      private

      def __attribute(name) = @attributes&.find { |one| one.value[0].sn == name }&.then { |one| one.value[1].value[0] }
      def __genuine?(key, data) = key.verify(key.oid == "ED25519" ? nil : @name, @signature, data)

      # Attributes in the order of their bytes, as in a SET; parsed again like received ones.
      def __attributes(data)
        values = { "contentType" => ASN1::ObjectId("pkcs7-data"), "signingTime" => X509.__time(Time.now),
          "messageDigest" => ASN1::OctetString(Digest.digest(@name, data)) }
        rows = values.map { |name, value| ASN1::Sequence([ASN1::ObjectId(name), ASN1::Set([value])]).to_der }
        rows.sort.map { |row| ASN1.decode(row) }
      end
    end

    Signer = SignerInfo

    class RecipientInfo
      attr_reader :issuer, :serial, :enc_key

      # `RecipientInfo.new(certificate)`: for the owner of its key.
      def initialize(certificate)
        @certificate, @issuer, @serial = certificate, certificate.issuer, certificate.serial
      end

      def self.__of(structure) = allocate.__read(structure)

      def __read(structure)
        _, identity, _, secret = structure.value
        @issuer, @serial, @enc_key, @structure = X509::Name.new(identity.value[0]), identity.value[1].value,
          secret.value, structure
        self
      end

      def __seal(secret)
        return self if @structure
        @enc_key = @certificate.public_key.encrypt(secret)
        algorithm = ASN1::Sequence([ASN1::ObjectId("rsaEncryption"), ASN1::Null(nil)])
        @structure = ASN1::Sequence(
          [ASN1::Integer(0), ASN1::Sequence([@issuer, ASN1::Integer(@serial)]), algorithm, ASN1::OctetString(@enc_key)])
        self
      end

      def to_der = @structure.to_der
    end
  end
end
