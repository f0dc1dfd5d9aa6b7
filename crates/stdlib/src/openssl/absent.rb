# Parts of OpenSSL that Beni lacks: they raise NotImplementedError.

module OpenSSL
  module OCSP
    class OCSPError < OpenSSLError
    end

    %i[Request Response BasicResponse CertificateId SingleResponse].each do |name|
      const_set(name, Class.new {
        define_method(:initialize) { |*| raise NotImplementedError, "OpenSSL::OCSP is not supported" } })
    end
  end

  module Timestamp
    class TimestampError < OpenSSLError
    end

    %i[Request Response TokenInfo Factory].each do |name|
      const_set(name, Class.new {
        define_method(:initialize) { |*| raise NotImplementedError, "OpenSSL::Timestamp is not supported" } })
    end
  end

  class Provider
    class ProviderError < OpenSSLError
    end

    private_class_method :new
    def self.provider_names = ["default"]
    def self.load(name) = raise(NotImplementedError, "provider #{OpenSSL.__text(name)} is not supported")
  end
end
