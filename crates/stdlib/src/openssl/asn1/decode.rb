# OpenSSL::ASN1: objects from BER and DER.

module OpenSSL
  module ASN1
    # The maximum nesting depth; no legitimate data has more.
    MOST_LEVELS = 200
    private_constant :MOST_LEVELS

    class << self
      def decode(der)
        der = __source(der)
        object, at = __read(der, 0, der.bytesize, 0)
        __check_end(der, at)
        object
      end

      def decode_all(der)
        der = __source(der)
        objects, at = [], 0
        while at < der.bytesize
          object, at = __read(der, at, der.bytesize, 0)
          objects << object
        end
        objects
      end

      # `traverse(der) { |depth, offset, header length, length, constructed, tag class, tag| … } → nil`
      def traverse(der, &block)
        der = __source(der)
        _, at = __read(der, 0, der.bytesize, 0, &block)
        __check_end(der, at)
        nil
      end

      private

      def __source(der) = OpenSSL.__text(der.respond_to?(:to_der) ? der.to_der : der).b

      def __check_end(der, at)
        size = der.bytesize
        return if at == size
        raise ASN1Error, "Type mismatch. Total bytes read: #{at} Bytes available: #{size} Offset: #{at}"
      end

      # `[bits of class and form, tag, length or nil, start of the content]`
      def __header(der, at, limit)
        first = __byte(der, at, limit)
        at += 1
        tag = first & 0x1f
        if tag == 0x1f
          tag = 0
          loop do
            byte = __byte(der, at, limit)
            at += 1
            tag = tag << 7 | byte & 0x7f
            raise ASN1Error, "header too long" if tag > 0x7fffffff
            break if byte < 0x80
          end
        end
        length = __byte(der, at, limit)
        at += 1
        return [first & 0xe0, tag, length, at] if length < 0x80
        return [first & 0xe0, tag, nil, at] if length == 0x80
        count = length & 0x7f
        raise ASN1Error, "header too long" if at + count > limit
        length = der.byteslice(at, count).unpack1("H*").to_i(16)
        raise ASN1Error, "too long" if length > 0x7fffffff
        [first & 0xe0, tag, length, at + count]
      end

      def __byte(der, at, limit)
        raise ASN1Error, "header too long" if at >= limit
        der.getbyte(at)
      end

      # The object at the position, and its end.
      def __read(der, at, limit, depth, &block)
        bits, tag, length, content = __header(der, at, limit)
        raise ASN1Error, "nesting depth #{depth} exceeds limit" if depth > MOST_LEVELS
        raise ASN1Error, "too long" if length && content + length > limit
        constructed, tag_class = bits & 0x20 != 0, CLASS_SYMBOLS[bits >> 6]
        yield [depth, at, content - at, length || 0, constructed, tag_class, tag] if block
        return __constructed(der, content, length, limit, depth, tag, tag_class, &block) if constructed
        raise ASN1Error, "indefinite length for primitive value" if length.nil?
        body = der.byteslice(content, length)
        [tag_class == :UNIVERSAL ? __primitive(tag, body) : ASN1Data.new(body, tag, tag_class), content + length]
      end

      def __constructed(der, at, length, limit, depth, tag, tag_class, &block)
        limit = at + length if length
        items, ended = [], false
        while at < limit
          item, at = __read(der, at, limit, depth + 1, &block)
          break ended = true if length.nil? && EndOfContent === item
          items << item
        end
        raise ASN1Error, "value is too short" if length.nil? && !ended
        object =
          if tag_class == :UNIVERSAL
            klass = tag == SEQUENCE ? Sequence : tag == SET ? Set : Constructive
            klass.new(items, tag, nil, tag_class)
          else
            ASN1Data.new(items, tag, tag_class)
          end
        object.indefinite_length = length.nil?
        [object, at]
      end

      def __primitive(tag, body)
        klass = CLASSES[tag]
        return ASN1Data.new(body, tag, :UNIVERSAL) unless klass
        if tag == EOC
          raise ASN1Error, "invalid end of content" unless body.empty?
          return EndOfContent.new
        end
        object = klass.new(__value(tag, body), tag, nil, :UNIVERSAL)
        object.unused_bits = body.getbyte(0) if tag == BIT_STRING
        object
      end

      def __value(tag, body)
        case tag
        when BOOLEAN
          raise ASN1Error, "invalid length for BOOLEAN" if body.bytesize != 1
          body.getbyte(0) != 0
        when INTEGER, ENUMERATED then BN.new(__integer(body))
        when BIT_STRING
          raise ASN1Error, "string too short" if body.empty?
          raise ASN1Error, "invalid bit string bits left" if body.getbyte(0) > 7
          body.byteslice(1..)
        when NULL
          raise ASN1Error, "null is wrong length" unless body.empty?
          nil
        when OBJECT then __oid(body).then { |oid| ObjectId.__find(oid)&.[](1)&.dup || oid }
        when UTCTIME, GENERALIZEDTIME then __time_of(body, tag == UTCTIME)
        else body
        end
      end

      def __integer(body)
        raise ASN1Error, "illegal zero content" if body.empty?
        first, second = body.getbyte(0), body.getbyte(1)
        raise ASN1Error, "illegal padding" if second && (first == 0 && second < 0x80 || first == 0xff && second >= 0x80)
        number = body.unpack1("H*").to_i(16)
        first < 0x80 ? number : number - (1 << body.bytesize * 8)
      end

      def __oid(body)
        raise ASN1Error, "invalid object encoding" if body.empty? || body.getbyte(-1) >= 0x80
        numbers, number, fresh = [], 0, true
        body.each_byte do |byte|
          raise ASN1Error, "invalid object encoding" if fresh && byte == 0x80
          number = number << 7 | byte & 0x7f
          fresh = byte < 0x80
          numbers << number if fresh
          number = 0 if fresh
        end
        joined = numbers.shift
        ((joined < 80 ? joined.divmod(40) : [2, joined - 80]) + numbers).join(".")
      end

      def __time_of(body, short)
        form = short ? /\A(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})\z/ :
                       /\A(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:\.\d+)?(Z|[+-]\d{4})\z/
        parts = form.match(body) or raise ASN1Error, "invalid time format"
        year, month, day, hour, minute, second = parts.captures.first(6).map(&:to_i)
        year += year < 50 ? 2000 : 1900 if short
        offset = parts[7] == "Z" ? 0 :
          (parts[7][1, 2].to_i * 60 + parts[7][3, 2].to_i) * 60 * (parts[7][0] == "-" ? -1 : 1)
        raise ASN1Error, "invalid time format" unless second < 60 && (1..31).cover?(day)
        ::Time.utc(year, month, day, hour, minute, second) - offset
      rescue ArgumentError
        raise ASN1Error, "invalid time format"
      end
    end
  end
end
