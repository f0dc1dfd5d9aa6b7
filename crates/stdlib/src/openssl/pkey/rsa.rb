# OpenSSL::PKey::RSA: keys, and the paddings that need no constant-time code.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module PKey
    class RSA < PKey
      include Traditional

      NAMES = %i[n e d p q dmp1 dmq1 iqmp].freeze
      private_constant :NAMES
      attr_reader(*NAMES)

      # The library defines it again since Ruby 4.0; without a warning, because of the alias.
      def params = NAMES.to_h { |name| [name.to_s, __send__(name)] }
      alias params params

      # `RSA.new(pem or der, password = nil) { password }`.
      def initialize(data = (none = true; nil), password = nil, &block)
        __need_arguments if none
        @kind = "rsaEncryption"
        key = OpenSSL::PKey.__read(data, password, &block) or raise PKeyError, "Neither PUB key nor PRIV key"
        raise PKeyError, "incorrect pkey type: #{key.oid}" unless RSA === key
        initialize_copy(key)
      end

      def initialize_copy(other)
        @kind = other.oid
        __numbers(NAMES, NAMES.map { |name| other.__send__(name) })
      end

      def public? = true
      def private? = !!(@d && @p || @d)
      def set_key(_n, _e, _d) = raise(PKeyError, "rsa#set_key= is incompatible with OpenSSL 3.0")
      def set_factors(_p, _q) = raise(PKeyError, "rsa#set_factors= is incompatible with OpenSSL 3.0")
      def set_crt_params(_a, _b, _c) = raise(PKeyError, "rsa#set_crt_params= is incompatible with OpenSSL 3.0")

      def sign_pss(digest, data, salt_length:, mgf1_hash:)
        __check_private
        name, data = OpenSSL::PKey.__digest_name(digest), OpenSSL.__text(data)
        salt, mask = __salt_length(salt_length, name, false), OpenSSL::PKey.__digest_name(mgf1_hash)
        if mask == name && salt == Digest.new(name).digest_length && (signature = __signed("pss", name, data))
          return signature
        end
        __pss(name, Digest.digest(name, data), salt, mask)
      end

      def verify_pss(digest, signature, data, salt_length:, mgf1_hash:)
        name, data, signature = OpenSSL::PKey.__digest_name(digest), OpenSSL.__text(data), OpenSSL.__text(signature)
        salt, mask = __salt_length(salt_length, name, true), OpenSSL::PKey.__digest_name(mgf1_hash)
        if mask == name && (salt < 0 || salt == Digest.new(name).digest_length) &&
          __signature?("pss", name, data, signature)
          return true
        end
        __pss?(name, Digest.digest(name, data), signature, salt, mask)
      end

      def verify_recover(digest, signature, options = nil)
        options = OpenSSL::PKey.__options(options)
        plain = __public_power(OpenSSL.__text(signature)) if OpenSSL.__text(signature).bytesize == __size
        plain = plain && (__padding(options) == "none" ? plain : plain[/\A\0\x01\xff{8,}\0(.*)\z/mn, 1])
        plain or raise PKeyError, "EVP_PKEY_verify_recover: provider signature failure (RSA verify_recover:)"
        return plain unless digest
        prefix = __prefix(OpenSSL::PKey.__digest_name(digest))
        return plain.byteslice(prefix.bytesize..) if plain.start_with?(prefix)
        raise PKeyError, "EVP_PKEY_verify_recover: provider signature failure (RSA verify_recover:)"
      end

      def encrypt(data, options = nil)
        options, data = OpenSSL::PKey.__options(options), OpenSSL.__text(data).b
        block =
          case __padding(options)
          when "none"
            raise PKeyError, "EVP_PKEY_encrypt: data too small for key size" if data.bytesize < __size
            data
          when "pkcs1"
            fill = __size - 3 - data.bytesize
            raise PKeyError, "EVP_PKEY_encrypt: data too large for key size" if fill < 8
            "\0\x02".b << __nonzero(fill) << "\0" << data
          when "oaep" then __oaep(data, options)
          else raise PKeyError, "EVP_PKEY_encrypt: unknown padding type"
          end
        __public_power(block) or raise PKeyError, "EVP_PKEY_encrypt: data too large for modulus"
      end

      def decrypt(data, options = nil)
        options, data = OpenSSL::PKey.__options(options), OpenSSL.__text(data).b
        case padding = __padding(options)
        when "none" then __private_power(data) or raise PKeyError, "EVP_PKEY_decrypt: data too large for modulus"
        when "pkcs1", "oaep"
          digest, mask, label = __oaep_options(options)
          data = data.rjust(__size, "\0") if padding == "pkcs1"
          plain = OpenSSL::PKey.__send__(:__rsa_decrypt, __key, padding, digest, mask, label, data)
          plain or raise PKeyError,
            "EVP_PKEY_decrypt: #{padding == "oaep" ? "oaep decoding error" : "padding check failed"}"
        else raise PKeyError, "EVP_PKEY_decrypt: unknown padding type"
        end
      end

      def to_text
        @n or raise PKeyError, "EVP_PKEY_print_params"
        bits = @n.num_bits
        return "Public-Key: (#{bits} bit)\n" + __shown("Modulus", @n) + __shown("Exponent", @e) unless private?
        "Private-Key: (#{bits} bit, 2 primes)\n" +
          %w[modulus publicExponent privateExponent prime1 prime2 exponent1 exponent2 coefficient].zip(NAMES)
            .map { |title, name| __shown(title, __send__(name)) }.join
      end

      def __from_private(structure)
        @kind = "rsaEncryption"
        __numbers(NAMES, structure.value[1, 8].map(&:value))
      end

      def __from_public(structure)
        @kind = "rsaEncryption"
        __numbers(NAMES, structure.value.map(&:value))
      end

      def __generate_key(options)
        @kind = "rsaEncryption"
        unknown = (options.keys - %w[rsa_keygen_bits rsa_keygen_pubexp rsa_keygen_primes]).first
        if unknown
          raise PKeyError, "EVP_PKEY_CTX_ctrl_str(ctx, #{unknown.inspect}, #{options[unknown].to_s.inspect}): command not supported ([action:2, state:4] name=#{unknown}, value=#{options[unknown]})"
        end
        bits, exponent = Integer(options.fetch("rsa_keygen_bits", 2048)),
          Integer(options.fetch("rsa_keygen_pubexp", 0x10001))
        if bits < 512
          raise PKeyError, "EVP_PKEY_CTX_ctrl_str(ctx, \"rsa_keygen_bits\", \"#{bits}\"): key size too small"
        end
        raise PKeyError, "EVP_PKEY_keygen: pub exponent out of range" if exponent.even? || exponent < 3
        yield 0, 0 if block_given?
        numbers = OpenSSL::PKey.__send__(:__rsa_generate, bits, BN.new(exponent).to_s(2)) or raise PKeyError,
          "EVP_PKEY_keygen"
        n, e, d, p, q = numbers.map { |bytes| BN.new(bytes, 2) }
        p, q = q, p if p < q
        __numbers(NAMES, [n, e, d, p, q, d % (p - 1), d % (q - 1), q.mod_inverse(p)])
      end

      private

      def __signs? = true
      def __has_private? = private?
      def __label = "RSA PRIVATE KEY"
      def __size = (@n || raise(PKeyError, "parameters missing")).num_bytes

      OPTIONS = %w[rsa_padding_mode rsa_pss_saltlen rsa_mgf1_md rsa_oaep_md rsa_oaep_label digest].freeze
      private_constant :OPTIONS

      def __padding(options)
        unknown = (options.keys - OPTIONS).first
        if unknown
          raise PKeyError, "EVP_PKEY_CTX_ctrl_str(ctx, #{unknown.inspect}, #{options[unknown].to_s.inspect}): command not supported"
        end
        options.fetch("rsa_padding_mode", "pkcs1").to_s
      end


      def __key
        @key ||= OpenSSL::PKey.__send__(:__rsa_key, *[@n, @e, @d, @p, @q].map { |number| number&.to_s(2) }) ||
                 raise(PKeyError, "invalid RSA key")
      end

      def __sign_message(digest, data, options)
        __signed("pkcs1", digest, data) if options.empty? && private?
      end

      def __accepts?(digest, data, signature, options)
        options.empty? && @n && @e && __signature?("pkcs1", digest, data, signature)
      end

      def __signed(padding, digest, data)
        signer = @signer
        if signer.nil?
          numbers = NAMES.map { |name| __send__(name) }
          signer = numbers.all? && OpenSSL::PKey.__send__(:__rsa_signer, *numbers.map { |number| number.to_s(2) })
          @signer = signer unless frozen?
        end
        OpenSSL::PKey.__send__(:__sign_message, signer, padding, digest, data) if signer
      end

      def __signature?(padding, digest, data, signature)
        OpenSSL::PKey.__send__(:__rsa_accepts?, @n.to_s(2), @e.to_s(2), padding, digest, data, signature)
      end

      def __traditional = ASN1::Sequence([ASN1::Integer(0), *NAMES.map { |name| ASN1::Integer(__send__(name)) }])

      def __private_structure
        private? or raise PKeyError, "i2d_PKCS8PrivateKey_bio: ASN1 lib"
        algorithm = ASN1::Sequence([ASN1::ObjectId(@kind), ASN1::Null(nil)])
        ASN1::Sequence([ASN1::Integer(0), algorithm, ASN1::OctetString(__traditional.to_der)])
      end

      def __public_structure
        @n or raise PKeyError, "PEM_write_bio_PUBKEY: ASN1 lib"
        bytes = ASN1::Sequence([ASN1::Integer(@n), ASN1::Integer(@e)]).to_der
        ASN1::Sequence([ASN1::Sequence([ASN1::ObjectId(@kind), ASN1::Null(nil)]), ASN1::BitString(bytes)])
      end

      def __private_power(block) = OpenSSL::PKey.__send__(:__rsa_private, __key, block)
      def __public_power(block) = OpenSSL::PKey.__send__(:__rsa_public, @n.to_s(2), @e.to_s(2), block)

      def __sign(digest, hash, options)
        failed = -> { raise PKeyError, "EVP_PKEY_sign: provider signature failure (RSA sign:)" }
        private? or failed.()
        failed.() if digest && hash.bytesize != Digest.new(digest).digest_length
        case __padding(options)
        when "pss"
          salt = __salt_length(__saltlen(options), digest || "SHA1", false)
          return __pss(digest || "SHA1", hash, salt, __mask(options, digest || "SHA1"))
        when "pkcs1"
          hash = __prefix(digest) + hash if digest
          fill = __size - 3 - hash.bytesize
          failed.() if fill < 8
          block = "\0\x01".b << "\xff".b * fill << "\0" << hash
        when "none" then block = hash
        else raise PKeyError, "EVP_PKEY_CTX_ctrl_str: unknown padding type"
        end
        __private_power(block) or failed.()
      end

      def __verify(digest, hash, signature, options, _call)
        @n && @e or raise PKeyError, "parameters missing"
        if __padding(options) == "pss"
          salt = __salt_length(__saltlen(options), digest || "SHA1", true)
          return __pss?(digest || "SHA1", hash, signature, salt, __mask(options, digest || "SHA1"))
        end
        return false if signature.bytesize != __size
        plain = __public_power(signature) or return false
        return plain == hash.rjust(__size, "\0") if __padding(options) == "none"
        hash = __prefix(digest) + hash if digest
        fill = __size - 3 - hash.bytesize
        fill >= 8 && plain == ("\0\x01".b << "\xff".b * fill << "\0" << hash)
      end

      # The DigestInfo prefix that identifies the digest.
      def __prefix(digest)
        oid = ASN1::ObjectId(Digest.new(digest).name)
        size = Digest.new(digest).digest_length
        whole = ASN1::Sequence([ASN1::Sequence([oid, ASN1::Null(nil)]), ASN1::OctetString("\0" * size)]).to_der
        whole.byteslice(0, whole.bytesize - size)
      end

      def __nonzero(count)
        bytes = "".b
        bytes << Random.random_bytes(count - bytes.bytesize).delete("\0") while bytes.bytesize < count
        bytes
      end

      def __saltlen(options)
        length = options.fetch("rsa_pss_saltlen", "auto")
        length.to_s.match?(/\A-?\d+\z/) ? length.to_i : length.to_s.to_sym
      end

      def __mask(options, digest) = OpenSSL::PKey.__digest_name(options["rsa_mgf1_md"] || digest)

      # -1 if the signature determines it, -2 if it is invalid.
      def __salt_length(length, digest, verifying)
        size = Digest.new(digest).digest_length
        most = (@n.num_bits - 1).ceildiv(8) - size - 2
        case length
        when :digest, -1 then size
        when :max, -2 then verifying ? -1 : most
        when :auto, -3 then verifying ? -1 : most
        else Integer === length ? length : raise(TypeError, "no implicit conversion of Symbol into Integer")
        end
      end

      # MGF1 of PKCS #1: the mask for the bytes.
      def __mask_of(seed, length, digest)
        out, i = "".b, -1
        out << Digest.digest(digest, seed + [i += 1].pack("N")) while out.bytesize < length
        out.byteslice(0, length)
      end

      def __xor(a, b) = a.bytes.zip(b.bytes).map { |x, y| x ^ y }.pack("C*")

      def __pss(digest, hash, salt_length, mask)
        bits = @n.num_bits - 1
        size, length = bits.ceildiv(8), hash.bytesize
        raise PKeyError, "RSA lib" if salt_length < 0 || size < length + salt_length + 2
        salt = Random.random_bytes(salt_length)
        sum = Digest.digest(digest, "\0" * 8 + hash + salt)
        block = ("\0".b * (size - salt_length - length - 2)) << "\x01" << salt
        block = __xor(block, __mask_of(sum, block.bytesize, mask))
        block.setbyte(0, block.getbyte(0) & 0xff >> size * 8 - bits)
        __private_power((block << sum << "\xbc".b).rjust(__size, "\0")) or raise PKeyError, "RSA lib"
      end

      def __pss?(digest, hash, signature, salt_length, mask)
        return false if signature.bytesize != __size
        plain = __public_power(signature) or return false
        bits = @n.num_bits - 1
        size, length = bits.ceildiv(8), hash.bytesize
        plain = plain.byteslice(-size, size)
        return false if plain.getbyte(-1) != 0xbc || size < length + 2
        block, sum = plain.byteslice(0, size - length - 1), plain.byteslice(size - length - 1, length)
        return false if block.getbyte(0) & (0xff00 >> size * 8 - bits & 0xff) & ~(0xff >> size * 8 - bits) != 0
        block = __xor(block, __mask_of(sum, block.bytesize, mask))
        block.setbyte(0, block.getbyte(0) & 0xff >> size * 8 - bits)
        salt = block[/\A\0*\x01(.*)\z/mn, 1] or return false
        return false if salt_length >= 0 && salt.bytesize != salt_length
        Digest.digest(digest, "\0".b * 8 + hash + salt) == sum
      end

      def __oaep_options(options)
        digest = OpenSSL::PKey.__digest_name(options["rsa_oaep_md"] || "SHA1")
        [digest, OpenSSL::PKey.__digest_name(options["rsa_mgf1_md"] || digest),
          [options["rsa_oaep_label"].to_s].pack("H*")]
      end

      def __oaep(data, options)
        digest, mask, label = __oaep_options(options)
        length = Digest.new(digest).digest_length
        fill = __size - data.bytesize - 2 * length - 2
        raise PKeyError, "EVP_PKEY_encrypt: data too large for key size" if fill < 0
        block = Digest.digest(digest, label) << "\0".b * fill << "\x01" << data
        seed = Random.random_bytes(length)
        block = __xor(block, __mask_of(seed, block.bytesize, mask))
        "\0".b << __xor(seed, __mask_of(block, length, mask)) << block
      end

      # A number as text: in decimal and hexadecimal if it is small, otherwise byte by byte.
      def __shown(title, number)
        return "#{title}: #{number} (0x#{number.to_i.to_s(16)})\n" if number.num_bits <= 64
        digits = number.to_s(16).downcase
        digits = "00#{digits}" if digits.hex && digits[0].hex >= 8
        "#{title}:\n" + digits.scan(/../).each_slice(15).map { |row| "    #{row.join(":")}" }.join(":\n") + "\n"
      end
    end
  end
end
