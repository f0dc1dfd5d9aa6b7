# OpenSSL::ASN1: objects as DER.

module OpenSSL
  module ASN1
    class ASN1Data
      def to_der
        return __constructive if ::Array === value
        raise ASN1Error, "indefinite length form cannot be used with primitive encoding" if indefinite_length
        __primitive
      end

      private

      def __primitive
        kind = ASN1.__send__(:__default_tag, self.class)
        __wrap(kind ? ASN1.__send__(:__content, kind, self) : OpenSSL.__text(value).b, false, false)
      end

      def __constructive
        items = value.to_a
        endless = indefinite_length
        body = "".b
        items.each_with_index do |item, i|
          if endless && EndOfContent === item
            raise ASN1Error, "illegal EOC octets in value" if i != items.size - 1
            break
          end
          body << OpenSSL.__text(item.respond_to?(:to_der) ? item.to_der : item).b
        end
        __wrap(body, true, endless)
      end

      # Adds the header; an explicit tag precedes that of the class.
      def __wrap(body, constructed, endless)
        number = tag
        raise ASN1Error, "tag number not specified" if number.nil?
        bits = CLASS_BITS[tag_class || :UNIVERSAL] or raise ASN1Error, "invalid tag class"
        unless @tagging == :EXPLICIT
          return ASN1.__send__(:__put, bits, ::Kernel.Integer(number), constructed, endless, body)
        end
        kind = ASN1.__send__(:__default_tag, self.class) or raise ASN1Error, "explicit tagging of unknown tag"
        inner = ASN1.__send__(:__put, 0, kind, constructed, endless, body)
        ASN1.__send__(:__put, bits, ::Kernel.Integer(number), true, endless, inner)
      end
    end

    class Primitive
      def to_der = __primitive
    end

    class Constructive
      def to_der = __constructive
    end

    class EndOfContent
      def to_der = "\0\0".b
    end

    class << self
      private

      def __put(bits, number, constructed, endless, body)
        header = __identifier(bits | (constructed ? 0x20 : 0), number)
        return header << 0x80 << body << "\0\0" if endless
        length = body.bytesize
        if length < 0x80
          header << length
        else
          bytes = __unsigned(length)
          header << (0x80 | bytes.bytesize) << bytes
        end
        header << body
      end

      def __identifier(bits, number)
        raise ASN1Error, "invalid tag number" if number < 0
        return "".b << (bits | number) if number < 31
        ("".b << (bits | 31)) << __base128(number)
      end

      # A number in groups of seven bits, all but the last of which have the highest bit set.
      def __base128(number)
        groups = [number & 0x7f]
        groups.unshift(number & 0x7f | 0x80) while (number >>= 7) > 0
        groups.pack("C*")
      end

      def __unsigned(number)
        digits = number.to_s(16)
        [digits.length.odd? ? "0#{digits}" : digits].pack("H*")
      end

      # The two's complement of a number in the minimum number of bytes.
      def __signed(number)
        bytes = number.bit_length / 8 + 1
        number += 1 << bytes * 8 if number < 0
        [number.to_s(16).rjust(bytes * 2, "0")].pack("H*")
      end

      # The content of a primitive, without its header.
      def __content(kind, object)
        value = object.value
        case kind
        when BOOLEAN
          raise TypeError, "Can't convert nil into Boolean" if value.nil?
          value ? "\xff".b : "\0".b
        when INTEGER, ENUMERATED
          raise TypeError, "Can't convert nil into Integer" if value.nil?
          __signed(BN.__send__(:__of, value))
        when BIT_STRING
          unused = object.unused_bits
          raise ASN1Error, "unused_bits for a bitstring value must be in the range 0 to 7" unless (0..7).cover?(unused)
          bytes = OpenSSL.__text(value).b
          bytes.setbyte(-1, bytes.getbyte(-1) & -1 << unused & 0xff) if unused > 0 && !bytes.empty?
          ("".b << unused) << bytes
        when NULL
          raise ASN1Error, "nil expected" unless value.nil?
          "".b
        when OBJECT then __oid_bytes(OpenSSL.__text(value))
        when UTCTIME then __time(value, true)
        when GENERALIZEDTIME then __time(value, false)
        when SEQUENCE, SET then OpenSSL.__text(value.respond_to?(:to_der) ? value.to_der : value).b
        when EOC then "".b
        else OpenSSL.__text(value).b
        end
      end

      def __dotted?(text)
        return false unless text.match?(/\A[012](?:\.\d+)+\z/)
        first, second = text.split(".", 3).map(&:to_i)
        first == 2 || second < 40
      end

      def __oid_bytes(text)
        raise ArgumentError, "string contains null byte" if text.include?("\0")
        text = ObjectId.__find(text)&.first || text
        raise ASN1Error, "invalid OBJECT ID #{text}" unless __dotted?(text)
        first, second, *rest = text.split(".").map(&:to_i)
        rest.inject(__base128(first * 40 + second)) { |bytes, number| bytes << __base128(number) }
      end

      def __time(value, short)
        time = ::Time.at(::Kernel.Integer(value)).utc
        raise ASN1Error, "illegal time value" unless (short ? 1950..2049 : 0..9999).cover?(time.year)
        return time.strftime("%Y%m%d%H%M%SZ").b unless short
        time.strftime("%y%m%d%H%M%SZ").b
      end
    end
  end
end
