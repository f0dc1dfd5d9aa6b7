# OpenSSL::X509::Request and Attribute.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class Attribute
      # `Attribute.new(der)`, `Attribute.new(oid, value = nil)`
      def initialize(oid, value = (none = true; nil))
        if none
          begin
            id, set = ASN1.decode(oid).value
            @oid, @value = id.oid, set
            return if ASN1::Set === set
          rescue ASN1::ASN1Error, NoMethodError
            number = ASN1::ObjectId.__find(oid.respond_to?(:to_str) ? OpenSSL.__text(oid) : "")
            raise AttributeError, "d2i_X509_ATTRIBUTE: wrong tag" unless number
          end
        end
        self.oid = oid
        self.value = value unless value.nil?
      end

      def initialize_copy(other)
        @oid, @value = other.__oid, other.value
      end

      def oid=(oid)
        number = ASN1::ObjectId.__find(OpenSSL.__text(oid))&.first || OpenSSL.__text(oid)
        raise AttributeError, "OBJ_txt2obj: unknown object name" unless number.match?(/\A\d+(?:\.\d+)+\z/)
        @oid = number
      end

      def value=(value)
        begin
          value = ASN1.decode(value.respond_to?(:to_der) ? value.to_der : OpenSSL.__text(value))
        rescue ASN1::ASN1Error
          raise TypeError, "attribute value must be ASN1::Set"
        end
        raise AttributeError, "attribute value must be ASN1::Set" unless ASN1::Set === value
        @value = value
      end

      def oid = ASN1::ObjectId.__find(@oid)&.[](1)&.dup || @oid.dup
      def __oid = @oid
      def value = @value && ASN1.decode(@value.to_der)

      def to_der
        @value or raise AttributeError, "attribute value is missing"
        ASN1::Sequence([ASN1::ObjectId(@oid), @value]).to_der
      end
    end

    class Request
      LABELS = ["CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST"].freeze
      private_constant :LABELS
      attr_reader :version

      def initialize(data = (none = true; nil))
        @version, @subject, @attributes = 0, Name.new, []
        return if none
        der = X509.__source(data, LABELS) or raise RequestError,
          "PEM_read_bio_X509_REQ: no start line (Expecting: CERTIFICATE REQUEST)"
        __read(der)
      end

      def initialize_copy(other)
        %i[@version @key @algorithm @signature @der @info]
          .each { |name| instance_variable_set(name, other.instance_variable_get(name)) }
        @subject, @attributes = other.subject, other.attributes
      end

      def version=(version)
        version = Integer(version)
        raise RequestError, "version must be >= 0!" if version < 0
        raise RequestError, "X509_REQ_set_version: passed invalid argument" if version > 0
        __changed
        @version = version
      end

      def subject = @subject.dup

      def subject=(name)
        raise TypeError, "wrong argument type #{name.class} (expected OpenSSL/X509/NAME)" unless Name === name
        __changed
        @subject = name.dup
      end

      def public_key
        @key or raise RequestError, "X509_REQ_get_pubkey"
        PKey.read(@key)
      end

      def public_key=(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        __changed
        @key = key.public_to_der
      end

      def attributes = @attributes.map(&:dup)

      def attributes=(attributes)
        attributes.to_ary.each { |attribute| __check(attribute) }
        __changed
        @attributes = attributes.map(&:dup)
      end

      def add_attribute(attribute)
        __check(attribute)
        __changed
        @attributes << attribute.dup
        attribute
      end

      def signature_algorithm = @algorithm ? @algorithm.value[0].ln || @algorithm.value[0].oid : "NULL"

      def sign(key, digest)
        raise ArgumentError, "private key is needed" unless !key.respond_to?(:private?) || key.private?
        @algorithm = X509.__signature_algorithm(key, digest)
        @info = __info
        @signature = key.sign(key.oid == "ED25519" ? nil : digest, @info)
        @der = ASN1::Sequence([ASN1.decode(@info), @algorithm, ASN1::BitString(@signature)]).to_der
        self
      rescue PKey::PKeyError, ASN1::ASN1Error => error
        raise RequestError, "X509_REQ_sign: #{error.message}"
      end

      def verify(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        @algorithm or return false
        X509.__verify(@algorithm, key, @signature, @info || __info) || false
      end

      def to_der = (@der ||
        ASN1::Sequence([ASN1.decode(__info), @algorithm || ASN1::Sequence([ASN1::ObjectId("0.0")]),
          ASN1::BitString(@signature || "")]).to_der).dup
      def to_pem = PKey.__pem("CERTIFICATE REQUEST", to_der)
      alias_method :to_s, :to_pem

      def to_text
        lines = ["Certificate Request:", "    Data:", "        Version: #{@version + 1} (0x#{@version.to_s(16)})",
          "        Subject: #{@subject.to_s(Name::ONELINE)}"]
        lines << "        Subject Public Key Info:" <<
          "            Public Key Algorithm: #{ASN1.decode(@key).value[0].value[0].ln}"
        lines.concat(public_key.to_text.lines(chomp: true).map { |line| "                #{line}" })
        lines << "    Signature Algorithm: #{signature_algorithm}"
        lines.join("\n") << "\n"
      end

      private

      def __changed
        @der = @info = nil
      end

      def __check(attribute)
        return if Attribute === attribute
        raise TypeError, "wrong argument type #{attribute.class} (expected OpenSSL/X509/ATTRIBUTE)"
      end

      def __info
        @key or raise RequestError, "i2d_X509_REQ: no public key"
        attributes = ASN1::ASN1Data.new(@attributes.sort_by(&:to_der), 0, :CONTEXT_SPECIFIC)
        ASN1::Sequence([ASN1::Integer(@version), @subject, @key, attributes]).to_der
      end

      def __read(der)
        info, @algorithm, signature = ASN1.decode_all(der).first.value
        version, subject, key, attributes = info.value
        @version, @subject, @key, @signature = version.value.to_i, Name.new(subject), key.to_der, signature.value
        @attributes = (attributes&.value || []).map { |attribute| Attribute.new(attribute.to_der) }
        @der = X509.__whole(der)
        @info = X509.__inner(@der)
      rescue ASN1::ASN1Error, NoMethodError, TypeError, NameError
        raise RequestError, "PEM_read_bio_X509_REQ: wrong tag"
      end
    end
  end
end
