# OpenSSL::SSL::SSLContext: the settings of connections. The first connection freezes it.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module SSL
    class SSLContext
      undef_method :initialize_copy

      attr_accessor :cert, :key, :client_ca, :ca_file, :ca_path, :timeout, :verify_mode, :verify_depth,
      :verify_callback,
                    :cert_store, :extra_chain_cert, :client_cert_cb, :session_id_context, :session_get_cb,
                    :session_new_cb,
                    :session_remove_cb, :renegotiation_cb, :alpn_protocols, :alpn_select_cb, :npn_protocols,
                    :npn_select_cb,
                    :keylog_cb, :verify_hostname
      alias_method :ssl_timeout, :timeout
      alias_method :ssl_timeout=, :timeout=

      VERSIONS = { "SSL2" => 2, "SSL3" => 0x300, "TLS1" => 0x301, "TLS1_1" => 0x302, "TLS1_2" => 0x303,
        "TLS1_3" => 0x304 }.freeze
      DEFAULT_OPTIONS = OP_ENABLE_MIDDLEBOX_COMPAT | OP_NO_COMPRESSION
      PROTOCOLS = { "None" => 0, "SSLv3" => 0x300, "TLSv1" => 0x301, "TLSv1.1" => 0x302, "TLSv1.2" => 0x303,
        "TLSv1.3" => 0x304 }.freeze

      # What the file that OPENSSL_CONF names sets for all contexts: openssl.cnf(5), `system_default`.
      SYSTEM =
        begin
          config = Config.new(ENV["OPENSSL_CONF"]) if File.file?(ENV["OPENSSL_CONF"].to_s)
          section = config&.get_value("default", "openssl_conf")
          section &&= config.get_value(section, "ssl_conf")
          section &&= config.get_value(section, "system_default")
          section ? config[section] : {}
        rescue ConfigError
          {}
        end.freeze
      private_constant :VERSIONS, :DEFAULT_OPTIONS, :PROTOCOLS, :SYSTEM

      def options = @options || __default_options

      # nil sets all options.
      def options=(options)
        __check
        @options = options.nil? ? OP_ALL : Integer(options)
      end

      def session_cache_mode = @session_cache_mode || SESSION_CACHE_SERVER
      def session_cache_size = @session_cache_size || 20480
      def security_level = @security_level || 2
      def session_cache_mode=(mode)
        @session_cache_mode = Integer(mode)
      end

      def session_cache_size=(size)
        @session_cache_size = Integer(size)
      end

      def security_level=(level)
        __check
        @security_level = Integer(level)
      end

      # Groups and signature algorithms are rustls' own.
      %i[groups sigalgs client_sigalgs].each do |name|
        define_method(:"#{name}=") do |list|
          __check
          OpenSSL.__text(list)
        end
      end
      alias_method :ecdh_curves=, :groups=

      def min_version=(version)
        __check
        @least = __version(version)
      end

      def max_version=(version)
        __check
        @highest = __version(version)
      end

      # rustls has no finite-field Diffie-Hellman; the parameters are stored without effect.
      attr_accessor :tmp_dh_callback

      def tmp_dh=(key)
        __check
        raise TypeError, "wrong argument type #{key.class} (expected OpenSSL/EVP_PKEY)" unless PKey::PKey === key
        raise SSLError, "invalid pkey type #{key.oid} (expected dhKeyAgreement)" unless PKey::DH === key
        @tmp_dh = key
      end

      def enable_fallback_scsv = nil
      def session_add(session)
        return false unless Session === session && !__cached.key?(session.id)
        __cached.shift if session_cache_size > 0 && __cached.size >= session_cache_size
        __cached[session.id] = session
        true
      end

      def session_remove(session) = Session === session && !__cached.delete(session.id).nil?

      def flush_sessions(time = nil)
        limit = time ? time.to_i : Time.now.to_i
        __cached.delete_if { |_, session| session.time.to_i + session.timeout < limit }
        self
      end

      # The sessions of the cache, and the number of connections as a client: both change after the context is frozen.
      def __cached = @cached ||= {}
      def __connected = (@connected ||= [0])[0] += 1

      def session_cache_stats
        connected = @connected.to_a.sum
        %i[
          cache_num connect connect_good connect_renegotiate accept accept_good accept_renegotiate cache_hits cb_hits
          cache_misses cache_full timeouts
        ].to_h { |name| [name, 0] }.merge(cache_num: __cached.size, connect: connected, connect_good: connected)
      end

      # `[[name, version, bits, bits of the algorithm], …]`
      def ciphers = SSL.__send__(:__suites).select { |name, version,| __suite?(name, version) }

      def ciphers=(list)
        __check
        return list if list.nil?
        @suites = __chosen(list)
      end

      def ciphersuites=(list)
        __check
        return list if list.nil?
        names = __words(list)
        known = SSL.__send__(:__suites).filter_map { |name, version,| name if version == "TLSv1.3" }
        unknown = names - known - %w[TLS_AES_128_CCM_SHA256 TLS_AES_128_CCM_8_SHA256]
        raise SSLError, "SSL_CTX_set_ciphersuites: no cipher match" unless unknown.empty?
        @newest_suites = names & known
      end

      # Adds a certificate with its key and intermediate certificates.
      def add_certificate(certificate, key, extra = nil)
        __check
        unless X509::Certificate === certificate
          raise TypeError, "wrong argument type #{certificate.class} (expected OpenSSL/X509)"
        end
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        raise ArgumentError, "public key mismatch" unless certificate.check_private_key(key)
        (@certificates ||= []) << __pair([certificate, *extra], key)
        self
      end

      # Prepares and freezes the context; nil if that is already done.
      def setup
        return if frozen?
        @store = cert_store || X509::Store.new
        @store.add_file(ca_file) if ca_file
        @store.add_path(ca_path) if ca_path
        pairs = @certificates || []
        if cert && key
          raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
          raise SSLError, "SSL_CTX_use_PrivateKey: key values mismatch" unless cert.check_private_key(key)
          pairs = [__pair(__chain(cert), key)] + pairs
        end
        @pairs = pairs
        @sessions = SSL.__send__(:__store, true)
        @cached ||= {}
        @connected = [0]
        Kernel.instance_method(:freeze).bind_call(self)
        true
      rescue X509::StoreError => error
        raise SSLError, "SSL_CTX_load_verify_file: #{error.message}"
      end

      alias_method :freeze, :setup

      # The settings for a connection, and its trust anchors.
      def __settings(pairs, protocols, asking)
        names = SSL.__send__(:__suites).filter_map { |name, version,| name if __suite?(name, version) }
        names = (@newest_suites || names.select { |name| name.start_with?("TLS_") }) + (@suites ||
          names.reject { |name| name.start_with?("TLS_") })
        least = @least || PROTOCOLS.fetch(SYSTEM["MinProtocol"], 0)
        highest = @highest || PROTOCOLS.fetch(SYSTEM["MaxProtocol"], 0)
        least = 0x304 if options & OP_NO_TLSv1_2 != 0 && least < 0x304
        highest = 0x303 if options & OP_NO_TLSv1_3 != 0 && (highest == 0 || highest > 0x303)
        authorities = [*client_ca].map { |certificate| certificate.subject.to_der }
        [least, highest, names, protocols.to_a, pairs || @pairs, asking, authorities, !!keylog_cb]
      end

      def __trusted = @store
      def __sessions = @sessions
      def __pair(chain, key)
        der = chain.map(&:to_der)
        problem = SSL.__send__(:__usable, der, key.private_to_der)
        raise NotImplementedError, "TLS with this kind of key (#{key.oid}) is not supported: #{problem}" if problem
        [der, key.private_to_der]
      end

      private

      # Options that the system's settings change: a name, with `-` the opposite.
      def __default_options
        SYSTEM["Options"].to_s.split(",").reduce(DEFAULT_OPTIONS) do |options, word|
          name, on = word.strip.delete_prefix("-"), !word.strip.start_with?("-")
          bit, is_set =
            case name
            when "SessionTicket" then [OP_NO_TICKET, !on]
            when "Compression" then [OP_NO_COMPRESSION, !on]
            when "ServerPreference" then [OP_CIPHER_SERVER_PREFERENCE, on]
            when "MiddleboxCompat" then [OP_ENABLE_MIDDLEBOX_COMPAT, on]
            else next options
            end
          is_set ? options | bit : options & ~bit
        end
      end

      def __check
        raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
      end

      # The standard library of Ruby 3.4 calls this method.
      def set_minmax_proto_version(least, highest)
        __check
        @least, @highest = __version(least), __version(highest)
      end

      def __version(version)
        case version
        when nil then 0
        when ::Integer then version
        else
          name = version.is_a?(Symbol) ? version.name : OpenSSL.__text(version)
          VERSIONS[name] or raise ArgumentError, "unrecognized version #{name.inspect}"
        end
      end

      def __suite?(name, version)
        version == "TLSv1.3" ? @newest_suites.nil? || @newest_suites.include?(name) :
          @suites.nil? || @suites.include?(name)
      end

      def __words(list)
        list = list.map { |entry| String(Array === entry ? entry[0] : entry) }.join(":") if Array === list
        list = OpenSSL.__text(list)
        raise ArgumentError, "string contains null byte" if list.include?("\0")
        list.split(/[:, ;]+/).reject(&:empty?)
      end

      # The suites selected by the words of `openssl ciphers`, among the supported ones of TLS 1.2.
      def __chosen(list)
        all = SSL.__send__(:__suites).filter_map { |name, version,| name if version == "TLSv1.2" }
        words = __words(list)
        chosen = []
        words.each do |word|
          next if word.start_with?("@")
          sign = word[/\A[!+-]/]
          found = all.select { |name| word.delete_prefix(sign.to_s).split("+").all? { |part| __among?(name, part) } }
          case sign
          when "!" then all -= found
                        chosen -= found
          when "-" then chosen -= found
          when "+" then chosen = (chosen - found) + (chosen & found)
          else chosen |= found
          end
        end
        newest = words.any? { |word| word.start_with?("TLS_") }
        raise SSLError, "SSL_CTX_set_cipher_list: no cipher match" if chosen.empty? && !newest
        chosen
      end

      def __among?(name, word)
        case word
        when "ALL", "DEFAULT", "HIGH", "COMPLEMENTOFDEFAULT", "TLSv1.2", "FIPS" then true
        when "ECDHE", "EECDH", "kECDHE", "kEECDH", "ECDH" then name.start_with?("ECDHE")
        when "aRSA", "RSA" then word == "aRSA" && name.include?("-RSA-")
        when "aECDSA", "ECDSA" then name.include?("-ECDSA-")
        when "AESGCM", "AES" then name.include?("AES")
        when "AES128" then name.include?("AES128")
        when "AES256" then name.include?("AES256")
        when "CHACHA20" then name.include?("CHACHA20")
        when "SHA256" then name.end_with?("SHA256")
        when "SHA384" then name.end_with?("SHA384")
        else name == word
        end
      end

      # The certificate, completed with the known issuers to a chain, as OpenSSL does it.
      def __chain(certificate)
        return [certificate, *extra_chain_cert] if extra_chain_cert
        chain = [certificate]
        until chain.last.subject == chain.last.issuer || chain.size > 10
          issuer = @store.__find(chain.last.issuer).find { |one| chain.last.verify(one.public_key) } or break
          chain << issuer
        end
        chain
      end
    end
  end
end
