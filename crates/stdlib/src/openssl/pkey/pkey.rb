# OpenSSL::PKey: the common methods of all keys, and keys that are byte strings (Ed25519, X25519).
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module PKey
    class PKeyError < OpenSSLError
    end

    class PKey
      # Subclasses set `@kind`: the result of `oid`, and the name of the algorithm in encoded keys.
      def initialize
        raise TypeError, "OpenSSL::PKey::PKey can't be instantiated directly" if instance_of?(PKey)
      end

      def oid = @kind.dup
      def inspect = "#{Kernel.instance_method(:to_s).bind_call(self).chomp(">")} oid=#{oid}#{__type_name}>"
      TYPE_NAMES = {"rsaEncryption" => "RSA", "id-ecPublicKey" => "EC", "dhKeyAgreement" => "DH"}.freeze
      private_constant :TYPE_NAMES
      def __type_name = " type_name=#{TYPE_NAMES.fetch(oid, oid)}"

      def __need_arguments
        raise ArgumentError, "#{self.class}.new cannot be called without arguments; pkeys are immutable with OpenSSL 3.0"
      end

      def public_to_der = __public_structure.to_der
      def public_to_pem = OpenSSL::PKey.__pem("PUBLIC KEY", public_to_der)

      # PKCS #8, encrypted if a cipher is given.
      def private_to_der(cipher = nil, password = nil, &block)
        der = __private_structure.to_der
        return der unless cipher
        OpenSSL::PKey.__encrypt(der, cipher, OpenSSL::PKey.__password(password, true, &block))
      end

      def private_to_pem(cipher = nil, password = nil, &block)
        label = cipher ? "ENCRYPTED PRIVATE KEY" : "PRIVATE KEY"
        OpenSSL::PKey.__pem(label, private_to_der(cipher, password, &block))
      end

      def raw_private_key
        __raw or raise PKeyError, "EVP_PKEY_get_raw_private_key"
        @private or raise PKeyError, "EVP_PKEY_get_raw_private_key: not a private key"
      end

      def raw_public_key = __raw || raise(PKeyError, "EVP_PKEY_get_raw_public_key")

      def compare?(other)
        raise TypeError, "wrong argument type #{other.class} (expected OpenSSL/EVP_PKEY)" unless PKey === other
        raise TypeError, "cannot match different PKey types" if oid != other.oid
        public_to_der == other.public_to_der
      end

      def to_text
        raise NotImplementedError, "PKey#to_text is not supported for #{oid}"
      end

      # `sign(digest, data, options = nil) → string`
      def sign(digest, data, options = nil)
        __check_private
        data = OpenSSL.__text(data)
        if @kind == "ED25519"
          if digest
            raise PKeyError, "EVP_DigestSignInit: invalid digest (Explicit digest not allowed with EdDSA operations)"
          end
          return OpenSSL::PKey.__send__(:__ed25519_sign, @private, data)
        end
        return HMAC.digest(digest, @private, data) if @kind == "HMAC"
        raise PKeyError, "EVP_DigestSignInit: operation not supported for this keytype" unless __signs?
        name = OpenSSL::PKey.__digest_name(digest || "SHA256")
        options = OpenSSL::PKey.__options(options)
        __sign_message(name, data, options) || __sign(name, Digest.digest(name, data), options)
      end

      def verify(digest, signature, data, options = nil)
        signature, data = OpenSSL.__text(signature), OpenSSL.__text(data)
        if @kind == "ED25519"
          if digest
            raise PKeyError, "EVP_DigestVerifyInit: invalid digest (Explicit digest not allowed with EdDSA operations)"
          end
          return OpenSSL::PKey.__send__(:__ed25519_verify, @public, data, signature)
        end
        raise PKeyError, "EVP_DigestVerifyInit: operation not supported for this keytype" unless __signs?
        name = OpenSSL::PKey.__digest_name(digest || "SHA256")
        options = OpenSSL::PKey.__options(options)
        __accepts?(name, data, signature, options) ||
          __verify(name, Digest.digest(name, data), signature, options, "EVP_DigestVerify")
      end

      # Like `sign`, for a digest.
      def sign_raw(digest, data, options = nil)
        raise PKeyError, "EVP_PKEY_sign_init: operation not supported for this keytype" unless __signs?
        __sign(digest && OpenSSL::PKey.__digest_name(digest), OpenSSL.__text(data), OpenSSL::PKey.__options(options))
      end

      def verify_raw(digest, signature, data, options = nil)
        raise PKeyError, "EVP_PKEY_verify_init: operation not supported for this keytype" unless __signs?
        digest &&= OpenSSL::PKey.__digest_name(digest)
        __verify(digest, OpenSSL.__text(data), OpenSSL.__text(signature), OpenSSL::PKey.__options(options),
          "EVP_PKEY_verify")
      end

      def verify_recover(_digest, _signature, _options = nil)
        raise PKeyError, "EVP_PKEY_verify_recover_init: operation not supported for this keytype"
      end

      def encrypt(_data, _options = nil)
        raise PKeyError, "EVP_PKEY_encrypt_init: operation not supported for this keytype"
      end

      def decrypt(_data, _options = nil)
        raise PKeyError, "EVP_PKEY_decrypt_init: operation not supported for this keytype"
      end

      # The secret shared with the owner of another key.
      def derive(peer)
        raise TypeError, "wrong argument type #{peer.class} (expected OpenSSL/EVP_PKEY)" unless PKey === peer
        unless respond_to?(:__derive, true)
          raise PKeyError, "EVP_PKEY_derive_init: operation not supported for this keytype"
        end
        raise PKeyError, "EVP_PKEY_derive_set_peer: operation not supported for this keytype" if peer.oid != oid
        __derive(peer)
      end

      # For keys that are bytes: `kind` is ED25519 or X25519.
      def __set(kind, secret, public)
        @kind, @private = kind, secret
        @public = public || OpenSSL::PKey.__public_bytes(kind, secret)
        extend(Agreement) if kind == "X25519"
        self
      end

      def __public = @public

      module Agreement
        private

        def __derive(peer)
          @private or raise OpenSSL::PKey::PKeyError, "EVP_PKEY_derive: missing private key"
          shared = OpenSSL::PKey.__send__(:__x25519, @private, peer.__public)
          shared or raise OpenSSL::PKey::PKeyError, "EVP_PKEY_derive: failed during derivation"
        end
      end
      private_constant :Agreement

      private

      def __raw = @public
      def __signs? = false
      # Fast paths for whole messages; nil and false if there is none, or for an invalid signature.
      def __sign_message(_digest, _data, _options) = nil
      def __accepts?(_digest, _data, _signature, _options) = false

      def __check_private
        return unless respond_to?(:private?) && !private? || @public && !@private
        raise ArgumentError, "private key is needed"
      end

      def __private_structure
        @private or raise PKeyError, "i2d_PKCS8PrivateKey_bio: ASN1 lib"
        secret = ASN1::OctetString(@private).to_der
        ASN1::Sequence([ASN1::Integer(0), ASN1::Sequence([ASN1::ObjectId(@kind)]), ASN1::OctetString(secret)])
      end

      def __public_structure = ASN1::Sequence([ASN1::Sequence([ASN1::ObjectId(@kind)]), ASN1::BitString(@public)])

      # A key with any of these numbers must have all of them.
      def __numbers(names, values)
        names.zip(values) { |name, value| instance_variable_set(:"@#{name}", value && BN.new(value)) }
        self
      end
    end

    class << self
      # `read(string or io, password = nil) { password } → key`
      def read(data, password = nil, &block)
        __read(data, password, &block) or raise PKeyError, "Could not parse PKey"
      end

      def new_raw_private_key(type, key)
        type, key = __raw_type(type, "EVP_PKEY_new_raw_private_key_ex"), OpenSSL.__text(key)
        raise PKeyError, "EVP_PKEY_new_raw_private_key_ex: key setup failed" if key.bytesize != 32
        PKey.allocate.__set(type, key.b, nil)
      end

      def new_raw_public_key(type, key)
        type, key = __raw_type(type, "EVP_PKEY_new_raw_public_key_ex"), OpenSSL.__text(key)
        raise PKeyError, "EVP_PKEY_new_raw_public_key_ex: key setup failed" if key.bytesize != 32
        PKey.allocate.__set(type, nil, key.b)
      end

      def generate_parameters(type, options = nil, &block)
        options = __options(options)
        case OpenSSL.__text(type).upcase
        when "DSA" then DSA.allocate.__generate_parameters(options, &block)
        when "DH" then DH.allocate.__generate_parameters(options, &block)
        when "EC" then EC.new(__curve(options))
        else raise PKeyError,
          "EVP_PKEY_CTX_new_from_name: unsupported (Global default library context, Algorithm (#{type} : 0), Properties (<null>))"
        end
      end

      # `generate_key(name or parameters, options = nil) → key`
      def generate_key(type, options = nil, &block)
        return type.__generate if PKey === type && type.respond_to?(:__generate)
        options = __options(options)
        case name = OpenSSL.__text(type).upcase
        when "RSA" then RSA.allocate.__generate_key(options, &block)
        when "EC" then EC.new(__curve(options)).__generate
        when "ED25519", "X25519" then PKey.allocate.__set(name, Random.random_bytes(32), nil)
        when "HMAC" then PKey.allocate.__set(name, OpenSSL.__text(options["key"] || options["hexkey"] &&
          [options["hexkey"]].pack("H*")), "")
        else raise PKeyError,
          "EVP_PKEY_CTX_new_from_name: unsupported (Global default library context, Algorithm (#{type} : 0), Properties (<null>))"
        end
      end

      def __public_bytes(kind, secret)
        kind == "X25519" ? __x25519(secret, nil) : __ed25519_public(secret)
      end

      # The name of a digest, which is given as a name or an object.
      def __digest_name(digest) = (Digest === digest ? digest : Digest.new(digest)).name

      # Names and values of options, as strings.
      def __options(options)
        unless options.nil? || Hash === options || Array === options &&
          options.all? { |pair| Array === pair && pair.size == 2 }
          raise TypeError, "wrong argument type #{Array === options ? options[0].class : options.class} (expected Hash)"
        end
        options.to_a.to_h { |name, value| [name.to_s, value] }
      end

      private

      def __raw_type(type, call)
        name = OpenSSL.__text(type).upcase
        return name if %w[ED25519 X25519].include?(name)
        raise PKeyError, "#{call}: unsupported (Global default library context, Algorithm (#{type} : 0), Properties (<null>))"
      end

      def __curve(options)
        known = options.keys - %w[ec_paramgen_curve ec_param_enc]
        unless known.empty?
          raise PKeyError, "EVP_PKEY_CTX_ctrl_str(ctx, #{known[0].inspect}, #{options[known[0]].to_s.inspect}): command not supported"
        end
        options["ec_paramgen_curve"] or raise PKeyError, "EVP_PKEY_paramgen: no parameters set"
      end
    end
  end
end
