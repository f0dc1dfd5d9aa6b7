# Parts of OpenSSL that Beni lacks: they raise NotImplementedError.

module OpenSSL
  class Provider
    class ProviderError < OpenSSLError
    end

    private_class_method :new
    def self.provider_names = ["default"]
    def self.load(name) = raise(NotImplementedError, "provider #{OpenSSL.__text(name)} is not supported")
  end
end
