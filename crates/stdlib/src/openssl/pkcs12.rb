# OpenSSL::PKCS12: a key, its certificate and the chain in one file, RFC 7292; and Netscape::SPKI.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  class PKCS12
    class PKCS12Error < OpenSSLError
    end

    KEY_EX, KEY_SIG = 0x10, 0x80
    BAGS = "1.2.840.113549.1.12.10.1."
    SCHEMES = { "PBE-SHA1-3DES" => 3, "pbeWithSHA1And3-KeyTripleDES-CBC" => 3, "PBE-SHA1-2DES" => 4 }.freeze
    private_constant :BAGS, :SCHEMES

    attr_reader :certificate, :key, :ca_certs

    # `PKCS12.create(password, name, key, certificate, others = nil, scheme of keys, of certificates, iterations, of the code, use of the key)`
    def self.create(password, name, key, certificate, others = nil, key_scheme = nil, certificate_scheme = nil,
      iterations = nil, code_iterations = nil, key_type = nil)
      unless key.nil? || PKey::PKey === key
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)"
      end
      raise ArgumentError, "key must be a private key" if key.respond_to?(:private?) && !key.private?
      if key && certificate && !certificate.check_private_key(key)
        raise PKCS12Error, "PKCS12_create: key values mismatch"
      end
      unless key_type.nil? || [0, KEY_EX, KEY_SIG].include?(Integer(key_type))
        raise ArgumentError, "Unknown key usage type #{key_type}"
      end
      [iterations, code_iterations].compact.each do |number|
        raise TypeError, "no implicit conversion of #{number.class} into Integer" unless ::Integer === number
      end
      [key_scheme, certificate_scheme].compact.each do |scheme|
        raise ArgumentError, "Unknown PBE algorithm #{scheme}" unless SCHEMES[scheme] || __known?(scheme)
      end
      allocate.__make(password, name, key, certificate, others, key_scheme, certificate_scheme, iterations || 2048,
        code_iterations || 1, key_type)
    end

    def self.__known?(scheme)
      Cipher.new(scheme)
      true
    rescue RuntimeError, Cipher::CipherError
      false
    end

    # `PKCS12.new(der or io, password = "")`
    def initialize(data = (none = true; nil), password = nil)
      return if none
      data = (data.respond_to?(:read) ? data.read : OpenSSL.__text(data)).b
      password &&= OpenSSL.__text(password)
      __read(ASN1.decode(data), password)
      @der = data
    rescue ASN1::ASN1Error, ::NoMethodError
      raise PKCS12Error, "PKCS12_parse: parse error"
    end

    def initialize_copy(other)
      @der, @key, @certificate, @ca_certs = other.to_der, other.key, other.certificate, other.ca_certs
    end

    def to_der = @der.dup

    # `set_mac(password, salt = nil, iterations = nil, digest = nil)`
    def set_mac(password, salt = nil, iterations = nil, digest = nil)
      authenticated = ASN1.decode(@der).value[1]
      name = PKey.__digest_name(digest || "SHA256")
      @der = __sealed(authenticated, password, salt || Random.random_bytes(8), iterations || 2048, name)
      nil
    end

    def __make(password, name, key, certificate, others, key_scheme, certificate_scheme, iterations, code_iterations,
      key_type)
      @key, @certificate, @ca_certs = key, certificate, others
      id = certificate && Digest.digest("SHA1", certificate.to_der)
      safes = []
      certificates = [[certificate, name, id], *others.to_a.map { |one| [one, nil, nil] }].select(&:first)
      unless certificates.empty?
        bags = certificates.map do |one, label, mark|
          bag = ASN1::Sequence(
            [ASN1::ObjectId("1.2.840.113549.1.9.22.1"),
              ASN1::ASN1Data.new([ASN1::OctetString(one.to_der)], 0, :CONTEXT_SPECIFIC)])
          __bag(3, bag, label, mark)
        end
        algorithm, body = __encrypted(ASN1::Sequence(bags).to_der, certificate_scheme, password, iterations)
        content = ASN1::ASN1Data.new(body, 0, :CONTEXT_SPECIFIC)
        inner = ASN1::Sequence([ASN1::Integer(0), ASN1::Sequence([ASN1::ObjectId("pkcs7-data"), algorithm, content])])
        safes << ASN1::Sequence(
          [ASN1::ObjectId("pkcs7-encryptedData"), ASN1::ASN1Data.new([inner], 0, :CONTEXT_SPECIFIC)])
      end
      if key
        algorithm, body = __encrypted(key.private_to_der, key_scheme, password, iterations)
        shrouded = ASN1::Sequence([algorithm, ASN1::OctetString(body)])
        safes << __data(ASN1::Sequence([__bag(2, shrouded, name, id, key_type)]).to_der)
      end
      @der = __sealed(__data(ASN1::Sequence(safes).to_der), password, Random.random_bytes(8), code_iterations, "SHA256")
      self
    end

    private

    def __data(bytes) = ASN1::Sequence(
      [ASN1::ObjectId("pkcs7-data"), ASN1::ASN1Data.new([ASN1::OctetString(bytes)], 0, :CONTEXT_SPECIFIC)])

    def __bag(kind, value, name, id, usage = nil)
      attributes = []
      if name
        attributes << ASN1::Sequence(
          [ASN1::ObjectId("friendlyName"), ASN1::Set([ASN1::BMPString(name.encode(Encoding::UTF_16BE).b)])])
      end
      attributes << ASN1::Sequence([ASN1::ObjectId("localKeyID"), ASN1::Set([ASN1::OctetString(id)])]) if id
      if usage && usage != 0
        bits = ASN1::BitString([usage].pack("C"))
        bits.unused_bits = usage == KEY_EX ? 4 : 7
        attributes << ASN1::Sequence([ASN1::ObjectId("keyUsage"), ASN1::Set([bits])])
      end
      parts = [ASN1::ObjectId("#{BAGS}#{kind}"), ASN1::ASN1Data.new([value], 0, :CONTEXT_SPECIFIC)]
      parts << ASN1::Set(attributes) unless attributes.empty?
      ASN1::Sequence(parts)
    end

    # `[algorithm, bytes]`, by PKCS #5 or, if its scheme is requested, PKCS #12.
    def __encrypted(bytes, scheme, password, iterations)
      kind = scheme && SCHEMES[scheme]
      unless kind
        structure = ASN1.decode(PKey.__encrypt(bytes, scheme || "aes-256-cbc", password || "", iterations))
        return [structure.value[0], structure.value[1].value]
      end
      salt = Random.random_bytes(8)
      cipher = Cipher.new(kind == 3 ? "des-ede3-cbc" : "des-ede-cbc").encrypt
      cipher.key = PKey.__pkcs12_key(password, salt, iterations, 1, cipher.key_len)
      cipher.iv = PKey.__pkcs12_key(password, salt, iterations, 2, 8)
      parameters = ASN1::Sequence([ASN1::OctetString(salt), ASN1::Integer(iterations)])
      [ASN1::Sequence([ASN1::ObjectId("1.2.840.113549.1.12.1.#{kind}"), parameters]),
        cipher.update(bytes) << cipher.final]
    end

    def __sealed(authenticated, password, salt, iterations, digest)
      code = __code(authenticated.value[1].value[0].value, password, salt, iterations, digest)
      info = ASN1::Sequence([ASN1::Sequence([ASN1::ObjectId(digest), ASN1::Null(nil)]), ASN1::OctetString(code)])
      mac = [info, ASN1::OctetString(salt)]
      mac << ASN1::Integer(iterations) if iterations != 1
      ASN1::Sequence([ASN1::Integer(3), authenticated, ASN1::Sequence(mac)]).to_der
    end

    def __code(content, password, salt, iterations, digest)
      key = PKey.__pkcs12_key(password, salt, iterations, 3, Digest.new(digest).digest_length, digest)
      HMAC.digest(digest, key, content)
    end

    def __read(structure, password)
      _, authenticated, mac = structure.value
      raise PKCS12Error, "PKCS12_parse: parse error" unless authenticated.value[0].sn == "pkcs7-data"
      content = authenticated.value[1].value[0].value
      password = __checked(content, mac, password) if mac
      found = ASN1.decode(content).value.flat_map { |safe| __bags(safe, password) }
      keys, certificates = found.partition { |kind,| kind == :key }
      @key = keys.dig(0, 1)
      own = @key && certificates.find { |_, one, id| id && id == keys[0][2] || one.check_private_key(@key) }
      @certificate = own && own[1]
      others = certificates.map { |row| row[1] } - [@certificate]
      @ca_certs = others.empty? ? nil : others
    end

    # The format distinguishes a missing password from an empty one.
    def __checked(content, mac, password)
      digest, code = mac.value[0].value[0].value[0].sn, mac.value[0].value[1].value
      iterations = mac.value[2] ? mac.value[2].value.to_i : 1
      tries = password.nil? || password.empty? ? [nil, ""] : [password]
      tries.each { |one| return one if __code(content, one, mac.value[1].value, iterations, digest) == code }
      raise PKCS12Error, "PKCS12_parse: mac verify failure"
    end

    def __bags(safe, password)
      content = safe.value[1].value[0]
      bytes =
        if safe.value[0].sn == "pkcs7-data" then content.value
        else
          _, algorithm, body = content.value[1].value
          body = Array === body.value ? body.value.map(&:value).join : body.value
          PKey.__decrypt(algorithm, body, password) or raise PKCS12Error, "PKCS12_parse: decryption failed"
        end
      ASN1.decode(bytes).value.flat_map do |bag|
        id = bag.value[2]&.value&.find { |attribute| attribute.value[0].sn == "localKeyID" }&.then { |attribute|
          attribute.value[1].value[0].value }
        value = bag.value[1].value[0]
        case bag.value[0].oid.delete_prefix(BAGS)
        when "1" then [[:key, PKey.read(value.to_der), id]]
        when "2"
          der = PKey.__decrypt(value.value[0], value.value[1].value, password) or raise PKCS12Error,
            "PKCS12_parse: decryption failed"
          [[:key, PKey.read(der), id]]
        when "3" then [[:certificate, X509::Certificate.new(value.value[1].value[0].value), id]]
        when "6" then value.value.flat_map { |inner| __bags(inner, password) }
        else []
        end
      end
    end
  end

  module Netscape
    class SPKIError < OpenSSLError
    end

    # A key with a challenge, signed.
    class SPKI
      def initialize(data = (none = true; nil))
        @challenge = ""
        return if none
        data = OpenSSL.__text(data).b
        data = data.unpack1("m") unless data.getbyte(0) == 0x30
        public, @algorithm, signature = ASN1.decode(data).value
        @key, @challenge, @signature = public.value[0].to_der, public.value[1].value, signature.value
        @signed, @der = public.to_der, data
      rescue ASN1::ASN1Error, ::NoMethodError
        raise SPKIError, "d2i_NETSCAPE_SPKI: wrong tag"
      end

      attr_reader :challenge

      def challenge=(text)
        @challenge, @der = OpenSSL.__text(text).dup, nil
      end

      def public_key
        @key or raise SPKIError, "NETSCAPE_SPKI_get_pubkey"
        PKey.read(@key)
      end

      def public_key=(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        @key, @der = key.public_to_der, nil
      end

      def sign(key, digest)
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        @algorithm = X509.__signature_algorithm(key, digest)
        @signed = ASN1::Sequence([ASN1.decode(@key), ASN1::IA5String(@challenge)]).to_der
        @signature = key.sign(digest, @signed)
        @der = ASN1::Sequence([ASN1.decode(@signed), @algorithm, ASN1::BitString(@signature)]).to_der
        self
      end

      def verify(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        @der ? X509.__verify(@algorithm, key, @signature, @signed) || false : false
      end

      def to_der = (@der or raise SPKIError, "i2d_NETSCAPE_SPKI").dup
      def to_pem = [to_der].pack("m0")
      alias_method :to_s, :to_pem
      def to_text = "Netscape SPKI:\n  Public Key Algorithm: #{ASN1.decode(@key).value[0].value[0].ln}\n#{public_key.to_text}  Challenge String: #{@challenge}\n"
    end
  end
end
