# OpenSSL::BN: an Integer that can be changed.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  class BN
    CONSTTIME = 4

    def self.__of(value)
      case value
      when BN then value.to_i
      when ::Integer then value
      else raise TypeError, "Cannot convert into OpenSSL::BN"
      end
    end

    # `top`: -1 for any number, 0 for one of exactly this many bits, 1 for one whose two highest bits are set.
    def self.rand(bits, top = 0, odd = false)
      bits = Integer(bits)
      top = Integer(top)
      if bits < 0 || bits == 0 && (top != -1 || odd == true) || bits == 1 && top > 0
        raise BNError, "BN_rand: bits too small"
      end
      return new(0) if bits == 0
      number = Random.random_bytes((bits + 7) / 8).unpack1("H*").to_i(16) & (1 << bits) - 1
      number |= 1 << bits - 1 if top >= 0
      number |= 1 << bits - 2 if top > 0
      number |= 1 if odd == true
      new(number)
    end

    def self.rand_range(range)
      range = __of(range)
      raise BNError, "BN_rand_range: invalid range" if range <= 0
      loop do
        number = rand(range.bit_length, -1).to_i
        return new(number) if number < range
      end
    end

    class << self
      alias_method :pseudo_rand, :rand
      alias_method :pseudo_rand_range, :rand_range
      private :__of
    end

    # A prime of exactly this many bits; by default a safe prime, for which (p - 1) / 2 is prime too. With `add` it
    # leaves `remainder` when divided by it.
    def self.generate_prime(bits, safe = true, add = nil, remainder = nil)
      bits = Integer(bits)
      raise BNError, "bits too small" if bits < (safe ? 6 : 2) && !(safe && bits == 3)
      add &&= __of(add)
      remainder = remainder ? __of(remainder) : safe ? 3 : 1
      raise BNError, "invalid length" if add && add.bit_length > bits
      loop do
        candidate = rand(bits, bits > 2 ? 1 : 0, true)
        if add
          number = candidate.to_i
          number += remainder - number % add
          next if number.bit_length != bits || number.even?
          candidate = new(number)
        elsif safe
          candidate = new(candidate.to_i | 3)
        end
        next unless candidate.__maybe_prime?
        next if safe && !new(candidate.to_i >> 1).prime?
        return candidate if candidate.prime?
      end
    end

    def initialize(value, base = 10)
      raise ArgumentError, "invalid argument" if value.nil?
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      @flags = 0
      @value =
        case value
        when ::Integer then value
        when BN then value.to_i
        else __parse(value, Integer(base))
        end
    end

    def initialize_copy(other)
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      @flags ||= 0
      @value = BN.__send__(:__of, other)
      self
    end

    alias copy initialize_copy
    public :copy

    def to_i = @value
    alias_method :to_int, :to_i
    def to_bn = self

    def to_s(base = 10)
      case base = Integer(base)
      when 10 then @value.to_s
      when 16 then (@value < 0 ? "-" : "") + __hexadecimal.upcase.sub(/\A00\z/, "0")
      when 2 then __bytes
      when 0
        bytes = __bytes
        bytes = "\0".b + bytes if !bytes.empty? && bytes.getbyte(0) >= 128
        bytes.setbyte(0, bytes.getbyte(0) | 128) if @value < 0
        [bytes.bytesize].pack("N") + bytes
      else raise ArgumentError, "invalid radix #{base}"
      end
    end

    def coerce(other)
      case other
      when ::String then [other, to_s]
      when ::Integer then [other, @value]
      when BN then [other, self]
      else raise TypeError, "Don't know how to coerce"
      end
    end

    def zero? = @value == 0
    def one? = @value == 1
    def odd? = @value.odd?
    def negative? = @value < 0
    def num_bits = @value.abs.bit_length
    def num_bytes = (num_bits + 7) / 8

    def +@ = BN.new(@value)
    def -@ = BN.new(-@value)
    def abs = BN.new(@value.abs)
    def +(other) = __new(@value + __of(other))
    def -(other) = __new(@value - __of(other))
    def *(other) = __new(@value * __of(other))
    def sqr = __new(@value * @value)

    # Quotient and remainder, rounded towards zero.
    def /(other)
      other = __divisor(other)
      remainder = @value.remainder(other)
      [__new((@value - remainder) / other), __new(remainder)]
    end

    def %(other) = __new(@value.remainder(__divisor(other)))

    def **(other)
      exponent = __of(other)
      raise BNError, "negative exponent" if exponent < 0
      __new(@value**exponent)
    end

    def gcd(other) = __new(@value.gcd(__of(other)))
    def mod_add(other, modulus) = __new((@value + __of(other)) % __modulus(modulus))
    def mod_sub(other, modulus) = __new((@value - __of(other)) % __modulus(modulus))
    def mod_mul(other, modulus) = __new(@value * __of(other) % __modulus(modulus))
    def mod_sqr(modulus) = __new(@value * @value % __modulus(modulus))

    def mod_exp(exponent, modulus)
      constant = [self, exponent, modulus].any? { |n| BN === n && n.get_flags(CONSTTIME) != 0 }
      modulus = __modulus(modulus)
      raise BNError, "called a function you should not call" if constant && modulus.even?
      exponent = __of(exponent)
      raise BNError, "negative exponent" if exponent < 0
      __new(@value.pow(exponent, modulus))
    end

    def mod_inverse(modulus)
      modulus = __modulus(modulus)
      a, b, x, y = @value % modulus, modulus, 1, 0
      while b != 0
        quotient = a / b
        a, b = b, a - quotient * b
        x, y = y, x - quotient * y
      end
      raise BNError, "no inverse" unless a == 1
      __new(x % modulus)
    end

    # A square root modulo a prime, by the Tonelli-Shanks algorithm.
    def mod_sqrt(modulus)
      prime = __of(modulus)
      raise BNError, "p is not prime" if prime < 2 || prime != 2 && prime.even?
      n = @value % prime
      return __new(n) if n < 2 || prime == 2
      raise BNError, "not a square" unless n.pow((prime - 1) / 2, prime) == 1
      odd, twos = prime - 1, 0
      odd, twos = odd >> 1, twos + 1 while odd.even?
      other = 2
      other += 1 until other.pow((prime - 1) / 2, prime) == prime - 1
      c, root, rest = other.pow(odd, prime), n.pow((odd + 1) / 2, prime), n.pow(odd, prime)
      until rest == 1
        order, power = 0, rest
        until power == 1
          power = power * power % prime
          order += 1
          raise BNError, "p is not prime" if order >= twos
        end
        factor = c.pow(1 << twos - order - 1, prime)
        twos, c = order, factor * factor % prime
        root, rest = root * factor % prime, rest * c % prime
      end
      __new(root)
    end

    def cmp(other) = @value <=> __of(other)
    alias_method :<=>, :cmp
    def ucmp(other) = @value.abs <=> __of(other).abs

    def ==(other)
      case other
      when BN then @value == other.to_i
      when ::Integer then @value == other
      else false
      end
    end
    alias_method :===, :==

    def eql?(other) = BN === other && @value == other.to_i
    def hash = @value.abs.hash

    def bit_set?(bit) = (bit = Integer(bit)) >= 0 && @value.abs[bit] == 1
    def set_bit!(bit) = __change(@value.abs | 1 << __bit(bit))

    def clear_bit!(bit)
      bit = __bit(bit)
      raise BNError, "OpenSSL::BNError" if bit >= num_bytes.ceildiv(8) * 64
      __change(@value.abs & ~(1 << bit))
    end

    def mask_bits!(bits)
      bits = __bit(bits)
      raise BNError, "OpenSSL::BNError" if bits / 64 >= num_bytes.ceildiv(8)
      __change(@value.abs & (1 << bits) - 1)
    end

    def <<(bits) = __new(__sign * (@value.abs << __shift(bits)))
    def >>(bits) = __new(__sign * (@value.abs >> __shift(bits)))
    def lshift!(bits) = __change(@value.abs << __shift(bits))
    def rshift!(bits) = __change(@value.abs >> __shift(bits))

    def prime?(_checks = nil) = __maybe_prime? && (@value < 1 << 20 || __passes?)
    def prime_fasttest?(_checks = nil, _trial = nil) = prime?

    def get_flags(flags) = @flags & Integer(flags)

    def set_flags(flags)
      __check
      @flags |= Integer(flags) & CONSTTIME
      nil
    end

    # False if a small prime divides it; below 2^20 that is conclusive.
    def __maybe_prime?
      return false if @value < 2
      SMALL_PRIMES.each { |prime| return @value == prime if @value % prime == 0 }
      true
    end

    SMALL_PRIMES = (2..1023).select { |n| (2..Integer.sqrt(n)).none? { |divisor| n % divisor == 0 } }.freeze
    private_constant :SMALL_PRIMES

    private

    # The Miller-Rabin test: 64 rounds, for an error probability of 2^-128, and more for long numbers, as in OpenSSL.
    def __passes?
      odd, twos = @value - 1, 0
      odd, twos = odd >> 1, twos + 1 while odd.even?
      (num_bits > 2048 ? 128 : 64).times do
        base = BN.rand_range(@value - 3).to_i + 2
        power = base.pow(odd, @value)
        next if power == 1 || power == @value - 1
        return false unless (twos - 1).times.any? { (power = power * power % @value) == @value - 1 }
      end
      true
    end

    def __of(value) = BN.__send__(:__of, value)
    def __new(value) = self.class.new(value)
    def __sign = @value < 0 ? -1 : 1

    def __divisor(other)
      other = __of(other)
      raise BNError, "div by zero" if other == 0
      other
    end

    def __modulus(modulus) = __divisor(modulus).abs

    def __bit(bit)
      bit = Integer(bit)
      raise BNError, "invalid length" if bit < 0
      bit
    end

    def __shift(bits)
      bits = Integer(bits)
      raise BNError, "invalid shift" if bits < 0
      bits
    end

    def __check
      raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
    end

    def __change(magnitude)
      __check
      @value = __sign * magnitude
      self
    end

    def __hexadecimal
      digits = @value.abs.to_s(16)
      digits.length.odd? ? "0#{digits}" : digits
    end

    def __bytes = @value == 0 ? "".b : [__hexadecimal].pack("H*")

    def __parse(string, base)
      string = OpenSSL.__text(string)
      case base
      when 10, 16
        raise ArgumentError, "string contains null byte" if string.include?("\0")
        digits = string[base == 10 ? /\A-?[0-9]+/ : /\A-?\h+/] or raise BNError, ""
        digits.to_i(base)
      when 2 then string.unpack1("H*").to_i(16)
      when 0
        raise BNError, "invalid length" if string.bytesize < 4
        length = string.unpack1("N")
        raise BNError, "encoding error" if length != string.bytesize - 4
        number = string.byteslice(4..).unpack1("H*").to_i(16)
        length > 0 && string.getbyte(4) >= 128 ? (1 << length * 8 - 1) - number : number
      else raise ArgumentError, "invalid radix #{base}"
      end
    end
  end
end
