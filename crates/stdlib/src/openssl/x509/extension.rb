# OpenSSL::X509::Extension: extensions, and their text form.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class Extension
      # `Extension.new(der)`, `Extension.new(oid, value, critical = false)`
      def initialize(oid, value = (none = true; nil), critical = false)
        if none
          parts = ASN1.decode(oid).value
          @oid = parts[0].oid
          @critical = ASN1::Boolean === parts[1] && parts[1].value
          @value = parts.last.value.b
          return
        end
        self.oid = oid
        self.value = value
        self.critical = critical
      rescue ASN1::ASN1Error, NoMethodError
        raise ExtensionError, "d2i_X509_EXTENSION: wrong tag"
      end

      def initialize_copy(other)
        @oid, @critical, @value = other.__oid, other.critical?, other.value_der
      end

      def oid=(oid)
        number = ASN1::ObjectId.__find(OpenSSL.__text(oid))&.first || OpenSSL.__text(oid)
        raise ExtensionError, "OBJ_txt2obj: unknown object name" unless number.match?(/\A\d+(?:\.\d+)+\z/)
        @oid = number
      end

      def value=(value)
        @value = (value.respond_to?(:to_der) ? value.to_der : OpenSSL.__text(value)).b
      end

      def critical=(critical)
        @critical = critical ? true : false
      end

      def oid = ASN1::ObjectId.__find(@oid)&.[](1)&.dup || @oid.dup
      def __oid = @oid
      def value_der = @value.dup
      def critical? = @critical

      def to_der
        parts = [ASN1::ObjectId(@oid)]
        parts << ASN1::Boolean(true) if @critical
        ASN1::Sequence(parts << ASN1::OctetString(@value)).to_der
      end

      def value
        Text.of(oid, @value) || @value.gsub(/[^ -~\r\n]/n, ".")
      rescue ASN1::ASN1Error, NoMethodError, TypeError
        @value.gsub(/[^ -~\r\n]/n, ".")
      end

      # The text forms of extensions, by short name.
      module Text
        USAGES = [
          "Digital Signature", "Non Repudiation", "Key Encipherment", "Data Encipherment", "Key Agreement",
          "Certificate Sign", "CRL Sign", "Encipher Only", "Decipher Only"
        ].freeze
        NETSCAPE = ["SSL Client", "SSL Server", "S/MIME", "Object Signing", "Unused", "SSL CA", "S/MIME CA",
          "Object Signing CA"].freeze
        REASONS = [
          "Unused", "Key Compromise", "CA Compromise", "Affiliation Changed", "Superseded", "Cessation Of Operation",
          "Certificate Hold", "Privilege Withdrawn", "AA Compromise"
        ].freeze
        CRL_REASONS = [
          "Unspecified", "Key Compromise", "CA Compromise", "Affiliation Changed", "Superseded",
          "Cessation Of Operation",
          "Certificate Hold", nil, "Remove From CRL", "Privilege Withdrawn", "AA Compromise"
        ].freeze
        private_constant :USAGES, :NETSCAPE, :REASONS, :CRL_REASONS

        class << self
          def of(name, der)
            value = ASN1.decode(der)
            case name
            when "basicConstraints" then constraints(value)
            when "keyUsage" then bits(value, USAGES)
            when "nsCertType" then bits(value, NETSCAPE)
            when "extendedKeyUsage" then value.value.map { |id| id.ln || id.oid }.join(", ")
            when "subjectKeyIdentifier" then hexadecimal(value.value)
            when "authorityKeyIdentifier" then authority(value)
            when "subjectAltName", "issuerAltName" then names(value.value)
            when "crlDistributionPoints", "freshestCRL" then points(value)
            when "authorityInfoAccess", "subjectInfoAccess"
              value.value.map { |access|
                "#{access.value[0].ln || access.value[0].oid} - #{general(access.value[1])}" }.join("\n")
            when "certificatePolicies" then policies(value)
            when "crlNumber", "deltaCRL" then value.value.to_i.abs < 1 << 127 ?
              value.value.to_s : "0x#{value.value.to_s(16)}"
            when "CRLReason" then CRL_REASONS[value.value.to_i] || value.value.to_s
            when "noCheck" then ""
            when /\Ans/ then value.value
            end
          end

          def general(name)
            case name.tag
            when 1 then "email:#{name.value}"
            when 2 then "DNS:#{name.value}"
            when 4 then "DirName:#{Name.new(name.value[0]).to_s(Name::ONELINE)}"
            when 6 then "URI:#{name.value}"
            when 7 then "IP Address:#{address(name.value)}"
            when 8 then "Registered ID:#{oid(name.value)}"
            when 0 then "othername: #{name.value[0].value}::<unsupported>"
            when 3 then "X400Name:<unsupported>"
            else "EdiPartyName:<unsupported>"
            end
          end

          private

          def constraints(value)
            ca = ASN1::Boolean === value.value[0] && value.value[0].value
            length = value.value.grep(ASN1::Integer).first
            "CA:#{ca ? "TRUE" : "FALSE"}#{", pathlen:#{length.value}" if length}"
          end

          def bits(value, names)
            set = value.value.unpack1("B*")
            names.each_index.select { |i| set[i] == "1" }.map { |i| names[i] }.join(", ")
          end

          def hexadecimal(bytes) = bytes.unpack1("H*").upcase.scan(/../).join(":")

          def authority(value)
            value.value.map do |part|
              case part.tag
              when 0 then part.value.is_a?(String) && value.value.size == 1 ? hexadecimal(part.value) :
                "keyid:#{hexadecimal(part.value)}"
              when 1 then names(part.value)
              when 2 then "serial:#{hexadecimal(part.value)}"
              end
            end.join("\n")
          end

          def names(list) = list.map { |name| general(name) }.join(", ")

          def points(value)
            value.value.map do |point|
              point.value.map do |part|
                case part.tag
                when 0 then part.value
                  .map { |name| name.tag == 0 ? "Full Name:\n  #{name.value.map { |one| general(one) }.join("\n  ")}" :
                    "Relative Name:\n  #{name.value.size}" }.join
                when 1 then "Reasons:\n  #{bits(ASN1::BitString.new(part.value.byteslice(1..)), REASONS)}"
                when 2 then "CRL Issuer:\n  #{part.value.map { |one| general(one) }.join("\n  ")}"
                end
              end.join("\n")
            end.join("\n")
          end

          def policies(value)
            value.value.map do |policy|
              text = "Policy: #{policy.value[0].ln || policy.value[0].oid}"
              (policy.value[1]&.value || []).each do |qualifier|
                case qualifier.value[0].sn
                when "id-qt-cps" then text << "\n  CPS: #{qualifier.value[1].value}"
                else text << (ASN1::IA5String === qualifier.value[1] ? "\n  CPS: #{qualifier.value[1].value}" :
                  "\n  User Notice:")
                end
              end
              text
            end.join("\n")
          end

          def oid(bytes) = ASN1.decode("\x06".b << bytes.bytesize << bytes).then { |id| id.ln || id.oid }

          def address(bytes)
            case bytes.bytesize
            when 4 then bytes.bytes.join(".")
            when 16 then bytes.unpack("n8").map { |word| word.to_s(16).upcase }.join(":")
            else "<invalid>"
            end
          end
        end
      end
      private_constant :Text

      def self.__general(name) = Text.general(name)
    end
  end
end
