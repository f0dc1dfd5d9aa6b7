# Providers of OpenSSL. There is one implementation of each algorithm: loading a provider only records its name.

module OpenSSL
  class Provider
    class ProviderError < OpenSSLError
    end

    # How often each provider was loaded. The default one is loaded by OpenSSL itself.
    @loaded = { "default" => 1 }
    KNOWN = %w[default base null].freeze
    private_constant :KNOWN

    class << self
      def provider_names = @loaded.filter_map { |name, count| name if count > 0 }

      def load(name)
        name = OpenSSL.__text(name)
        raise ProviderError, "Failed to load #{name} provider" unless KNOWN.include?(name)
        @loaded[name] = @loaded.fetch(name, 0) + 1
        new(name)
      end

      private

      def __unload(name) = @loaded[name] -= 1
    end
    private_class_method :new

    def initialize(name)
      @name = name.dup.freeze
    end

    def name = @name || raise(ProviderError, "This provider is already unloaded.")

    def unload
      self.class.__send__(:__unload, name)
      @name = nil
      true
    end

    def inspect = @name ? "#<#{self.class} name=\"#{@name}\">" : "#<#{self.class} unloaded provider>"
  end
end
