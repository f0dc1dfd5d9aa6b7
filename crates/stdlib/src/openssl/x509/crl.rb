# OpenSSL::X509::CRL and Revoked.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class Revoked
      attr_reader :time

      def initialize(*)
        @serial, @extensions = BN.new(0), []
      end

      def initialize_copy(other)
        @serial, @time, @extensions = other.serial, other.time, other.extensions
      end

      def serial = BN.new(@serial)

      def serial=(serial)
        raise TypeError, "Cannot convert into OpenSSL::BN" unless ::Integer === serial || BN === serial
        @serial = BN.new(serial)
      end

      def time=(time)
        @time = Time.at(Integer(time)).utc
      end

      def extensions = @extensions.map(&:dup)

      def extensions=(extensions)
        @extensions = []
        extensions.to_ary.each { |extension| add_extension(extension) }
      end

      def add_extension(extension)
        unless Extension === extension
          raise TypeError, "wrong argument type #{extension.class} (expected OpenSSL/X509/EXTENSION)"
        end
        @extensions << extension.dup
        extension
      end

      def to_der
        parts = [ASN1::Integer(@serial), X509.__time(@time || 0)]
        parts << ASN1::Sequence(@extensions) unless @extensions.empty?
        ASN1::Sequence(parts).to_der
      end

      def __read(parts)
        @serial, @time = parts[0].value, parts[1].value
        @extensions = (parts[2]&.value || []).map { |extension| Extension.new(extension.to_der) }
        self
      end
    end

    class CRL
      LABELS = ["X509 CRL"].freeze
      private_constant :LABELS
      attr_reader :version

      def initialize(data = (none = true; nil))
        @version, @issuer, @revoked, @extensions = 0, Name.new, [], []
        return if none
        der = X509.__source(data, LABELS) or raise CRLError,
          "PEM_read_bio_X509_CRL: no start line (Expecting: X509 CRL)"
        __read(der)
      end

      def initialize_copy(other)
        %i[@version @algorithm @signature @der @tbs @last_update @next_update]
          .each { |name| instance_variable_set(name, other.instance_variable_get(name)) }
        @issuer, @revoked, @extensions = other.issuer, other.revoked, other.extensions
      end

      def version=(version)
        version = Integer(version)
        raise CRLError, "version must be >= 0!" if version < 0
        __changed
        @version = version
      end

      def issuer = @issuer.dup

      def issuer=(name)
        raise TypeError, "wrong argument type #{name.class} (expected OpenSSL/X509/NAME)" unless Name === name
        __changed
        @issuer = name.dup
      end

      def last_update = @last_update&.value&.dup
      def next_update = @next_update&.value&.dup

      def last_update=(time)
        __changed
        @last_update = X509.__time(time)
      end

      def next_update=(time)
        __changed
        @next_update = X509.__time(time)
      end

      def revoked = @revoked.map(&:dup)

      def revoked=(list)
        list.to_ary.each { |one| raise TypeError,
          "wrong argument type #{one.class} (expected OpenSSL/X509/REV)" unless Revoked === one }
        __changed
        @revoked = list.map(&:dup)
      end

      def add_revoked(revoked)
        raise TypeError, "wrong argument type #{revoked.class} (expected OpenSSL/X509/REV)" unless Revoked === revoked
        __changed
        @revoked << revoked.dup
        revoked
      end

      def extensions = @extensions.map(&:dup)

      def extensions=(extensions)
        @extensions = []
        extensions.to_ary.each { |extension| add_extension(extension) }
      end

      def add_extension(extension)
        unless Extension === extension
          raise TypeError, "wrong argument type #{extension.class} (expected OpenSSL/X509/EXTENSION)"
        end
        __changed
        @extensions << extension.dup
        extension
      end

      def signature_algorithm = @algorithm ? @algorithm.value[0].ln || @algorithm.value[0].oid : "NULL"

      def sign(key, digest)
        raise ArgumentError, "private key is needed" unless !key.respond_to?(:private?) || key.private?
        @algorithm = X509.__signature_algorithm(key, digest)
        @tbs = __tbs
        @signature = key.sign(key.oid == "ED25519" ? nil : digest, @tbs)
        @der = ASN1::Sequence([ASN1.decode(@tbs), @algorithm, ASN1::BitString(@signature)]).to_der
        self
      rescue PKey::PKeyError, ASN1::ASN1Error => error
        raise CRLError, "X509_CRL_sign: #{error.message}"
      end

      def verify(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        @algorithm or return false
        X509.__verify(@algorithm, key, @signature, @tbs || __tbs) || false
      end

      def to_der = (@der ||
        ASN1::Sequence([ASN1.decode(__tbs), @algorithm || ASN1::Sequence([ASN1::ObjectId("0.0")]),
          ASN1::BitString(@signature || "")]).to_der).dup
      def to_pem = PKey.__pem("X509 CRL", to_der)
      alias_method :to_s, :to_pem

      def to_text
        lines = ["Certificate Revocation List (CRL):", "        Version #{@version + 1} (0x#{@version.to_s(16)})",
          "        Signature Algorithm: #{signature_algorithm}"]
        lines << "        Issuer: #{@issuer.to_s(Name::ONELINE)}" << "        Last Update: #{last_update}" <<
          "        Next Update: #{next_update || "NONE"}"
        lines << (@revoked.empty? ? "No Revoked Certificates." : "Revoked Certificates:")
        lines << "        CRL extensions:" unless @extensions.empty?
        @extensions.each do |extension|
          lines << "            #{ASN1::ObjectId(extension.__oid).ln || extension.oid}: #{"critical" if extension.critical?}"
          lines.concat(extension.value.lines(chomp: true).map { |line| "                #{line}" })
        end
        @revoked.each { |one| lines << "    Serial Number: #{one.serial.to_s(16)}" <<
          "        Revocation Date: #{one.time}" }
        lines.join("\n") << "\n"
      end

      def __revoked = @revoked

      private

      def __changed
        @der = @tbs = nil
      end

      def __tbs
        parts = @version > 0 ? [ASN1::Integer(@version)] : []
        parts.push(@algorithm || ASN1::Sequence([ASN1::ObjectId("0.0")]), @issuer, @last_update || ASN1::UTCTime(0))
        parts << @next_update if @next_update
        parts << ASN1::Sequence(@revoked) unless @revoked.empty?
        parts << ASN1::ASN1Data.new([ASN1::Sequence(@extensions)], 0, :CONTEXT_SPECIFIC) unless @extensions.empty?
        ASN1::Sequence(parts).to_der
      end

      def __read(der)
        tbs, @algorithm, signature = ASN1.decode_all(der).first.value
        parts = tbs.value.dup
        @version = ASN1::Integer === parts[0] ? parts.shift.value.to_i : 0
        @issuer, @last_update = Name.new(parts[1]), parts[2]
        rest = parts.drop(3)
        @next_update = rest.find { |part| ASN1::UTCTime === part || ASN1::GeneralizedTime === part }
        list = rest.find { |part| ASN1::Sequence === part }
        @revoked = (list&.value || []).map { |one| Revoked.new.__read(one.value) }
        tagged = rest.find { |part| part.tag_class == :CONTEXT_SPECIFIC }
        @extensions = tagged ? tagged.value[0].value.map { |extension| Extension.new(extension.to_der) } : []
        @signature = signature.value
        @der = X509.__whole(der)
        @tbs = X509.__inner(@der)
      rescue ASN1::ASN1Error, NoMethodError, TypeError, NameError
        raise CRLError, "PEM_read_bio_X509_CRL: wrong tag"
      end
    end
  end
end
