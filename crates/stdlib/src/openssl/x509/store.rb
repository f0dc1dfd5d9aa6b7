# OpenSSL::X509::Store: the trusted certificates.

module OpenSSL
  module X509
    class Store
      attr_reader :error, :error_string, :chain, :verify_callback

      def initialize(*arguments)
        warn "OpenSSL::X509::Store.new does not take any arguments", uplevel: 0 unless arguments.empty?
        @error = @error_string = @chain = @verify_callback = nil
        # The certificates by subject; each is a DER text until it is parsed.
        @certificates, @crls, @folders = {}, [], []
        @flags, @purpose, @trust, @time = 0, nil, nil, nil
        @lock = Thread::Mutex.new
      end

      undef_method :initialize_copy

      def verify_callback=(callback)
        @verify_callback = callback
      end

      # Defaults for the StoreContexts created later.
      %i[flags purpose trust].each do |name|
        define_method(:"#{name}=") do |number|
          number = Integer(number)
          raise StoreError, "X509_STORE_set_purpose: unknown purpose id" if name == :purpose && !number.between?(1, 9)
          number |= @flags if name == :flags
          instance_variable_set(:"@#{name}", number)
        end
      end

      def time=(time)
        @time = Integer(time)
      end

      def add_cert(certificate)
        unless Certificate === certificate
          raise TypeError, "wrong argument type #{certificate.class} (expected OpenSSL/X509)"
        end
        __add(certificate.subject.to_der, certificate)
        self
      end

      def add_crl(crl)
        raise TypeError, "wrong argument type #{crl.class} (expected OpenSSL/X509/CRL)" unless CRL === crl
        @crls << crl
        self
      end

      def add_file(path)
        text = File.binread(path)
        found = 0
        PKey.__blocks(text).each do |label, _, der|
          case label
          when "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE" then __add(X509.__names(der)[1], der)
          when "X509 CRL" then add_crl(CRL.new(der))
          else next
          end
          found += 1
        end
        raise StoreError, "X509_LOOKUP_load_file: no certificate or crl found" if found == 0
        self
      rescue SystemCallError
        raise StoreError, "X509_LOOKUP_load_file: system lib (calling fopen(#{path}, r))"
      rescue ASN1::ASN1Error, CRLError
        raise StoreError, "X509_LOOKUP_load_file: PEM lib"
      end

      # A folder whose files are named by the hashes of their subjects.
      def add_path(path)
        @folders << path.to_path.dup if path.respond_to?(:to_path)
        @folders << OpenSSL.__text(path).dup unless path.respond_to?(:to_path)
        self
      end

      def set_default_paths
        file = ENV[DEFAULT_CERT_FILE_ENV] ||
          [DEFAULT_CERT_FILE, "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"].find { |one| File.file?(one) }
        folder = ENV[DEFAULT_CERT_DIR_ENV] || [DEFAULT_CERT_DIR, "/etc/ssl/certs"].find { |one| File.directory?(one) }
        @late_file = file if file && File.file?(file)
        folder&.split(File::PATH_SEPARATOR)&.each { |one| @folders << one if File.directory?(one) }
        nil
      end

      # `verify(certificate, chain = nil) { |fine, context| … } → true or false`
      def verify(certificate, chain = nil, &block)
        context = StoreContext.new(self, certificate, chain)
        context.__callback = block || @verify_callback
        fine = context.verify
        @error, @error_string, @chain = context.error, context.error_string, context.chain
        fine
      end

      def __settings = [@flags, @purpose, @time]

      # The certificates with a subject. Those of the system are read on first use.
      def __find(name)
        der = name.to_der
        @lock.synchronize do
          if (file = @late_file)
            @late_file = nil
            PKey.__blocks(File.binread(file))
              .each { |label, _, bytes| __add(X509.__names(bytes)[1], bytes) if label == "CERTIFICATE" }
          end
          found = @certificates[der] || __alike(name)
          found = __look_up(name) if found.nil?
          found ? found.map! { |one| Certificate === one ? one : Certificate.new(one) } : []
        end
      end

      def __crls(name) = @crls.select { |crl| crl.issuer == name } +
        __files(name, "r").filter_map { |file| CRL.new(File.binread(file)) rescue nil }
      def __trusted?(certificate) = __find(certificate.__subject).any? { |one| one == certificate }

      private

      def __add(subject, certificate)
        list = (@certificates[subject] ||= [])
        unless list.any? { |one| (Certificate === one ? one.to_der :
          one) == (Certificate === certificate ? certificate.to_der : certificate) }
          list << certificate
        end
      end

      # The name in canonical form.
      def __alike(name)
        wanted = name.__canonical
        key = @certificates.each_key.find { |der| der.bytesize.between?(wanted.bytesize / 2, wanted.bytesize * 4 + 8) &&
          Name.new(der).__canonical == wanted }
        key && @certificates[key]
      end

      def __files(name, kind)
        @folders.flat_map do |folder|
          base = File.join(folder, format("%08x.%s", name.hash, kind))
          (0..).lazy.map { |i| "#{base}#{i}" }.take_while { |file| File.file?(file) }.to_a
        end
      end

      def __look_up(name)
        list = __files(name, "").flat_map { |file| Certificate.load(File.binread(file)) rescue [] }
        list.empty? ? nil : @certificates[name.to_der] = list
      end
    end
  end
end
