# OpenSSL::PKCS7: signed or enveloped data, RFC 2315.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  class PKCS7
    TYPES = {
      "pkcs7-signedData" => :signed, "pkcs7-envelopedData" => :enveloped, "pkcs7-data" => :data,
      "pkcs7-signedAndEnvelopedData" => :signedAndEnveloped, "pkcs7-encryptedData" => :encrypted,
        "pkcs7-digestData" => :digest
    }.freeze
    private_constant :TYPES

    class << self
      # `PKCS7.sign(certificate, key, data, others = nil, flags = 0) → pkcs7`
      def sign(certificate, key, data, others = nil, flags = nil)
        unless X509::Certificate === certificate
          raise TypeError, "wrong argument type #{certificate.class} (expected OpenSSL/X509)"
        end
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        raise PKCS7Error, "PKCS7_sign: private key does not match certificate" unless certificate.check_private_key(key)
        new.__sign(certificate, key, OpenSSL.__text(data).b, others.to_a, flags.to_i)
      end

      # `PKCS7.encrypt(certificates, data, cipher, flags = 0) → pkcs7`; the default cipher of older versions no longer
      # exists.
      def encrypt(certificates, data, cipher = nil, flags = nil)
        raise ArgumentError, "cipher must be specified; RC2-40-CBC is not supported" if cipher.nil?
        pkcs7 = new
        pkcs7.type = :enveloped
        pkcs7.cipher = cipher
        certificates.each { |certificate| pkcs7.add_recipient(RecipientInfo.new(certificate)) }
        pkcs7.add_data(pkcs7.__canonical(OpenSSL.__text(data).b, flags.to_i))
        pkcs7.to_der
        pkcs7
      end

      # `PKCS7.write_smime(pkcs7, data = nil, flags = 0) → string`
      def write_smime(pkcs7, data = nil, _flags = nil)
        raise NotImplementedError, "multipart S/MIME is not supported" if data || pkcs7.detached?
        kind = pkcs7.type == :signed ? "signed-data" : "enveloped-data"
        "MIME-Version: 1.0\nContent-Disposition: attachment; filename=\"smime.p7m\"\n" \
          "Content-Type: application/x-pkcs7-mime; smime-type=#{kind}; name=\"smime.p7m\"\n" \
          "Content-Transfer-Encoding: base64\n\n#{[pkcs7.to_der].pack("m48")}\n"
      end

      def read_smime(text)
        head, body = OpenSSL.__text(text).b.split(/\r?\n\r?\n/n, 2)
        raise NotImplementedError, "multipart S/MIME is not supported" if head.match?(/multipart\/signed/i)
        raise PKCS7Error, "SMIME_read_PKCS7: no content type" unless head.match?(/pkcs7-mime/i)
        new(body.to_s.unpack1("m"))
      rescue ArgumentError, ::NoMethodError
        raise PKCS7Error, "SMIME_read_PKCS7: pkcs7 parse error"
      end
    end

    attr_reader :error_string, :type

    # `PKCS7.new(der or pem)`; an empty one without an argument.
    def initialize(data = (none = true; nil))
      @certificates, @crls, @signers, @recipients = [], [], [], []
      return if none
      der = X509.__source(data, ["PKCS7", "CMS", "PKCS #7 SIGNED DATA"]) or raise PKCS7Error,
        "Could not parse the PKCS7"
      structure = ASN1.decode(der)
      __read(structure)
      # Enveloped data is encoded again, because it may have been in indefinite-length form.
      @der = der unless @type == :enveloped
    rescue ASN1::ASN1Error, ::NoMethodError, ::KeyError, X509::CertificateError
      raise PKCS7Error, "Could not parse the PKCS7: wrong tag"
    end

    def initialize_copy(other)
      initialize(other.to_der)
    end

    def type=(type)
      @type = type.to_sym
      raise ArgumentError, "unknown PKCS7 type \"#{type}\"" unless TYPES.value?(@type)
      @der = nil
    end

    def detached = @type == :signed ? @content.nil? || !!@detached : false

    def detached=(detached)
      @detached, @der = detached ? true : false, nil
    end

    alias detached? detached
    def cipher=(cipher)
      unless %i[enveloped signedAndEnveloped].include?(@type)
        raise PKCS7Error, "PKCS7_set_cipher: wrong content type"
      end
      @cipher = PKey.__cipher(cipher)
    end

    def add_signer(signer) = __add(@signers, signer)
    def add_recipient(recipient) = __add(@recipients, recipient)
    def add_certificate(certificate) = __add(__checked(@certificates), certificate)
    def add_crl(crl) = __add(__checked(@crls), crl)
    def signers = @signers.dup
    def recipients = @recipients.dup
    def certificates = @certificates.empty? ? nil : @certificates.map(&:dup)
    def crls = @crls.empty? ? nil : @crls.map(&:dup)

    def certificates=(certificates)
      __checked(nil)
      @certificates, @der = certificates.to_a.dup, nil
    end

    def crls=(crls)
      __checked(nil)
      @crls, @der = crls.to_a.dup, nil
    end

    # The data given to `sign`, or the result of verifying.
    attr_reader :data

    def add_data(data)
      @content, @der, @data = OpenSSL.__text(data).b, nil, nil
      data
    end
    alias_method :data=, :add_data

    def to_der = (@der ||= __structure.to_der).dup
    def to_pem = PKey.__pem("PKCS7", to_der)
    alias_method :to_s, :to_pem
    def to_text = "PKCS7:\n  type: #{TYPES.key(@type)}\n#{@certificates.map { |one| "  cert: #{one.subject}\n" }.join}#{@signers.map { |one| "  signer: #{one.issuer} #{one.serial}\n" }.join}"

    # `verify(certificates, store, data = nil, flags = 0) → true or false`
    def verify(certificates, store, data = nil, flags = nil)
      to_der
      flags = flags.to_i
      content = @content || (data ? OpenSSL.__text(data).b : @data)
      @data = "".b
      return __wrong("wrong content type") unless @type == :signed
      return __wrong("no content") if content.nil?
      known = certificates.to_a + (flags & NOINTERN == 0 ? @certificates : [])
      fine = @signers.empty? ? __wrong("no signatures on data") :
        @signers.all? { |signer| __verify(signer, content, known, store, flags) }
      # Data of an untrusted signer is not returned.
      @data = content if fine || @error_string == "digest failure"
      @error_string = nil if fine
      fine
    end

    # `decrypt(key, certificate = nil, flags = 0) → string`
    def decrypt(key, certificate = nil, _flags = nil)
      raise PKCS7Error, "PKCS7_decrypt: wrong content type" unless @type == :enveloped
      to_der
      mine = certificate ? @recipients.select { |one| one.serial == certificate.serial &&
        one.issuer == certificate.issuer } : @recipients
      raise PKCS7Error, "PKCS7_decrypt: no recipient matches certificate" if mine.empty?
      algorithm, body = @sealed
      mine.each do |recipient|
        cipher = Cipher.new(algorithm.value[0].sn).decrypt
        secret = key.decrypt(recipient.enc_key)
        next if secret.bytesize != cipher.key_len
        cipher.key, cipher.iv = secret, algorithm.value[1].value
        return cipher.update(body) << cipher.final
      rescue PKey::PKeyError, Cipher::CipherError
        next
      end
      raise PKCS7Error, "PKCS7_decrypt: bad decrypt"
    end

    def __sign(certificate, key, data, others, flags)
      @type, @content, @data = :signed, __canonical(data, flags), data
      @certificates = flags & NOCERTS == 0 ? [certificate, *others] : []
      @signers = [SignerInfo.new(certificate, key, "SHA256").__sign(@content, flags & NOATTR == 0, flags & NOSIGS == 0)]
      @detached = flags & DETACHED != 0
      to_der
      @content = nil if @detached
      self
    end

    # Lines end as in mails, unless the data is binary.
    def __canonical(data, flags)
      return data if flags & BINARY != 0
      data = data.gsub(/\r?\n/n, "\r\n")
      flags & TEXT == 0 ? data : "Content-Type: text/plain\r\n\r\n".b + data
    end

    private

    def __checked(list)
      return list if %i[signed signedAndEnveloped].include?(@type)
      raise PKCS7Error, "wrong content type"
    end

    def __add(list, one)
      list << one
      @der = nil
      self
    end

    def __read(structure)
      @type = TYPES.fetch(structure.value[0].sn)
      body = structure.value[1]&.value&.first
      case @type
      when :signed then __read_signed(body)
      when :enveloped
        _, recipients, sealed = body.value
        @recipients = recipients.value.map { |one| RecipientInfo.__of(one) }
        bytes = sealed.value[2]
        @sealed = [sealed.value[1], Array === bytes.value ? bytes.value.map(&:value).join : bytes.value]
      when :data then @content = body&.value
      else raise NotImplementedError, "PKCS7 of the type #{@type} is not supported"
      end
    end

    def __read_signed(body)
      _, _, content, *rest = body.value
      inner = content.value[1]&.value&.first
      @content = inner && (Array === inner.value ? inner.value.grep(ASN1::OctetString).map(&:value).join : inner.value)
      tagged = rest.select { |part| part.tag_class == :CONTEXT_SPECIFIC }.to_h { |part| [part.tag, part.value] }
      @certificates = tagged[0].to_a.map { |one| X509::Certificate.new(one.to_der) }
      @crls = tagged[1].to_a.map { |one| X509::CRL.new(one.to_der) }
      @signers = rest.last.value.map { |one| SignerInfo.__of(one) }
    end

    def __structure
      body =
        case @type
        when :signed then __signed
        when :enveloped then __enveloped
        when :data then ASN1::OctetString(@content.to_s)
        when nil then raise PKCS7Error, "i2d_PKCS7: no type"
        else raise NotImplementedError, "PKCS7 of the type #{@type} is not supported"
        end
      ASN1::Sequence([ASN1::ObjectId(TYPES.key(@type)), ASN1::ASN1Data.new([body], 0, :CONTEXT_SPECIFIC)])
    end

    def __signed
      @signers.each { |signer| signer.__sign(@content.to_s) }
      content = [ASN1::ObjectId("pkcs7-data")]
      content << ASN1::ASN1Data.new([ASN1::OctetString(@content)], 0, :CONTEXT_SPECIFIC) if @content && !@detached
      parts = [ASN1::Integer(1), ASN1::Set(@signers.map(&:__digest).uniq(&:to_der)), ASN1::Sequence(content)]
      parts << ASN1::ASN1Data.new(@certificates, 0, :CONTEXT_SPECIFIC) unless @certificates.empty?
      parts << ASN1::ASN1Data.new(@crls, 1, :CONTEXT_SPECIFIC) unless @crls.empty?
      ASN1::Sequence(parts << ASN1::Set(@signers))
    end

    def __enveloped
      unless @sealed
        cipher = (@cipher or raise PKCS7Error, "PKCS7_dataInit: cipher not initialized").encrypt
        secret, iv = cipher.random_key, cipher.random_iv
        @recipients.each { |recipient| recipient.__seal(secret) }
        @sealed = [ASN1::Sequence([ASN1::ObjectId(cipher.name), ASN1::OctetString(iv)]), cipher.update(@content.to_s) <<
          cipher.final]
      end
      sealed = ASN1::Sequence(
        [ASN1::ObjectId("pkcs7-data"), @sealed[0], ASN1::ASN1Data.new(@sealed[1], 0, :CONTEXT_SPECIFIC)])
      ASN1::Sequence([ASN1::Integer(0), ASN1::Set(@recipients), sealed])
    end

    def __verify(signer, content, known, store, flags)
      certificate = known.find { |one| one.serial == signer.serial && one.issuer == signer.issuer }
      certificate or return __wrong("signer certificate not found")
      if flags & NOVERIFY == 0
        context = X509::StoreContext.new(store, certificate, flags & NOCHAIN == 0 ? known - [certificate] : [])
        context.purpose = X509::PURPOSE_SMIME_SIGN
        return __wrong("certificate verify error") unless context.verify
      end
      flags & NOSIGS != 0 || signer.__signed?(content, certificate) || __wrong("digest failure")
    end

    def __wrong(message)
      @error_string = message
      false
    end
  end
end
