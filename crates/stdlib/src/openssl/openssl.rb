# OpenSSL: the error classes, versions, and the Ruby halves of Digest, HMAC, KDF and Cipher.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  # The emulated version; the algorithms are RustCrypto's, without a C library.
  OPENSSL_VERSION = "OpenSSL 3.5.0 (Beni)".freeze
  OPENSSL_LIBRARY_VERSION = OPENSSL_VERSION
  OPENSSL_VERSION_NUMBER = 0x30500000
  OPENSSL_FIPS = false

  class OpenSSLError < StandardError
    # The C library's queue of errors, which does not exist here.
    def errors = []
  end

  class BNError < OpenSSLError
  end

  class HMACError < OpenSSLError
  end

  class Digest < ::Digest::Class
    class DigestError < OpenSSLError
    end

    def inspect = "#<#{self.class}: #{hexdigest}>"
  end

  class HMAC
  end

  module Random
    class RandomError < OpenSSLError
    end

    # The system's random source needs no seed.
    def self.seed(string) = OpenSSL.__text(string)
    def self.random_add(string, _entropy) = (OpenSSL.__text(string); self)
    def self.status? = true
  end

  module KDF
    class KDFError < OpenSSLError
    end

    module_function

    def pbkdf2_hmac(password, salt:, iterations:, length:, hash:)
      KDF.__send__(:__pbkdf2_hmac, password, salt, iterations, length, hash)
    end

    # One of the keywords cannot be a parameter, because its name is that of a constant.
    def scrypt(password, **options)
      names = %i[salt N r p length]
      missing, unknown = names - options.keys, options.keys - names
      unless missing.empty?
        raise ArgumentError, "missing keyword#{"s" if missing.size > 1}: #{missing.map(&:inspect).join(", ")}"
      end
      unless unknown.empty?
        raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}"
      end
      KDF.__send__(:__scrypt, password, *options.values_at(*names))
    end

    def hkdf(key, salt:, info:, length:, hash:)
      KDF.__send__(:__hkdf, key, salt, info, length, hash)
    end
  end

  class Cipher
    class CipherError < OpenSSLError
    end

    class AuthTagError < CipherError
    end

    def encrypt = __start(true)
    def decrypt = __start(false)
  end

  class << self
    # Converts an argument to a String.
    def __text(value)
      return value if ::String === value
      text = ::String.try_convert(value)
      return text if text
      raise TypeError, "no implicit conversion of #{__kind(value)} into String"
    end

    # TypeError unless the value is an instance of the class, whose name among the types of OpenSSL is given.
    def __check(value, kind, name)
      raise TypeError, "wrong argument type #{__kind(value)} (expected OpenSSL/#{name})" unless kind === value
    end

    # What errors of types call a value.
    def __kind(value) = [nil, true, false].any? { |one| one.equal?(value) } ? value.inspect : value.class

    def debug = @debug || false

    def debug=(on)
      @debug = on ? true : false
    end

    # The error queue of the C library, which does not exist here.
    def errors = []
    def print_mem_leaks = raise(NotImplementedError, "print_mem_leaks() function is unimplemented on this machine")
    def fips_mode = false

    def fips_mode=(on)
      raise OpenSSLError, "This version of OpenSSL does not support FIPS mode" if on
      on
    end
  end
end
