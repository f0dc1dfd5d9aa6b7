# OpenSSL::PKey::EC::Group and EC::Point.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module PKey
    class EC
      class Group
        class Error < OpenSSLError
        end

        FORMS = %i[compressed uncompressed hybrid].freeze
        private_constant :FORMS
        attr_reader :curve_name, :point_conversion_form
        attr_accessor :asn1_flag

        # `Group.new(name, der, pem or group)`; custom curves are not supported.
        def initialize(data, *numbers)
          @point_conversion_form, @asn1_flag = :uncompressed, NAMED_CURVE
          if data == :GFp || data == :GF2m
            if numbers.size != 3
              raise ArgumentError, "wrong number of arguments (given #{numbers.size + 1}, expected 1 or 4)"
            end
            raise Error, "unsupported field"
          end
          return initialize_copy(data) if Group === data
          data = data.respond_to?(:read) ? data.read : OpenSSL.__text(data)
          @curve_name = EC.__curve(data)
          return if @curve_name
          der = OpenSSL::PKey.__blocks(data.b).find { |label,| label == "EC PARAMETERS" }&.last || data.b
          raise Error, "unknown curve name (#{data})" unless der.getbyte(0) == 0x30 || der.getbyte(0) == 6
          begin
            __read(ASN1.decode(der))
          rescue ASN1::ASN1Error
            raise Error, "unknown curve name (#{data})"
          end
        end

        def initialize_copy(other)
          @curve_name, @point_conversion_form, @asn1_flag = other.curve_name, other.point_conversion_form,
            other.asn1_flag
          self
        end

        def point_conversion_form=(form)
          @point_conversion_form = Group.__form(form)
        end

        def self.__form(form)
          return form if FORMS.include?(form)
          raise ArgumentError, "unsupported point conversion form #{form.inspect} (expected :compressed, :uncompressed, or :hybrid)"
        end

        def inspect = Kernel.instance_method(:to_s).bind_call(self)
        def ==(other) = Group === other && curve_name == other.curve_name
        alias eql? ==
        def hash = curve_name.hash
        def generator = Point.new(self, [__facts[5]].pack("H*"))
        def order = BN.new(__facts[4], 16)
        def cofactor = BN.new(1)
        def degree = __facts[1].to_i(16).bit_length
        def seed = __facts[6] && [__facts[6]].pack("H*")

        def seed=(seed)
          raise Error, "EC_GROUP_set_seed" if OpenSSL.__text(seed) != self.seed
        end

        def set_generator(_generator, _order, _cofactor) = raise(Error, "unsupported field")

        def to_der
          return ASN1::ObjectId(curve_name).to_der if asn1_flag & NAMED_CURVE != 0
          _, field, a, b, = __facts
          curve = [ASN1::OctetString([a].pack("H*")), ASN1::OctetString([b].pack("H*"))]
          curve << ASN1::BitString(seed) if seed
          ASN1::Sequence([
            ASN1::Integer(1), ASN1::Sequence([ASN1::ObjectId("prime-field"), ASN1::Integer(BN.new(field, 16))]),
            ASN1::Sequence(curve), ASN1::OctetString(generator.to_octet_string(point_conversion_form)),
            ASN1::Integer(order), ASN1::Integer(1)
          ]).to_der
        end

        def to_pem = OpenSSL::PKey.__pem("EC PARAMETERS", to_der)

        def to_text
          nist = { "prime256v1" => "P-256", "secp384r1" => "P-384", "secp521r1" => "P-521" }[curve_name]
          "ASN1 OID: #{curve_name}\n#{"NIST CURVE: #{nist}\n" if nist}"
        end

        # Bytes of a scalar and of a coordinate.
        def __size = degree.ceildiv(8)

        private

        def __facts = EC.__facts(curve_name)

        # A name, or parameters, that identify a supported curve.
        def __read(parameters)
          if ASN1::ObjectId === parameters
            @curve_name = EC.__curve(parameters.oid)
          else
            @asn1_flag = EXPLICIT_CURVE
            field = parameters.value[1].value[1].value
            b = parameters.value[2].value[1].value.unpack1("H*").to_i(16)
            @curve_name = EC.__names.find { |name| field == EC.__facts(name)[1].to_i(16) &&
              b == EC.__facts(name)[3].to_i(16) }
          end
          @curve_name or raise Error, "unsupported curve"
        end
      end

      class Point
        class Error < OpenSSLError
        end

        attr_reader :group

        # `Point.new(group, bytes or number = nil)`: the point at infinity without data.
        def initialize(group, data = nil)
          if Point === group
            @group, @bytes = group.group, group.__bytes
            return
          end
          raise TypeError, "wrong argument type #{group.class} (expected OpenSSL/ec_group)" unless Group === group
          @group = group.dup
          return @bytes = "\0".b if data.nil?
          data = BN === data ? data.to_s(2) : OpenSSL.__text(data).b
          data = "\0".b if data.empty?
          first = data.getbyte(0)
          data = "\x04".b + data.byteslice(1..) if first == 6 || first == 7
          @bytes = OpenSSL::PKey.__send__(:__ec_expand, @group.curve_name, data)
          return if @bytes && (first < 6 || @bytes.getbyte(-1)[0] == first[0])
          whole = data.bytesize == 2 * @group.__size + 1 && first == 4
          raise Error, "EC_POINT_oct2point: #{whole ? "point is not on curve" : "invalid encoding"}"
        end

        def initialize_copy(other)
          @group, @bytes = other.group, other.__bytes
        end

        def inspect = "#{Kernel.instance_method(:to_s).bind_call(self).chomp(">")} @group=#{@group.inspect}>"
        def ==(other) = Point === other && group == other.group && __bytes == other.__bytes
        alias eql? ==
        def hash = @bytes.hash
        def infinity? = @bytes == "\0"
        def on_curve? = true

        def make_affine!
          warn "OpenSSL::PKey::EC::Point#make_affine! is deprecated", uplevel: 0
          self
        end


        def set_to_infinity!
          @bytes = "\0".b
          self
        end

        def invert!
          return self if infinity?
          size = @group.__size
          y = @bytes.byteslice(1 + size, size).unpack1("H*").to_i(16)
          y = EC.__facts(@group.curve_name)[1].to_i(16) - y if y != 0
          @bytes = @bytes.byteslice(0, 1 + size) << [y.to_s(16).rjust(size * 2, "0")].pack("H*")
          self
        end

        def to_octet_string(form)
          form = Group.__form(form)
          return @bytes.dup if form == :uncompressed || infinity?
          parity = @bytes.getbyte(-1) & 1
          return "".b << (6 | parity) << @bytes.byteslice(1..) if form == :hybrid
          "".b << (2 | parity) << @bytes.byteslice(1, @group.__size)
        end

        def add(other)
          raise TypeError, "wrong argument type #{other.class} (expected OpenSSL/EC_POINT)" unless Point === other
          __make(OpenSSL::PKey.__send__(:__ec_add, @group.curve_name, @bytes, other.__bytes))
        end

        # `mul(scalar, scalar of the generator = nil) → point`
        def mul(scalar, of_generator = nil)
          raise NotImplementedError, "Point#mul of Arrays is not supported" if Array === scalar
          product = __times(self, scalar)
          of_generator ? product.add(__times(@group.generator, of_generator)) : product
        end

        def __bytes = @bytes

        private

        def __times(point, scalar)
          scalar = BN.__send__(:__of, scalar) % @group.order.to_i
          return Point.new(@group) if scalar == 0
          __make(OpenSSL::PKey.__send__(:__ec_multiply, @group.curve_name, point.__bytes, BN.new(scalar).to_s(2)))
        end

        def __make(bytes)
          bytes or raise Error, "EC_POINT_mul"
          Point.new(@group, bytes)
        end
      end
    end
  end
end
