# OpenSSL::PKey::DSA and DH.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module PKey
    class DSA < PKey
      include Traditional

      NAMES = %i[p q g pub_key priv_key].freeze
      private_constant :NAMES
      attr_reader(*NAMES)

      # The library defines it again since Ruby 4.0; without a warning, because of the alias.
      def params = NAMES.to_h { |name| [name.to_s, __send__(name)] }
      alias params params

      def initialize(data = (none = true; nil), password = nil, &block)
        __need_arguments if none
        @kind = "DSA"
        key = OpenSSL::PKey.__read(data, password, &block) or raise PKeyError, "Neither PUB key nor PRIV key"
        raise PKeyError, "incorrect pkey type: #{key.oid}" unless DSA === key
        initialize_copy(key)
      end

      def initialize_copy(other)
        @kind = "DSA"
        __numbers(NAMES, NAMES.map { |name| other.__send__(name) })
      end

      def public? = !!@pub_key
      def private? = !!@priv_key
      def set_pqg(_p, _q, _g) = raise(PKeyError, "dsa#set_pqg= is incompatible with OpenSSL 3.0")
      def set_key(_public, _private) = raise(PKeyError, "dsa#set_key= is incompatible with OpenSSL 3.0")

      def __from_private(structure) = __set(structure.value[1, 5].map(&:value))
      def __from_parameters(structure) = __set(structure.value.map(&:value))
      def __from_public(parameters, y) = __set([*parameters.value.map(&:value), y])

      # The traditional form of public keys: y, p, q, g.
      def __from_numbers(structure) = __set(structure.value.map(&:value).rotate)

      def __from_secret(parameters, x)
        p, q, g = parameters.value.map(&:value)
        __set([p, q, g, __power(g, x, p), x])
      end

      # FIPS 186-4, A.1.1.2, with q first and p found in the progression that it divides.
      def __generate_parameters(options)
        bits = Integer(options.fetch("dsa_paramgen_bits", 2048))
        q_bits = Integer(options.fetch("dsa_paramgen_q_bits", bits >= 2048 ? 256 : 160))
        raise PKeyError, "EVP_PKEY_paramgen: modulus too small" if bits < 512
        yield 0, 0 if block_given?
        q = __prime(q_bits)
        p, tries = nil, 0
        until p
          yield 0, (tries += 1) if block_given?
          candidate = BN.rand(bits, 0).to_i
          candidate -= candidate % (2 * q) - 1
          p = candidate if candidate.bit_length == bits && BN.new(candidate).prime?
        end
        g = (2..).lazy.map { |h| h.pow((p - 1) / q, p) }.find { |power| power > 1 }
        __set([p, q, g])
      end

      def __generate
        @p or raise PKeyError, "EVP_PKEY_keygen: no parameters set"
        secret = BN.rand_range(@q - 1) + 1
        DSA.allocate.__set([@p, @q, @g, __power(@g, secret, @p), secret])
      end

      def __set(numbers)
        @kind = "DSA"
        __numbers(NAMES, numbers)
      end

      private

      def __signs? = true
      def __has_private? = private?
      def __label = "DSA PRIVATE KEY"
      def __power(base, exponent, modulus) = OpenSSL::PKey.__power_of(base, exponent, modulus)
      def __prime(bits) = BN.new(OpenSSL::PKey.__send__(:__prime, bits, false), 2).to_i
      def __parameters = ASN1::Sequence([@p, @q, @g].map { |number| ASN1::Integer(number) })

      def __traditional
        ASN1::Sequence([ASN1::Integer(0), *[@p, @q, @g, @pub_key, @priv_key].map { |number| ASN1::Integer(number) }])
      end

      def __private_structure
        private? or raise PKeyError, "i2d_PKCS8PrivateKey_bio: ASN1 lib"
        algorithm = ASN1::Sequence([ASN1::ObjectId("DSA"), __parameters])
        ASN1::Sequence([ASN1::Integer(0), algorithm, ASN1::OctetString(ASN1::Integer(@priv_key).to_der)])
      end

      def __public_structure
        @p && @pub_key or raise PKeyError, "parameters missing"
        ASN1::Sequence([ASN1::Sequence([ASN1::ObjectId("DSA"), __parameters]),
          ASN1::BitString(ASN1::Integer(@pub_key).to_der)])
      end

      # The highest bits of the hash, as many as q has.
      def __hash_number(hash)
        number = hash.unpack1("H*").to_i(16)
        number >> [hash.bytesize * 8 - @q.num_bits, 0].max
      end

      def __sign(_digest, hash, _options)
        private? or raise PKeyError, "EVP_PKEY_sign: provider signature failure (DSA sign:)"
        q = @q.to_i
        loop do
          k = BN.rand_range(q - 1) + 1
          r = __power(@g, k, @p).to_i % q
          # The inverse by Fermat's theorem, in constant time with respect to k.
          s = __power(k, q - 2, @q).to_i * (__hash_number(hash) + @priv_key.to_i * r) % q
          return ASN1::Sequence([ASN1::Integer(r), ASN1::Integer(s)]).to_der if r != 0 && s != 0
        end
      end

      def __verify(_digest, hash, signature, _options, call)
        public? or raise PKeyError, "public key missing"
        begin
          r, s = ASN1.decode(signature).value.map { |number| number.value.to_i }
        rescue ASN1::ASN1Error, NoMethodError
          raise PKeyError, call == "EVP_PKEY_verify" ? "#{call}: provider signature failure (DSA verify:)" : call
        end
        p, q = @p.to_i, @q.to_i
        return false unless (1...q).cover?(r) && (1...q).cover?(s)
        w = s.pow(q - 2, q)
        v = @g.to_i.pow(__hash_number(hash) * w % q, p) * @pub_key.to_i.pow(r * w % q, p) % p % q
        v == r
      end
    end

    class DH < PKey
      NAMES = %i[p q g pub_key priv_key].freeze
      private_constant :NAMES
      attr_reader(*NAMES)

      # The library defines it again since Ruby 4.0; without a warning, because of the alias.
      def params = NAMES.to_h { |name| [name.to_s, __send__(name)] }
      alias params params

      def initialize(data = (none = true; nil), password = nil, &block)
        __need_arguments if none
        @kind = "dhKeyAgreement"
        key = __parameters_in(data) || OpenSSL::PKey.__read(data, password, &block) or raise PKeyError,
          "could not parse pkey"
        raise PKeyError, "incorrect pkey type: #{key.oid}" unless DH === key
        initialize_copy(key)
      end

      def initialize_copy(other)
        @kind = "dhKeyAgreement"
        __numbers(NAMES, NAMES.map { |name| other.__send__(name) })
      end

      def public? = !!@pub_key
      def private? = !!@priv_key
      def set_pqg(_p, _q, _g) = raise(PKeyError, "dh#set_pqg= is incompatible with OpenSSL 3.0")
      def set_key(_public, _private) = raise(PKeyError, "dh#set_key= is incompatible with OpenSSL 3.0")

      def params_ok?
        @p && @g && @g > 1 && @g < @p - 1 && @p.prime? && BN.new((@p.to_i - 1) / 2).prime? ? true : false
      end

      def to_der
        @p or raise PKeyError, "parameters missing"
        __parameters.to_der
      end

      def to_pem = OpenSSL::PKey.__pem("DH PARAMETERS", to_der)
      alias_method :to_s, :to_pem
      alias export to_pem

      def __from_parameters(structure) = __set(*structure.value.first(2).map(&:value))
      def __from_public(parameters, y) = __set(*parameters.value.first(2).map(&:value), y)

      def __from_secret(parameters, x)
        p, g = parameters.value.first(2).map(&:value)
        __set(p, g, OpenSSL::PKey.__power_of(g, x, p), x)
      end

      def __generate_parameters(options)
        bits = Integer(options.fetch("dh_paramgen_prime_len", 2048))
        raise PKeyError, "EVP_PKEY_paramgen: modulus too small" if bits < 512
        yield 0, 0 if block_given?
        prime = OpenSSL::PKey.__send__(:__prime, bits, true)
        __set(BN.new(prime, 2), Integer(options.fetch("dh_paramgen_generator", 2)))
      end

      def __generate
        @p or raise PKeyError, "EVP_PKEY_keygen: no parameters set"
        secret = BN.rand_range(BN.new(@p.to_i >> 1) - 2) + 2
        DH.allocate.__set(@p, @g, OpenSSL::PKey.__power_of(@g, secret, @p), secret)
      end

      def __set(p, g, public = nil, secret = nil)
        @kind = "dhKeyAgreement"
        __numbers(NAMES, [p, nil, g, public, secret])
      end

      private

      # A sequence of only two numbers is treated as an RSA key elsewhere.
      def __parameters_in(data)
        data = data.to_der if data.respond_to?(:to_der)
        return unless String === data && data.getbyte(0) == 0x30
        structure = ASN1.decode(data)
        structure.value.all?(ASN1::Integer) &&
          structure.value.size.between?(2, 3) ? DH.allocate.__from_parameters(structure) : nil
      rescue ASN1::ASN1Error
        nil
      end

      def __parameters = ASN1::Sequence([ASN1::Integer(@p), ASN1::Integer(@g)])

      def __private_structure
        private? or raise PKeyError, "i2d_PKCS8PrivateKey_bio: ASN1 lib"
        algorithm = ASN1::Sequence([ASN1::ObjectId(@kind), __parameters])
        ASN1::Sequence([ASN1::Integer(0), algorithm, ASN1::OctetString(ASN1::Integer(@priv_key).to_der)])
      end

      def __public_structure
        @p && @pub_key or raise PKeyError, "parameters missing"
        ASN1::Sequence([ASN1::Sequence([ASN1::ObjectId(@kind), __parameters]),
          ASN1::BitString(ASN1::Integer(@pub_key).to_der)])
      end

      def __derive(peer)
        @priv_key or raise PKeyError, "EVP_PKEY_derive: missing private key"
        public = peer.pub_key.to_i
        raise PKeyError, "EVP_PKEY_derive_set_peer: invalid public key" unless (2..@p.to_i - 2).cover?(public)
        OpenSSL::PKey.__power_of(public, @priv_key, @p).to_s(2).rjust(@p.num_bytes, "\0")
      end
    end

    class << self
      # A power, computed in constant time.
      def __power_of(base, exponent, modulus)
        bytes = [base, exponent, modulus].map { |number| BN.new(number).to_s(2) }
        BN.new(__power(*bytes) || raise(PKeyError, "bad modulus"), 2)
      end
    end
  end
end
