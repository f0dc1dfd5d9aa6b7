# OpenSSL::X509::Name: distinguished names.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class Name
      COMPAT = 0
      RFC2253 = 17892119
      ONELINE = 8520479
      MULTILINE = 44302342
      DEFAULT_OBJECT_TYPE = 12
      OBJECT_TYPE_TEMPLATE = Hash.new(12).update(
        "C" => 19, "countryName" => 19, "serialNumber" => 19, "dnQualifier" => 19,
        "DC" => 22, "domainComponent" => 22, "emailAddress" => 22
      ).freeze

      # Rows `[OID, value, tag]`, grouped by relative distinguished name.
      def initialize(data = (none = true; nil), template = OBJECT_TYPE_TEMPLATE)
        @groups = []
        return if none
        if Array === data
          data.each do |entry|
            oid, value, tag = entry
            add_entry(oid, value, tag.nil? ? template[oid] : tag)
          end
        else
          __read(ASN1.decode(data.respond_to?(:to_der) ? data : OpenSSL.__text(data)))
        end
      rescue ASN1::ASN1Error
        raise NameError, "d2i_X509_NAME: wrong tag"
      end

      def initialize_copy(other)
        @groups = other.__groups.map(&:dup)
      end

      # `add_entry(oid, value, type = nil, loc: -1, set: 0) → self`
      def add_entry(oid, value, type = nil, loc: -1, set: 0)
        oid, value = OpenSSL.__text(oid), OpenSSL.__text(value)
        tag = type.nil? ? OBJECT_TYPE_TEMPLATE[oid] : Integer(type)
        number = ASN1::ObjectId.__find(oid)&.first || oid
        unless number.match?(/\A\d+(?:\.\d+)+\z/)
          raise NameError, "X509_NAME_add_entry_by_txt: invalid field name (name=#{oid})"
        end
        at = loc < 0 || loc > @groups.flatten(1).size ? @groups.size : __group_at(loc)
        row = [number, value.b, tag]
        # Within a group the order is that of the encoded bytes.
        case Integer(set)
        when 0 then @groups.insert(at, [row])
        when -1 then at == 0 ? raise(NameError, "X509_NAME_add_entry") : @groups[at - 1] << row
        else at < @groups.size ? @groups[at] << row : @groups << [row]
        end
        @groups.each { |rows|
          rows.sort_by! { |number, bytes, kind| __pair(number, bytes, kind).to_der } if rows.size > 1 }
        self
      end

      def to_a = @groups.flatten(1).map { |oid, value, tag| [__short(oid), value.dup, tag] }

      def to_der
        sets = @groups.map do |rows|
          ASN1::Set(rows.map { |oid, value, tag| __pair(oid, value, tag) }.sort_by(&:to_der))
        end
        ASN1::Sequence(sets).to_der
      end

      # `to_s(format = nil) → string`: like a path, or in one of the formats.
      def to_s(format = nil)
        if format.nil?
          return @groups.flatten(1).map { |oid, value, tag| "/#{__short(oid)}=#{__plain(value, tag)}" }.join
        end
        case Integer(format)
        when RFC2253 then __joined(@groups.reverse, ",", "+", "=", false)
        when ONELINE then __joined(@groups, ", ", " + ", " = ", true)
        when MULTILINE then @groups.flatten(1)
          .map { |oid, value, tag|
            "#{(ASN1::ObjectId(oid).ln || oid).ljust(25)} = #{__escaped(value, tag, true, false)}" }.join("\n")
        when COMPAT then @groups.map { |rows| rows.map { |oid, value, tag| "#{__short(oid)}=#{__plain(value, tag)}" }
          .join("+") }.join(", ")
        else __joined(@groups.reverse, ",", "+", "=", false)
        end
      end

      def to_utf8 = __joined(@groups.reverse, ",", "+", "=", false, false).force_encoding(Encoding::UTF_8)
      def inspect = "#<#{self.class} #{to_utf8}>"

      # 0 for names that differ only in case, spaces and string types.
      def cmp(other)
        return unless Name === other
        a, b = __canonical, other.__canonical
        a.bytesize == b.bytesize ? a <=> b : a.bytesize <=> b.bytesize
      end
      alias_method :<=>, :cmp

      def ==(other) = Name === other && __canonical == other.__canonical
      def eql?(other) = self == other
      def hash = Digest.digest("SHA1", __canonical).unpack1("V")
      def hash_old = Digest.digest("MD5", to_der).unpack1("V")
      def __groups = @groups

      def __canonical
        @groups.map do |rows|
          ASN1::Set(rows.map do |oid, value, tag|
            text = TEXTS.include?(tag) ?
              ASN1::UTF8String(__utf8(value, tag).strip.gsub(/[ \t\n\v\f\r]+/, " ")
                .then { |s| s.gsub(/[A-Z]/) { |c| c.downcase } }) : __value(value, tag)
            ASN1::Sequence([ASN1::ObjectId(oid), text])
          end.sort_by(&:to_der)).to_der
        end.join.b
      end

      TEXTS = [12, 19, 20, 22, 26, 28, 30].freeze
      private_constant :TEXTS

      private

      def __short(oid) = ASN1::ObjectId.__find(oid)&.[](1)&.dup || oid.dup

      def __group_at(loc)
        seen = 0
        @groups.index { |rows| (seen += rows.size) > loc } || @groups.size
      end

      def __read(name)
        raise NameError, "d2i_X509_NAME: wrong tag" unless ASN1::Sequence === name
        @groups = name.value.map do |set|
          set.value.map { |pair| [pair.value[0].oid, pair.value[1].value.b, pair.value[1].tag] }
        end
      end

      def __pair(oid, value, tag) = ASN1::Sequence([ASN1::ObjectId(oid), __value(value, tag)])

      def __value(value, tag)
        klass = ASN1::CLASS_TAG_MAP.key(tag)
        klass ? klass.new(value) : ASN1::ASN1Data.new(value, tag, :UNIVERSAL)
      end

      def __utf8(value, tag)
        case tag
        when 30 then value.dup.force_encoding(Encoding::UTF_16BE).encode(Encoding::UTF_8, invalid: :replace,
          undef: :replace)
        when 28 then value.dup.force_encoding(Encoding::UTF_32BE).encode(Encoding::UTF_8, invalid: :replace,
          undef: :replace)
        when 12 then value.dup.force_encoding(Encoding::UTF_8).scrub
        else value.dup.force_encoding(Encoding::ISO_8859_1).encode(Encoding::UTF_8)
        end
      end

      def __plain(value, _tag) = value.gsub(/[^ -~]/n) { |byte| format("\\x%02X", byte.ord) }

      def __joined(groups, between, within, sign, quoted, bytes = true)
        groups.map do |rows|
          rows = rows.reverse unless quoted
          rows.map { |oid, value, tag| "#{__short(oid)}#{sign}#{__escaped(value, tag, bytes, quoted)}" }.join(within)
        end.join(between)
      end

      # Escaped according to RFC 2253, or in quotes if that is requested.
      def __escaped(value, tag, bytes, quoted)
        text = __utf8(value, tag)
        special = text.match?(/[,+"<>;\\]|\A[# ]| \z/)
        if quoted && special
          text = "\"#{text.gsub(/["\\]/) { |c| "\\#{c}" }}\""
        elsif special
          text = text.gsub(/[,+"<>;\\]|\A[# ]| \z/) { |c| "\\#{c}" }
        end
        text = text.gsub(/[\0-\x1f\x7f]/) { |c| format("\\%02X", c.ord) }
        bytes ? text.gsub(/[^\0-\x7f]/) { |c| c.bytes.map { |byte| format("\\%02X", byte) }.join } : text
      end
    end
  end
end
