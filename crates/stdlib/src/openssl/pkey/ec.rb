# OpenSSL::PKey::EC, its groups and points.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module PKey
    class EC < PKey
      include Traditional

      NAMED_CURVE = 1
      EXPLICIT_CURVE = 0

      # The parameters of the curves: field, coefficients, order, generator (compressed), seed.
      CURVES = {
        "prime256v1" => [
          "X9.62/SECG curve over a 256 bit prime field",
          "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
          "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc",
          "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
          "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
          "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "c49d360886e704936a6678e1139d26b7819f7e90"
        ],
        "secp384r1" => [
          "NIST/SECG curve over a 384 bit prime field",
          "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
          "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000fffffffc",
          "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef",
          "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
          "03aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
          "a335926aa319a27a1d00896a6773a4827acdac73"
        ],
        "secp521r1" => [
          "NIST/SECG curve over a 521 bit prime field", "01#{"ff" * 65}", "01#{"ff" * 64}fc",
          "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00",
          "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
          "0200c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66",
          "d09e8800291cb85396cc6717393284aaa0da64ba"
        ],
        "secp256k1" => [
          "SECG curve over a 256 bit prime field", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
          "00" * 32, "00" * 31 + "07", "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
          "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", nil
        ]
      }.freeze
      NIST = { "P-256" => "prime256v1", "P-384" => "secp384r1", "P-521" => "secp521r1",
        "secp256r1" => "prime256v1" }.freeze
      private_constant :CURVES, :NIST

      def self.builtin_curves = CURVES.map { |name, (comment, *)| [name, comment] }
      def self.generate(group)
        return new(group).__generate if Group === group
        name = __curve(OpenSSL.__text(group)) or raise PKeyError, "unknown curve name (#{group})"
        new(Group.new(name)).__generate
      end

      # The canonical name of a curve; nil for one that is not supported.
      def self.__curve(name)
        name = NIST.fetch(name, name)
        name = ASN1::ObjectId.__find(name)&.[](1) || name
        CURVES[name] && name
      end

      def self.__facts(name) = CURVES.fetch(name)
      def self.__names = CURVES.keys

      # `EC.new(pem, der, curve, group or key, password = nil) { password }`
      def initialize(data = nil, password = nil, &block)
        __need_arguments if data.nil?
        @kind = "id-ecPublicKey"
        case data
        when EC then return initialize_copy(data)
        when Group then return @group = data.dup
        end
        key = OpenSSL::PKey.__read(data, password, &block)
        if key.nil?
          name = EC.__curve(data.respond_to?(:read) ? "" : OpenSSL.__text(data))
          raise PKeyError, "invalid curve name" unless name
          return @group = Group.new(name)
        end
        raise PKeyError, "incorrect pkey type: #{key.oid}" unless EC === key
        initialize_copy(key)
      end

      def initialize_copy(other)
        @kind = "id-ecPublicKey"
        @group, @point, @scalar = other.group, other.public_key, other.private_key
        self
      end

      def group = @group&.dup
      def group=(_group)
        __immutable
      end

      def public_key = @point&.dup
      def public_key=(_point)
        __immutable
      end

      def private_key = @scalar && BN.new(@scalar)
      def private_key=(_scalar)
        __immutable
      end

      def public_key? = !!@point
      alias public? public_key?
      def private_key? = !!@scalar
      alias private? private_key?
      def generate_key! = __immutable
      alias_method :generate_key, :generate_key!

      def check_key
        raise PKeyError, "EVP_PKEY_public_check: no public key" unless @point && @group
        raise PKeyError, "EVP_PKEY_public_check: point is not on curve" if @point.infinity? || !@point.on_curve?
        return true unless @scalar
        own = @group.generator.mul(@scalar)
        own == @point or raise PKeyError, "EVP_PKEY_pairwise_check: invalid private key"
      end

      def to_text
        @group && @point or raise PKeyError, "EVP_PKEY_print_params"
        bits = @group.degree
        rows = ->(bytes) { bytes.unpack1("H*").scan(/../).each_slice(15).map { |row| "    #{row.join(":")}" }.join(
          ":\n") }
        text = @scalar ? "Private-Key: (#{bits} bit)\npriv:\n#{rows.(__scalar)}\n" : "Public-Key: (#{bits} bit)\n"
        "#{text}pub:\n#{rows.(@point.to_octet_string(:uncompressed))}\n#{@group.to_text}"
      end

      def to_der
        raise PKeyError, "can't export - no public key set" unless @point
        super
      end

      def to_pem(*)
        raise PKeyError, "can't export - no public key set" unless @point
        super
      end

      alias_method :to_s, :to_pem
      alias export to_pem

      def __generate
        key = EC.new(@group)
        key.__set_scalar(BN.new(OpenSSL::PKey.__send__(:__ec_generate, @group.curve_name), 2))
      end

      def __set_scalar(scalar, point = nil)
        @scalar, @signer = scalar, nil
        @point = point || Point.new(@group, OpenSSL::PKey.__send__(:__ec_public, @group.curve_name, __scalar))
        self
      end

      def __from_parameters(parameters)
        @kind, @group = "id-ecPublicKey", Group.new(parameters.to_der)
        self
      end

      def __from_public(parameters, bytes)
        __from_parameters(parameters)
        @point = Point.new(@group, bytes)
        self
      end

      def __from_private(structure, parameters)
        _, secret, *rest = structure.value
        tagged = rest.to_h { |part| [part.tag, part.value[0]] }
        __from_parameters(parameters || tagged.fetch(0))
        point = Point.new(@group, tagged[1].value) if tagged[1]
        __set_scalar(BN.new(secret.value, 2), point)
      end

      def __point = @point

      private

      def __immutable = raise(PKeyError, "pkeys are immutable on OpenSSL 3.0")
      def __signs? = true
      def __has_private? = !!@scalar
      def __label = "EC PRIVATE KEY"
      def __scalar = @scalar.to_s(2).rjust(@group.__size, "\0")

      def __traditional(parameters = true)
        parts = [ASN1::Integer(1), ASN1::OctetString(__scalar)]
        parts << ASN1::ASN1Data.new([@group], 0, :CONTEXT_SPECIFIC) if parameters
        parts << ASN1::ASN1Data.new([ASN1::BitString(@point.to_octet_string(@group.point_conversion_form))], 1,
          :CONTEXT_SPECIFIC)
        ASN1::Sequence(parts)
      end

      def __private_structure
        @scalar or raise PKeyError, "i2d_PKCS8PrivateKey_bio: ASN1 lib"
        algorithm = ASN1::Sequence([ASN1::ObjectId(@kind), @group])
        ASN1::Sequence([ASN1::Integer(0), algorithm, ASN1::OctetString(__traditional(false).to_der)])
      end

      def __public_structure
        @point or raise PKeyError, "i2d_PUBKEY_bio: ASN1 lib"
        ASN1::Sequence([
          ASN1::Sequence([ASN1::ObjectId(@kind), @group]),
            ASN1::BitString(@point.to_octet_string(@group.point_conversion_form))
        ])
      end

      DIGESTS = { "prime256v1" => "SHA256", "secp384r1" => "SHA384" }.freeze
      private_constant :DIGESTS

      def __sign_message(digest, data, _options)
        return unless @scalar && @point && DIGESTS[@group.curve_name] == digest
        signer = @signer
        if signer.nil?
          point = @point.to_octet_string(:uncompressed)
          signer = OpenSSL::PKey.__send__(:__ec_signer, @group.curve_name, __scalar, point)
          @signer = signer unless frozen?
        end
        OpenSSL::PKey.__send__(:__sign_message, signer, "", digest, data) if signer
      end

      def __accepts?(digest, data, signature, _options)
        @point && DIGESTS[@group.curve_name] == digest && OpenSSL::PKey.__send__(:__ec_accepts?, @group.curve_name,
          digest, @point.to_octet_string(:uncompressed), data, signature)
      end

      def __sign(_digest, hash, _options)
        @scalar or raise PKeyError, "EVP_PKEY_sign: provider signature failure (ECDSA sign:)"
        both = OpenSSL::PKey.__send__(:__ec_sign, @group.curve_name, __scalar, hash)
        both or raise PKeyError, "EVP_PKEY_sign: provider signature failure (ECDSA sign:)"
        half = both.bytesize / 2
        ASN1::Sequence([both.byteslice(0, half), both.byteslice(half, half)]
          .map { |n| ASN1::Integer(BN.new(n, 2)) }).to_der
      end

      def __verify(_digest, hash, signature, _options, call)
        @point or raise PKeyError, "public key missing"
        broken = call == "EVP_PKEY_verify" ? "#{call}: provider signature failure (ECDSA verify:)" : call
        begin
          numbers = ASN1.decode(signature).value.map { |number| number.value.to_i }
        rescue ASN1::ASN1Error, NoMethodError
          raise PKeyError, broken
        end
        raise PKeyError, broken if numbers.size != 2
        size = @group.__size
        return false if numbers.any? { |n| n <= 0 || n.bit_length > size * 8 }
        both = numbers.map { |n| BN.new(n).to_s(2).rjust(size, "\0") }.join
        OpenSSL::PKey.__send__(:__ec_verify, @group.curve_name, @point.to_octet_string(:uncompressed), hash, both)
      end

      def __derive(peer)
        @scalar or raise PKeyError, "EVP_PKEY_derive: missing private key"
        peer.group == @group or raise PKeyError, "EVP_PKEY_derive_set_peer: different parameters"
        point = OpenSSL::PKey.__send__(:__ec_multiply, @group.curve_name, peer.__point.to_octet_string(:uncompressed),
          __scalar)
        point or raise PKeyError, "EVP_PKEY_derive: point is not on curve"
        point.byteslice(1, (point.bytesize - 1) / 2)
      end
    end
  end
end
