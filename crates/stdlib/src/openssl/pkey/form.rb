# OpenSSL::PKey: reading and writing keys as PEM and DER, with or without a password.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module PKey
    PEM = /-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?\n((?:[\w-]+:.*\r?\n(?:[ \t].*\r?\n)*)*)\s*([A-Za-z0-9+\/=\s]*?)-----END \1-----/
    private_constant :PEM

    class << self
      # Private keys take precedence over public keys, and these over parameters.
      RANKS = [/PRIVATE KEY\z/, /PUBLIC KEY\z/, /PARAMETERS\z/].freeze
      private_constant :RANKS

      def __pem(label, der, headers = "")
        "-----BEGIN #{label}-----\n#{headers}#{[der].pack("m48")}-----END #{label}-----\n"
      end

      # The blocks of a text: `[label, headers, bytes]`.
      def __blocks(text) = text.scan(PEM).map { |label, headers, body| [label, headers, body.unpack1("m")] }

      # A key in any format; nil if the data contains none.
      def __read(data, password, &block)
        data = (data.respond_to?(:to_der) ? data.to_der : data.respond_to?(:read) ? data.read : OpenSSL.__text(data)).b
        if data.getbyte(0) == 0x30 || data.getbyte(0) == 6
          key = __lenient { __from_der(__first(data), password, &block) }
          return key if key
        end
        blocks = __blocks(data).select { |label, *| RANKS.any? { |rank| rank.match?(label) } }
        blocks = blocks.sort_by.with_index { |(label, *), i| [RANKS.index { |rank| rank.match?(label) }, i] }
        blocks.each do |label, headers, der|
          key = __lenient { __from_block(label, headers, der, password, &block) }
          return key if key
        end
        nil
      end

      # The data without what follows its first object.
      def __first(data)
        _, _, length, content = ASN1.__send__(:__header, data, 0, data.bytesize)
        length ? data.byteslice(0, content + length) : data
      end

      # The caller's password, or the result of its block.
      def __password(password, writing)
        return OpenSSL.__text(password) if password
        return OpenSSL.__text(yield(writing)) if block_given?
        raise PKeyError, "no password was given"
      end

      def __encrypt(der, cipher, password, iterations = 2048)
        cipher = __cipher(cipher).encrypt
        salt, iv = Random.random_bytes(16), cipher.iv_len > 0 ? cipher.random_iv : ""
        cipher.key = KDF.pbkdf2_hmac(password, salt: salt, iterations: iterations, length: cipher.key_len,
          hash: "SHA256")
        body = cipher.update(der) << cipher.final
        derivation = ASN1::Sequence([ASN1::ObjectId("PBKDF2"), ASN1::Sequence([
          ASN1::OctetString(salt), ASN1::Integer(iterations),
            ASN1::Sequence([ASN1::ObjectId("hmacWithSHA256"), ASN1::Null(nil)])
        ])])
        scheme = ASN1::Sequence([ASN1::ObjectId(cipher.name), ASN1::OctetString(iv)])
        ASN1::Sequence([
          ASN1::Sequence([ASN1::ObjectId("PBES2"), ASN1::Sequence([derivation, scheme])]), ASN1::OctetString(body)
        ]).to_der
      end

      # Decrypts data encrypted by a scheme of PKCS #5 or PKCS #12; nil if the password is wrong.
      def __decrypt(algorithm, body, password)
        name, parameters = algorithm.value[0].oid, algorithm.value[1].value
        case name
        when "1.2.840.113549.1.5.13" then __pbes2(*parameters, body, password.to_s)
        when /\A1\.2\.840\.113549\.1\.12\.1\.(3|4|6)\z/ then __pkcs12_decrypt($1.to_i, parameters, body, password)
        when "1.2.840.113549.1.5.3", "1.2.840.113549.1.5.10"
          cipher = Cipher.new("des-cbc").decrypt
          digest = name.end_with?(".3") ? "MD5" : "SHA1"
          bytes = password.b + parameters[0].value
          parameters[1].value.to_i.times { bytes = Digest.digest(digest, bytes) }
          cipher.key, cipher.iv = bytes.byteslice(0, 8), bytes.byteslice(8, 8)
          cipher.update(body) << cipher.final
        else raise NotImplementedError, "encryption by #{algorithm.value[0].value} is not supported"
        end
      rescue Cipher::CipherError
        nil
      end

      # Key material derived from a password by PKCS #12: 1 for keys, 2 for vectors, 3 for codes.
      def __pkcs12_key(password, salt, iterations, purpose, length, digest = "SHA1")
        block = Digest.new(digest).block_length
        stretch = ->(bytes) { bytes.empty? ? bytes :
          (bytes * (block.ceildiv(bytes.bytesize) + bytes.bytesize.ceildiv(block)))
            .byteslice(0, bytes.bytesize.ceildiv(block) * block) }
        wide = password.nil? ? "".b :
          (password.encode(Encoding::UTF_16BE, Encoding::UTF_8) + "\0".encode(Encoding::UTF_16BE)).b
        input, out = stretch.(salt.b) << stretch.(wide), "".b
        while out.bytesize < length
          bytes = [purpose].pack("C") * block << input
          iterations.times { bytes = Digest.digest(digest, bytes) }
          out << bytes
          step = (bytes * block.ceildiv(bytes.bytesize)).byteslice(0, block).unpack1("H*").to_i(16) + 1
          input = input.scan(/.{#{block}}/mn).map do |part|
            [((part.unpack1("H*").to_i(16) + step) % (1 << block * 8)).to_s(16).rjust(block * 2, "0")].pack("H*")
          end.join.b
        end
        out.byteslice(0, length)
      end

      def __cipher(cipher)
        return Cipher.new(cipher.name) if Cipher === cipher
        Cipher.new(OpenSSL.__text(cipher))
      rescue RuntimeError
        raise ArgumentError, "unsupported cipher algorithm: #{cipher}"
      end

      private

      def __lenient
        yield
      rescue ASN1::ASN1Error, PKeyError, NoMethodError, TypeError, BNError
        nil
      end

      def __pbes2(derivation, scheme, body, password)
        cipher = Cipher.new(scheme.value[0].oid.then { |oid| ASN1::ObjectId(oid).sn }).decrypt
        parameters = derivation.value[1].value
        salt = parameters[0].value
        key =
          if derivation.value[0].sn == "id-scrypt"
            n, r, p = parameters[1, 3].map { |number| number.value.to_i }
            KDF.scrypt(password, salt: salt, N: n, r: r, p: p, length: cipher.key_len)
          else
            prf = parameters.drop(2).grep(ASN1::Sequence).first
            hash = prf ? prf.value[0].sn.delete_prefix("hmacWith") : "SHA1"
            hash = hash.sub("hmacWith", "")
            KDF.pbkdf2_hmac(password, salt: salt, iterations: parameters[1].value.to_i, length: cipher.key_len,
              hash: hash)
          end
        cipher.key = key
        cipher.iv = scheme.value[1].value if cipher.iv_len > 0
        cipher.update(body) << cipher.final
      end

      def __pkcs12_decrypt(kind, parameters, body, password)
        raise NotImplementedError, "encryption by RC2 is not supported" if kind == 6
        cipher = Cipher.new(kind == 3 ? "des-ede3-cbc" : "des-ede-cbc").decrypt
        salt, iterations = parameters[0].value, parameters[1].value.to_i
        cipher.key = __pkcs12_key(password, salt, iterations, 1, cipher.key_len)
        cipher.iv = __pkcs12_key(password, salt, iterations, 2, 8)
        cipher.update(body) << cipher.final
      end

      def __from_block(label, headers, der, password, &block)
        if headers.include?("ENCRYPTED")
          name, iv = headers[/DEK-Info:\s*(.*)$/, 1].strip.split(",")
          cipher, iv = Cipher.new(name).decrypt, [iv].pack("H*")
          cipher.pkcs5_keyivgen(__password(password, false, &block), iv.byteslice(0, 8), 1, "MD5")
          cipher.iv = iv
          begin
            der = cipher.update(der) << cipher.final
          rescue Cipher::CipherError
            return nil
          end
        end
        case label
        when "RSA PUBLIC KEY" then RSA.allocate.__from_public(ASN1.decode(der))
        when "DSA PUBLIC KEY" then DSA.allocate.__from_numbers(ASN1.decode(der))
        when "DH PARAMETERS", "X9.42 DH PARAMETERS" then DH.allocate.__from_parameters(ASN1.decode(der))
        when "DSA PARAMETERS" then DSA.allocate.__from_parameters(ASN1.decode(der))
        else __from_der(der, password, &block)
        end
      end

      # Identifies the format by the structure of the data.
      def __from_der(der, password, &block)
        top = ASN1.decode(der)
        return EC.allocate.__from_parameters(top) if ASN1::ObjectId === top
        parts = top.value
        kinds = parts.map(&:class)
        if kinds[0] == ASN1::Sequence && kinds[1] == ASN1::OctetString && kinds.size == 2
          inner = __decrypt(parts[0], parts[1].value, __password(password, false, &block))
          inner && __from_der(inner, nil)
        elsif kinds == [ASN1::Sequence, ASN1::BitString] then __from_public_structure(parts[0], parts[1].value)
        elsif kinds.first(3) == [ASN1::Integer, ASN1::Sequence, ASN1::OctetString] then __from_private_structure(
          parts[1], parts[2].value)
        elsif kinds.first(2) == [ASN1::Integer, ASN1::OctetString] then EC.allocate.__from_private(top, nil)
        elsif kinds.first(3) == [ASN1::Integer, ASN1::Sequence, ASN1::Sequence] then EC.allocate.__from_parameters(top)
        elsif parts.all?(ASN1::Integer)
          case kinds.size
          when 9 then RSA.allocate.__from_private(top)
          when 6 then DSA.allocate.__from_private(top)
          when 3 then DSA.allocate.__from_parameters(top)
          when 2 then RSA.allocate.__from_public(top)
          end
        end
      end

      def __from_public_structure(algorithm, bytes)
        case algorithm.value[0].sn
        when "rsaEncryption", "RSASSA-PSS" then RSA.allocate.__from_public(ASN1.decode(bytes))
        when "id-ecPublicKey" then EC.allocate.__from_public(algorithm.value[1], bytes)
        when "DSA" then DSA.allocate.__from_public(algorithm.value[1], ASN1.decode(bytes).value)
        when "dhKeyAgreement" then DH.allocate.__from_public(algorithm.value[1], ASN1.decode(bytes).value)
        when "ED25519", "X25519" then PKey.allocate.__set(algorithm.value[0].sn, nil, bytes)
        end
      end

      def __from_private_structure(algorithm, bytes)
        case algorithm.value[0].sn
        when "rsaEncryption", "RSASSA-PSS" then RSA.allocate.__from_private(ASN1.decode(bytes))
        when "id-ecPublicKey" then EC.allocate.__from_private(ASN1.decode(bytes), algorithm.value[1])
        when "DSA" then DSA.allocate.__from_secret(algorithm.value[1], ASN1.decode(bytes).value)
        when "dhKeyAgreement" then DH.allocate.__from_secret(algorithm.value[1], ASN1.decode(bytes).value)
        when "ED25519", "X25519" then PKey.allocate.__set(algorithm.value[0].sn, ASN1.decode(bytes).value, nil)
        end
      end
    end

    # The formats from before PKCS #8.
    module Traditional
      def to_der
        __has_private? ? __traditional.to_der : public_to_der
      end

      def to_pem(cipher = nil, password = nil, &block)
        return public_to_pem unless __has_private?
        der, headers = __traditional.to_der, ""
        if cipher
          cipher = OpenSSL::PKey.__cipher(cipher).encrypt
          iv = Random.random_bytes(cipher.iv_len)
          cipher.pkcs5_keyivgen(OpenSSL::PKey.__password(password, true, &block), iv.byteslice(0, 8), 1, "MD5")
          cipher.iv = iv
          der = cipher.update(der) << cipher.final
          headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: #{cipher.name},#{iv.unpack1("H*").upcase}\n\n"
        end
        OpenSSL::PKey.__pem(__label, der, headers)
      end

      alias_method :to_s, :to_pem
      alias export to_pem
    end
    private_constant :Traditional
  end
end
