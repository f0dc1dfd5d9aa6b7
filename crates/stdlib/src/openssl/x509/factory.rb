# OpenSSL::X509::ExtensionFactory: extensions from configuration values.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class ExtensionFactory
      # The values of CRLReason by number; 7 is unused.
      REASONS = %w[
        unspecified keyCompromise CACompromise affiliationChanged superseded cessationOfOperation certificateHold -
        removeFromCRL privilegeWithdrawn AACompromise
      ].freeze
      private_constant :REASONS

      attr_reader :issuer_certificate, :subject_certificate, :subject_request, :crl
      attr_accessor :config

      def initialize(issuer = nil, subject = nil, request = nil, crl = nil)
        self.issuer_certificate = issuer if issuer
        self.subject_certificate = subject if subject
        self.subject_request = request if request
        self.crl = crl if crl
      end

      { issuer_certificate: :Certificate, subject_certificate: :Certificate, subject_request: :Request, crl: :CRL }
        .each do |name, kind|
        define_method(:"#{name}=") do |value|
          klass = X509.const_get(kind)
          raise TypeError, "wrong argument type #{value.class} (expected OpenSSL/X509)" unless klass === value
          instance_variable_set(:"@#{name}", value)
        end
      end

      # `create_ext(oid, value, critical = false) → extension`
      def create_ext(oid, value, critical = false)
        oid, value = OpenSSL.__text(oid), OpenSSL.__text(value).dup
        found = ASN1::ObjectId.__find(oid)
        raise KeyError, oid unless found || oid.match?(/\A\d+(?:\.\d+)+\z/)
        critical = true if value.sub!(/\Acritical\s*,\s*/, "")
        der = value.start_with?("DER:") ? [value[4..].delete(": ")].pack("H*") :
          value.start_with?("ASN1:") ? __generated(value[5..]) : __made(found ? found[1] : oid, value)
        Extension.new(found ? found[0] : oid, der, critical ? true : false)
      rescue ASN1::ASN1Error, KeyError, ::ArgumentError, NoMethodError
        raise ExtensionError, "#{oid} = #{value}: error in extension (name=#{found ? found[1] : oid}, value=#{value})"
      end

      USAGES = {
        "digitalSignature" => 0, "nonRepudiation" => 1, "contentCommitment" => 1, "keyEncipherment" => 2,
        "dataEncipherment" => 3,
        "keyAgreement" => 4, "keyCertSign" => 5, "cRLSign" => 6, "encipherOnly" => 7, "decipherOnly" => 8
      }.freeze
      NETSCAPE = { "client" => 0, "server" => 1, "email" => 2, "objsign" => 3, "reserved" => 4, "sslCA" => 5,
        "emailCA" => 6, "objCA" => 7 }.freeze
      LONG_USAGES = {
        "Digital Signature" => "digitalSignature", "Non Repudiation" => "nonRepudiation",
        "Key Encipherment" => "keyEncipherment",
        "Data Encipherment" => "dataEncipherment", "Key Agreement" => "keyAgreement",
        "Certificate Sign" => "keyCertSign",
        "CRL Sign" => "cRLSign", "Encipher Only" => "encipherOnly", "Decipher Only" => "decipherOnly"
      }.freeze
      private_constant :USAGES, :NETSCAPE, :LONG_USAGES

      private

      def __parts(value) = value.split(",").map(&:strip)

      # The pairs of a configuration section, if the value names one.
      def __pairs(value)
        return __parts(value).map { |part| part.split(":", 2).map(&:strip) } unless value.start_with?("@")
        __section(value[1..]).map { |key, text| [key.sub(/\.\d+\z/, ""), text] }
      end

      def __section(name)
        section = @config && @config[name]
        raise KeyError, "no section #{name}" if section.nil? || section.empty?
        section
      end

      def __made(name, value)
        case name
        when "basicConstraints" then __constraints(value)
        when "keyUsage" then __bits(__parts(value).map { |part| USAGES[part] || USAGES.fetch(LONG_USAGES.fetch(part)) })
        when "nsCertType" then __bits(__parts(value).map { |part| NETSCAPE.fetch(part) })
        when "extendedKeyUsage" then ASN1::Sequence(__parts(value).map { |part| ASN1::ObjectId(part) }).to_der
        when "subjectKeyIdentifier"
          value == "hash" ? ASN1::OctetString(__key_identifier(__subject_key)).to_der :
            ASN1::OctetString([value.delete(":")].pack("H*")).to_der
        when "authorityKeyIdentifier" then __authority(value)
        when "subjectAltName",
          "issuerAltName" then ASN1::Sequence(
            __pairs(value).flat_map { |kind, text| __general(name, kind, text) }).to_der
        when "authorityInfoAccess", "subjectInfoAccess"
          ASN1::Sequence(__parts(value).map do |part|
            method, kind, text = part.match(/\A([^;]+);([^:;]+)(?:\.\d+)?[:;](.*)\z/m).captures
            ASN1::Sequence([ASN1::ObjectId(method), __general(name, kind, text).first])
          end).to_der
        when "crlDistributionPoints" then __points(value)
        when "certificatePolicies" then __policies(value)
        when "nsComment", "nsBaseUrl", "nsRevocationUrl", "nsCaRevocationUrl", "nsRenewalUrl", "nsCaPolicyUrl",
          "nsSslServerName"
          ASN1::IA5String(value).to_der
        when "crlNumber", "deltaCRL" then ASN1::Integer(Integer(value)).to_der
        when "CRLReason" then ASN1::Enumerated(REASONS.index(value) || Integer(value)).to_der
        when "noCheck" then ASN1::Null(nil).to_der
        else raise ExtensionError, "#{name} = #{value}: unknown extension (name=#{name})"
        end
      end

      def __constraints(value)
        parts = []
        __pairs(value).each do |key, text|
          case key
          when "CA" then parts.unshift(ASN1::Boolean(true)) if %w[TRUE true Y y YES yes].include?(text)
          when "pathlen" then parts << ASN1::Integer(Integer(text))
          else raise KeyError, key
          end
        end
        ASN1::Sequence(parts).to_der
      end

      # The bits with these numbers, in as few bytes as hold the last one.
      def __bits(numbers)
        most = numbers.max
        bits = "0" * (most + 1)
        numbers.each { |number| bits[number] = "1" }
        string = ASN1::BitString([bits].pack("B*"))
        string.unused_bits = 7 - most % 8
        string.to_der
      end

      def __subject_key
        (@subject_certificate || @subject_request)&.public_key or raise KeyError, "no public key"
      end

      def __key_identifier(key) = Digest.digest("SHA1", ASN1.decode(key.public_to_der).value[1].value)

      def __authority(value)
        issuer = @issuer_certificate or raise KeyError, "no issuer certificate"
        parts = []
        wanted = __parts(value).to_h { |part| part.split(":", 2).then { |key, text| [key, text || ""] } }
        if wanted["keyid"]
          found = issuer.extensions.find { |extension| extension.oid == "subjectKeyIdentifier" }
          id = found ? ASN1.decode(found.value_der).value :
            (wanted["keyid"] == "always" ? __key_identifier(issuer.public_key) : nil)
          parts << ASN1::ASN1Data.new(id, 0, :CONTEXT_SPECIFIC) if id
        end
        if wanted["issuer"] && (wanted["issuer"] == "always" || parts.empty?)
          name = ASN1::ASN1Data.new([issuer.issuer], 4, :CONTEXT_SPECIFIC)
          parts << ASN1::ASN1Data.new([name], 1, :CONTEXT_SPECIFIC)
          serial = ASN1::Integer(issuer.serial).to_der
          parts << ASN1::ASN1Data.new(ASN1.decode("\x04".b + serial.byteslice(1..)).value, 2, :CONTEXT_SPECIFIC)
        end
        ASN1::Sequence(parts).to_der
      end

      def __general(extension, kind, text)
        bytes, tag =
          case kind
          when "DNS" then [text, 2]
          when "email" then return __emails(text) if text == "copy" || text == "move"
                            [text, 1]
          when "URI" then [text, 6]
          when "IP" then [__address(extension, text), 7]
          when "RID" then [ASN1::ObjectId(text).to_der.byteslice(2..), 8]
          when "dirName" then return [ASN1::ASN1Data.new([__directory(text)], 4, :CONTEXT_SPECIFIC)]
          when "issuer" then return @issuer_certificate.extensions.select { |e| e.oid == "subjectAltName" }
            .flat_map { |e| ASN1.decode(e.value_der).value }
          when "otherName"
            oid, value = text.split(";", 2)
            inner = ASN1.decode(__generated(value))
            return [ASN1::ASN1Data.new([ASN1::ObjectId(oid), ASN1::ASN1Data.new([inner], 0, :CONTEXT_SPECIFIC)], 0,
              :CONTEXT_SPECIFIC)]
          else raise ExtensionError, "#{extension} = #{kind}:#{text}: unsupported option (name=#{kind})"
          end
        [ASN1::ASN1Data.new(bytes.b, tag, :CONTEXT_SPECIFIC)]
      end

      def __emails(_how)
        (@subject_certificate || @subject_request).subject.to_a.select { |name,| name == "emailAddress" }
          .map { |_, value,| ASN1::ASN1Data.new(value, 1, :CONTEXT_SPECIFIC) }
      end

      def __directory(section) = Name.new(__section(section).map { |key, text| [key.sub(/\A\d+\./, ""), text] })

      def __address(extension, text)
        require "ipaddr"
        IPAddr.new(text).hton
      rescue IPAddr::Error
        raise ExtensionError, "#{extension} = IP:#{text}: bad ip address (value=#{text})"
      end

      def __points(value)
        pairs = value.start_with?("@") || value.match?(/\A(?:URI|DNS|email|IP|dirName|RID)[:.]/) ? __pairs(value) : nil
        points = pairs ? pairs.map { |pair| [pair] } :
          __section(value).filter_map { |key, text| __pairs(text) if key == "fullname" }
        ASN1::Sequence(points.map do |names|
          full = ASN1::ASN1Data.new(names.flat_map { |kind, text| __general("crlDistributionPoints", kind, text) }, 0,
            :CONTEXT_SPECIFIC)
          ASN1::Sequence([ASN1::ASN1Data.new([full], 0, :CONTEXT_SPECIFIC)])
        end).to_der
      end

      def __policies(value)
        ASN1::Sequence(__parts(value).map do |part|
          next ASN1::Sequence([ASN1::ObjectId(part)]) unless part.start_with?("@")
          id, qualifiers = nil, []
          __section(part[1..]).each do |key, text|
            case key.sub(/\.\d+\z/, "")
            when "policyIdentifier" then id = ASN1::ObjectId(text)
            when "CPS" then qualifiers << ASN1::Sequence([ASN1::ObjectId("1.3.6.1.5.5.7.2.1"), ASN1::IA5String(text)])
            else raise NotImplementedError, "#{key} of a policy is not supported"
            end
          end
          ASN1::Sequence(qualifiers.empty? ? [id] : [id, ASN1::Sequence(qualifiers)])
        end).to_der
      end

      # The format of ASN1_generate_nconf(3), as far as it concerns values.
      def __generated(text)
        kind, value = text.split(":", 2)
        case kind
        when "UTF8", "UTF8String" then ASN1::UTF8String(value)
        when "IA5", "IA5STRING" then ASN1::IA5String(value)
        when "PRINTABLE", "PRINTABLESTRING" then ASN1::PrintableString(value)
        when "BOOL", "BOOLEAN" then ASN1::Boolean(%w[TRUE true YES yes Y y].include?(value))
        when "INT", "INTEGER" then ASN1::Integer(Integer(value))
        when "ENUM", "ENUMERATED" then ASN1::Enumerated(Integer(value))
        when "NULL" then ASN1::Null(nil)
        when "OID", "OBJECT" then ASN1::ObjectId(value)
        when "OCT", "OCTETSTRING" then ASN1::OctetString(value)
        when "SEQ", "SEQUENCE" then ASN1::Sequence(__section(value).map { |_, one| ASN1.decode(__generated(one)) })
        when "SET" then ASN1::Set(__section(value).map { |_, one| ASN1.decode(__generated(one)) })
        when /\AFORMAT/ then raise NotImplementedError, "ASN1 values with FORMAT are not supported"
        else raise KeyError, kind
        end.to_der
      end
    end
  end
end
