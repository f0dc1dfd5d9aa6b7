# OpenSSL::ASN1: the classes, and the names of objects.

module OpenSSL
  module ASN1
    class ASN1Error < OpenSSLError
    end

    class ASN1Data
      attr_accessor :tag, :value, :tag_class, :indefinite_length
      alias_method :infinite_length, :indefinite_length
      alias_method :infinite_length=, :indefinite_length=

      def initialize(value, tag, tag_class)
        raise ASN1Error, "invalid tag class" unless Symbol === tag_class
        @tag, @value, @tag_class, @indefinite_length = tag, value, tag_class, false
      end

      private

      # A value whose tag is that of its class, or replaced or wrapped by another.
      def __initialize(value, tag = ASN1.__send__(:__default_tag, self.class), tagging = nil, tag_class = nil)
        raise ASN1Error, "must specify tag number" unless tag
        raise ASN1Error, "invalid tagging method" unless tagging.nil? || Symbol === tagging
        tag_class ||= tagging ? :CONTEXT_SPECIFIC : :UNIVERSAL
        raise ASN1Error, "invalid tag class" unless Symbol === tag_class
        @tag, @value, @tagging, @tag_class, @indefinite_length = tag, value, tagging, tag_class, false
      end
    end

    class Primitive < ASN1Data
      attr_accessor :tagging
      undef_method :indefinite_length=, :infinite_length=

      def initialize(value, *tag) = __initialize(value, *tag)
    end

    class Constructive < ASN1Data
      include Enumerable

      attr_accessor :tagging

      def initialize(value, *tag) = __initialize(value, *tag)

      def each(&block)
        @value.each(&block)
        self
      end
    end

    class EndOfContent < ASN1Data
      def initialize
        @tag, @value, @tagging, @tag_class, @indefinite_length = 0, "", nil, :UNIVERSAL, false
      end
    end

    # The names of the universal types, in the order of their tags.
    UNIVERSAL_TAG_NAME = %w[
      EOC BOOLEAN INTEGER BIT_STRING OCTET_STRING NULL OBJECT OBJECT_DESCRIPTOR EXTERNAL REAL ENUMERATED EMBEDDED_PDV
      UTF8STRING RELATIVE_OID [UNIVERSAL\ 14] [UNIVERSAL\ 15] SEQUENCE SET NUMERICSTRING PRINTABLESTRING T61STRING
      VIDEOTEXSTRING IA5STRING UTCTIME GENERALIZEDTIME GRAPHICSTRING ISO64STRING GENERALSTRING UNIVERSALSTRING
      CHARACTER_STRING BMPSTRING
    ].each(&:freeze).freeze
    UNIVERSAL_TAG_NAME.each_with_index { |name, tag| const_set(name, tag) unless name.start_with?("[") }

    CLASS_TAG_MAP = { EndOfContent => 0 }
    {
      Boolean: 1, Integer: 2, BitString: 3, OctetString: 4, Null: 5, ObjectId: 6, Enumerated: 10, UTF8String: 12,
      Sequence: 16, Set: 17, NumericString: 18, PrintableString: 19, T61String: 20, VideotexString: 21, IA5String: 22,
      UTCTime: 23, GeneralizedTime: 24, GraphicString: 25, ISO64String: 26, GeneralString: 27, UniversalString: 28,
      BMPString: 30
    }.each do |name, tag|
      klass = const_set(name, Class.new(tag == 16 || tag == 17 ? Constructive : Primitive))
      CLASS_TAG_MAP[klass] = tag
    end
    CLASS_TAG_MAP.freeze
    CLASSES = CLASS_TAG_MAP.invert.freeze
    private_constant :CLASSES

    CLASS_TAG_MAP.each_key do |klass|
      name = klass.name.split("::").last
      define_method(name) { |*arguments| klass.new(*arguments) }
      module_function name
    end

    class BitString
      attr_accessor :unused_bits

      def initialize(...)
        super
        @unused_bits = 0
      end
    end

    class << self
      private

      # The default tag of a class: its own or that of the nearest ancestor that has one; nil if there is none.
      def __default_tag(klass)
        CLASS_TAG_MAP[klass] || (klass.superclass && __default_tag(klass.superclass))
      end
    end

    CLASS_BITS = { UNIVERSAL: 0, APPLICATION: 0x40, CONTEXT_SPECIFIC: 0x80, PRIVATE: 0xc0 }.freeze
    CLASS_SYMBOLS = CLASS_BITS.keys.freeze
    private_constant :CLASS_BITS, :CLASS_SYMBOLS

    class ObjectId
      # Replaced by every registration, so that all Ractors can read it.
      @registered = {}.freeze

      class << self
        def register(oid, short, long)
          oid, short, long = [oid, short, long].map { |name| OpenSSL.__text(name) }
          raise ASN1Error, "invalid OBJECT ID #{oid}" unless ASN1.__send__(:__dotted?, oid)
          raise ASN1Error, "oid exists" if __find(oid) || __find(short) || __find(long)
          row = [oid, short, long].each(&:freeze).freeze
          @registered = @registered.merge(row.to_h { |name| [name, row] }).freeze
          true
        end

        # `[oid, short name, long name]` of a registered object; nil if it is unknown.
        def __find(name) = @registered[name] || ASN1.__send__(:__object, name)
      end

      def sn = ObjectId.__find(__text)&.[](1)&.dup
      def ln = ObjectId.__find(__text)&.[](2)&.dup
      alias_method :short_name, :sn
      alias_method :long_name, :ln

      def oid
        text = __text
        found = ObjectId.__find(text)
        return found[0].dup if found
        raise ASN1Error, "invalid OBJECT ID #{text}" unless ASN1.__send__(:__dotted?, text)
        text.dup
      end

      def ==(other) = ObjectId === other && oid == other.oid

      private

      def __text
        text = OpenSSL.__text(value)
        raise ArgumentError, "string contains null byte" if text.include?("\0")
        text
      end
    end
  end
end
