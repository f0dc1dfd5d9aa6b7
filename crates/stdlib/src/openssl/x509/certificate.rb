# OpenSSL::X509::Certificate.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class Certificate
      LABELS = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].freeze
      private_constant :LABELS

      # All certificates in a PEM text, or the one certificate of a DER encoding.
      def self.load(data)
        data = (data.respond_to?(:read) ? data.read : OpenSSL.__text(data)).b
        return [new(data)] if data.getbyte(0) == 0x30
        blocks = PKey.__blocks(data).select { |label,| LABELS.include?(label) }
        raise CertificateError, "no certificates found" if blocks.empty?
        blocks.map { |_, _, der| new(der) }
      end

      def initialize(data = (none = true; nil))
        @version, @serial, @subject, @issuer, @extensions = 0, BN.new(0), Name.new, Name.new, []
        return if none
        der = X509.__source(data, LABELS) or raise CertificateError,
          "PEM_read_bio_X509: no start line (Expecting: CERTIFICATE)"
        __read(der)
      end

      def initialize_copy(other)
        %i[@version @serial @not_before @not_after @key @algorithm @signature @der @tbs @unique].each do |name|
          instance_variable_set(name, other.instance_variable_get(name))
        end
        @subject, @issuer, @extensions = other.subject, other.issuer, other.extensions
      end

      attr_reader :version

      def version=(version)
        version = Integer(version)
        raise CertificateError, "version must be >= 0!" if version < 0
        __changed
        @version = version
      end

      def serial = BN.new(@serial)

      def serial=(serial)
        raise TypeError, "Cannot convert into OpenSSL::BN" unless ::Integer === serial || BN === serial
        __changed
        @serial = BN.new(serial)
      end

      def subject = @subject.dup
      def issuer = @issuer.dup

      %i[subject issuer].each do |part|
        define_method(:"#{part}=") do |name|
          raise TypeError, "wrong argument type #{name.class} (expected OpenSSL/X509/NAME)" unless Name === name
          __changed
          instance_variable_set(:"@#{part}", name.dup)
        end
      end

      def not_before = __moment(@not_before)
      def not_after = __moment(@not_after)

      def not_before=(time)
        __changed
        @not_before = X509.__time(time)
      end

      def not_after=(time)
        __changed
        @not_after = X509.__time(time)
      end

      def public_key
        @key or raise CertificateError, "X509_get_pubkey: unable to get certs public key"
        PKey.read(@key)
      rescue PKey::PKeyError
        raise CertificateError, "X509_get_pubkey: unsupported algorithm"
      end

      def public_key=(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        __changed
        @key = key.public_to_der
      end

      def extensions = @extensions.map(&:dup)

      def extensions=(extensions)
        extensions.to_ary.each { |extension| __check_extension(extension) }
        __changed
        @extensions = extensions.map(&:dup)
      end

      def add_extension(extension)
        __check_extension(extension)
        __changed
        @extensions << extension.dup
        extension
      end

      def signature_algorithm = @algorithm ? @algorithm.value[0].ln || @algorithm.value[0].oid : "NULL"

      # `sign(key, digest) → self`
      def sign(key, digest)
        raise ArgumentError, "private key is needed" unless !key.respond_to?(:private?) || key.private?
        @algorithm = X509.__signature_algorithm(key, digest)
        @tbs = __tbs
        @signature = key.sign(key.oid == "ED25519" ? nil : digest, @tbs)
        @der = ASN1::Sequence([ASN1.decode(@tbs), @algorithm, ASN1::BitString(@signature)]).to_der
        self
      rescue PKey::PKeyError, ASN1::ASN1Error => error
        raise CertificateError, "X509_sign: #{error.message}"
      end

      def verify(key)
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        @algorithm or return false
        X509.__verify(@algorithm, key, @signature, tbs_bytes) || false
      end

      def check_private_key(key)
        raise ArgumentError, "private key is needed" unless !key.respond_to?(:private?) || key.private?
        @key == key.public_to_der
      end

      def tbs_bytes = (@tbs || __tbs).dup
      def to_der = (@der ||
        ASN1::Sequence([ASN1.decode(__tbs), @algorithm || __no_algorithm,
          ASN1::BitString(@signature || "")]).to_der).dup
      def to_pem = PKey.__pem("CERTIFICATE", to_der)
      alias_method :to_s, :to_pem

      def ==(other) = Certificate === other && to_der == other.to_der
      alias_method :eql?, :==
      def hash = to_der.hash

      # The library defines it again since Ruby 4.0; without a warning, because of the alias.
      def inspect
        "#<#{self.class}: subject=#{subject.inspect}, issuer=#{issuer.inspect}, serial=#{serial.inspect}, " \
          "not_before=#{not_before.inspect}, not_after=#{not_after.inspect}>"
      end
      alias inspect inspect

      def to_text
        lines = ["Certificate:", "    Data:", "        Version: #{@version + 1} (0x#{@version.to_s(16)})"]
        number = @serial.to_i
        lines << (number.bit_length < 64 ? "        Serial Number: #{number} (0x#{number.to_s(16)})" :
          "        Serial Number:\n            #{@serial.to_s(16).downcase.scan(/../).join(":")}")
        lines << "        Signature Algorithm: #{signature_algorithm}" <<
          "        Issuer: #{@issuer.to_s(Name::ONELINE)}"
        lines << "        Validity" << "            Not Before: #{__shown(not_before)}" <<
          "            Not After : #{__shown(not_after)}"
        lines << "        Subject: #{@subject.to_s(Name::ONELINE)}"
        lines << "        Subject Public Key Info:" <<
          "            Public Key Algorithm: #{ASN1.decode(@key).value[0].value[0].ln}"
        lines.concat(public_key.to_text.lines(chomp: true).map { |line| "                #{line}" })
        lines << "        X509v3 extensions:" unless @extensions.empty?
        @extensions.each do |extension|
          lines << "            #{ASN1::ObjectId(extension.__oid).ln || extension.oid}: #{"critical" if extension.critical?}"
          lines.concat(extension.value.lines(chomp: true).map { |line| "                #{line}" })
        end
        lines << "    Signature Algorithm: #{signature_algorithm}" << "    Signature Value:"
        lines.concat(@signature.unpack1("H*").scan(/../).each_slice(18).map { |row| "        #{row.join(":")}" }
          .join(":\n").lines(chomp: true))
        lines.join("\n") << "\n"
      end

      def __algorithm = @algorithm
      def __issuer = @issuer
      def __subject = @subject
      def __extensions = @extensions

      # The content of an extension, decoded once; nil if it is missing.
      def __extension(name)
        (@decoded ||= {}).fetch(name) do
          found = @extensions.find { |extension| extension.oid == name }
          @decoded[name] = found && ASN1.decode(found.value_der)
        end
      end

      private

      def __changed
        @der = @tbs = @decoded = nil
      end

      def __check_extension(extension)
        return if Extension === extension
        raise TypeError, "wrong argument type #{extension.class} (expected OpenSSL/X509/EXTENSION)"
      end

      def __moment(time)
        time or raise CertificateError, "X509_get0_notBefore"
        time.value.dup
      end

      def __shown(time) = "#{time.strftime("%b %e %H:%M:%S %Y")} GMT"
      def __no_algorithm = ASN1::Sequence([ASN1::ObjectId("0.0"), ASN1::Null(nil)])

      def __tbs
        raise CertificateError, "i2d_X509: no public key" unless @key
        parts = [ASN1::Integer(@serial), @algorithm || __no_algorithm, @issuer,
          ASN1::Sequence([@not_before || ASN1::UTCTime(0), @not_after || ASN1::UTCTime(0)]), @subject, @key]
        parts.unshift(ASN1::ASN1Data.new([ASN1::Integer(@version)], 0, :CONTEXT_SPECIFIC)) if @version > 0
        parts.concat(@unique) if @unique
        parts << ASN1::ASN1Data.new([ASN1::Sequence(@extensions)], 3, :CONTEXT_SPECIFIC) unless @extensions.empty?
        ASN1::Sequence(parts).to_der
      end

      def __read(der)
        tbs, @algorithm, signature = ASN1.decode_all(der).first.value
        parts = tbs.value.dup
        @version = parts[0].tag_class == :CONTEXT_SPECIFIC ? parts.shift.value[0].value.to_i : 0
        @serial = parts[0].value
        @issuer, @subject = Name.new(parts[2]), Name.new(parts[4])
        @not_before, @not_after = parts[3].value
        @key = parts[5].to_der
        rest = parts.drop(6)
        list = rest.find { |part| part.tag == 3 }
        @unique = rest.reject { |part| part.tag == 3 }
        @extensions = list ? list.value[0].value.map { |extension| Extension.new(extension.to_der) } : []
        @signature = signature.value
        @der = X509.__whole(der)
        @tbs = X509.__inner(@der)
      rescue ASN1::ASN1Error, NoMethodError, NameError, TypeError, ExtensionError => error
        raise CertificateError, "PEM_read_bio_X509: #{error.class == NoMethodError ? "wrong tag" : error.message}"
      end
    end

    class << self
      # The first object in some bytes, and the first one within it, in their original encoding.
      def __whole(der) = der.byteslice(0, __end(der, 0))

      def __inner(der)
        content = __begin(der, 0)
        der.byteslice(content, __end(der, content) - content)
      end

      # Issuer and subject of a certificate in their original encoding, without parsing the rest.
      def __names(der)
        at = __begin(der, __begin(der, 0))
        at = __end(der, at) if der.getbyte(at) == 0xa0
        2.times { at = __end(der, at) }
        first = at
        at = __end(der, at)
        issuer = der.byteslice(first, at - first)
        first = at = __end(der, at)
        [issuer, der.byteslice(first, __end(der, at) - first)]
      end

      private

      def __begin(der, at) = ASN1.__send__(:__header, der, at, der.bytesize)[3]

      def __end(der, at)
        _, _, length, content = ASN1.__send__(:__header, der, at, der.bytesize)
        raise ASN1::ASN1Error, "value is too short" if length.nil? || content + length > der.bytesize
        content + length
      end
    end
  end
end
