# OpenSSL::Timestamp: requests of time stamps, and what is stamped (RFC 3161).

module OpenSSL
  module Timestamp
    class TimestampError < OpenSSLError
    end

    class << self
      # Decodes DER; TimestampError with what it should be for anything else.
      def __decode(data, what)
        data = data.to_der if data.respond_to?(:to_der)
        data = OpenSSL.__text(data).b
        yield ASN1.decode(data), data
      rescue ASN1::ASN1Error, ::NoMethodError, ::ArgumentError, PKCS7::PKCS7Error => error
        reason = error.message[/not enough data/] || "wrong tag"
        raise TimestampError, "Error when decoding the timestamp #{what}: #{reason}"
      end

      def __tagged(tag, value) = ASN1::ASN1Data.new([value], tag, :CONTEXT_SPECIFIC)
      def __name(oid) = oid.sn || oid.oid
      def __number(integer) = integer && BN.new(integer.value)

      # Bytes in rows of sixteen, as numbers and as text.
      def __rows(bytes)
        bytes.b.scan(/.{1,16}/mn).each_with_index.map { |row, i|
          numbers = row.bytes.map { |byte| format("%02x", byte) }
          left = numbers.first(8).join(" ") + (row.bytesize > 8 ? "-" + numbers.drop(8).join(" ") : "")
          "    #{format("%04x", 16 * i)} - #{left.ljust(47)}   #{row.gsub(/[^ -~]/n, ".")}\n"
        }.join
      end

      def __shown(number) = number.nil? ? "unspecified" : "0x#{BN.new(number).to_s(16)}"
    end

    # An algorithm and the digest of a document.
    module Imprint
      def algorithm
        @algorithm or raise OpenSSLError, "OBJ_obj2txt"
        Timestamp.__name(@algorithm)
      end

      def message_imprint = @imprint.dup

      private

      def __imprint
        raise TimestampError, "Message imprint missing algorithm" unless @algorithm
        raise TimestampError, "Message imprint missing hashed message" if @imprint.empty?
        ASN1::Sequence([ASN1::Sequence([@algorithm, ASN1::Null(nil)]), ASN1::OctetString(@imprint)])
      end

      def __read_imprint(structure)
        @algorithm, @imprint = structure.value[0].value[0], structure.value[1].value.b
      end

      def __imprint_text
        "Hash Algorithm: #{@algorithm ? @algorithm.ln || @algorithm.oid : "NULL"}\n" \
          "Message data:\n#{Timestamp.__rows(@imprint)}"
      end
    end
    private_constant :Imprint

    class Request
      include Imprint
      attr_reader :version

      # `Request.new(der)`; without an argument an empty one that wants certificates.
      def initialize(der = (none = true; nil))
        @version, @imprint, @certificates = 1, "".b, true
        return if none
        Timestamp.__decode(der, "request") do |structure, _|
          version, imprint, *rest = structure.value
          @version, @certificates = version.value.to_i, false
          __read_imprint(imprint)
          rest.each do |part|
            case part
            when ASN1::ObjectId then @policy = part
            when ASN1::Integer then @nonce = part.value
            when ASN1::Boolean then @certificates = part.value
            else @extensions = part if part.tag_class == :CONTEXT_SPECIFIC
            end
          end
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      def version=(version)
        raise TypeError, "no implicit conversion of #{version.inspect} into Integer" unless version.respond_to?(:to_int)
        version = version.to_int
        raise TimestampError, "version must be >= 0!" if version < 0
        @version = version
      end

      def algorithm=(name)
        @algorithm = ASN1::ObjectId(__oid(OpenSSL.__text(name)))
      end

      def message_imprint=(digest)
        @imprint = OpenSSL.__text(digest).b
      end

      def policy_id = @policy && Timestamp.__name(@policy)

      def policy_id=(oid)
        @policy = ASN1::ObjectId(__oid(OpenSSL.__text(oid)))
      end

      def nonce = @nonce && BN.new(@nonce)

      def nonce=(number)
        raise TypeError, "Cannot convert into OpenSSL::BN" unless ::Integer === number || BN === number
        @nonce = number
      end

      def cert_requested? = @certificates

      def cert_requested=(wanted)
        @certificates = wanted ? true : false
      end

      def to_der
        parts = [ASN1::Integer(@version), __imprint]
        parts << @policy if @policy
        parts << ASN1::Integer(@nonce) if @nonce
        parts << ASN1::Boolean(true) if @certificates
        parts << @extensions if @extensions
        ASN1::Sequence(parts).to_der
      end

      def to_text
        "Version: #{@version}\n#{__imprint_text}Policy OID: #{policy_id || "unspecified"}\n" \
          "Nonce: #{Timestamp.__shown(@nonce)}\nCertificate required: #{@certificates ? "yes" : "no"}\nExtensions:\n"
      end

      def __algorithm = @algorithm
      def __policy = @policy

      private

      def __oid(name)
        found = ASN1::ObjectId.__find(name)&.first || name
        raise ASN1::ASN1Error, "invalid OBJECT ID #{name}" unless found.match?(/\A[0-2](?:\.\d+)+\z/)
        found
      end
    end

    # What a token says: which digest existed at which time.
    class TokenInfo
      include Imprint
      attr_reader :version

      # `TokenInfo.new(der)`
      def initialize(der)
        Timestamp.__decode(der, "token info") do |structure, bytes|
          version, @policy, imprint, serial, time, *rest = structure.value
          @version, @serial, @time, @ordering = version.value.to_i, serial, time.value, false
          raise ArgumentError unless Time === @time && ASN1::ObjectId === @policy && ASN1::Integer === serial
          __read_imprint(imprint)
          rest.each do |part|
            case part
            when ASN1::Integer then @nonce = part
            when ASN1::Boolean then @ordering = part.value
            when ASN1::Sequence then @accuracy = part.value
            else @tsa = part if part.tag_class == :CONTEXT_SPECIFIC && part.tag == 0
            end
          end
          @der = bytes
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      def policy_id = Timestamp.__name(@policy)
      def serial_number = Timestamp.__number(@serial)
      def gen_time = @time.dup
      def ordering = @ordering
      def nonce = Timestamp.__number(@nonce)
      def to_der = @der.dup

      def to_text
        number = @serial.value.to_i.to_s(16).upcase
        "Version: #{@version}\nPolicy OID: #{policy_id}\n#{__imprint_text}" \
          "Serial number: 0x#{"0" if number.length.odd?}#{number}\n" \
          "Time stamp: #{@time.getutc.strftime("%b %e %H:%M:%S %Y GMT")}\nAccuracy: #{__accuracy}\n" \
          "Ordering: #{@ordering ? "yes" : "no"}\nNonce: #{Timestamp.__shown(@nonce&.value)}\n" \
          "TSA: #{@tsa ? __tsa : "unspecified"}\nExtensions:\n"
      end

      private

      def __accuracy
        return "unspecified" unless @accuracy
        seconds = @accuracy.find { |part| ASN1::Integer === part }
        small = @accuracy.select { |part| part.tag_class == :CONTEXT_SPECIFIC }
          .to_h { |part| [part.tag, part.value.b.unpack1("H*").hex] }
        shown = ->(number) { number ? "0x#{format("%02X", number)}" : "unspecified" }
        "#{shown.(seconds&.value&.to_i)} seconds, #{shown.(small[0])} millis, #{shown.(small[1])} micros"
      end

      def __tsa
        name = @tsa.value[0]
        return name.value.to_s unless name.tag == 4
        "DirName:#{X509::Name.new(name.value[0].to_der).to_s(X509::Name::ONELINE)}"
      end
    end
  end
end
