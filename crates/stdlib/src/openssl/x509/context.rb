# OpenSSL::X509::StoreContext: a certificate, and the verification of its chain.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class StoreContext
      attr_reader :chain, :error, :error_depth, :current_cert, :current_crl

      def initialize(store, certificate = nil, chain = nil)
        raise TypeError, "wrong argument type #{store.class} (expected OpenSSL/X509/STORE)" unless Store === store
        unless certificate.nil? || Certificate === certificate
          raise TypeError, "wrong argument type #{certificate.class} (expected OpenSSL/X509)"
        end
        @store, @certificate, @untrusted = store, certificate, chain.to_a
        @flags, @purpose, @time = store.__settings
        @callback = store.verify_callback
        @error, @error_depth = V_OK, 0
      end

      undef_method :initialize_copy

      def __callback=(callback)
        @callback = callback
      end

      def error=(code)
        @error = Integer(code)
      end

      def error_string = X509.__code_text(@error)

      def flags=(flags)
        @flags |= Integer(flags)
      end

      def purpose=(purpose)
        purpose = Integer(purpose)
        raise StoreError, "X509_STORE_CTX_set_purpose: unknown purpose id" unless purpose.between?(1, 9)
        @purpose = purpose
      end

      def trust=(trust)
        Integer(trust)
      end

      def time=(time)
        @time = Integer(time)
      end

      # According to RFC 5280, section 6, with errors in OpenSSL's order.
      def verify
        raise StoreError, "X509_verify_cert: no cert set for us to verify" unless @certificate
        @error, @error_depth, @current_crl = V_OK, 0, nil
        fine = catch(:failed) do
          __build
          __check_extensions
          __check_names
          __check_revocation
          __check_signatures
          true
        end
        fine ? true : false
      end

      private

      def __fail(code, depth, certificate = @chain[depth])
        @error, @error_depth, @current_cert = code, depth, certificate
        throw :failed, false unless __ask(false)
      end

      # The result of the program's callback.
      def __ask(fine)
        return fine unless @callback
        begin
          answer = @callback.call(fine, self)
        rescue StandardError
          Kernel.warn "exception in verify_callback is ignored"
          answer = false
        end
        if answer
          @error = V_OK unless fine
          true
        else
          @error = V_ERR_CERT_REJECTED if @error == V_OK
          throw :failed, false if fine
          false
        end
      end

      # The chain from the certificate to a trust anchor.
      def __build
        @chain = [@certificate]
        trusted = __trusted_at(@certificate)
        until trusted
          last = @chain.last
          break if __self_issued?(last) && @chain.size > 1
          break if __self_issued?(last) && last.verify(last.public_key)
          issuer = __issuer(last, @store.__find(last.__issuer))
          if issuer
            @chain << issuer
            trusted = true
            trusted = false unless __self_issued?(issuer) || partial?
            next if !trusted && !@chain[0...-1].include?(issuer)
            break
          end
          issuer = __issuer(last, @untrusted) or break
          break if @chain.include?(issuer) || @chain.size > 100
          @chain << issuer
          trusted = __trusted_at(issuer)
        end
        return if trusted
        depth = @chain.size - 1
        if __self_issued?(@chain.last)
          depth == 0 ? __fail(V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, 0) : __fail(V_ERR_SELF_SIGNED_CERT_IN_CHAIN, depth)
        else
          __fail(V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, depth)
          __fail(V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, 0) if depth == 0
        end
      end

      def partial? = @flags & V_FLAG_PARTIAL_CHAIN != 0

      def __trusted_at(certificate)
        (partial? || __self_issued?(certificate)) && @store.__trusted?(certificate)
      end

      def __self_issued?(certificate) = certificate.__subject == certificate.__issuer

      # The issuer of a certificate; currently valid ones are preferred.
      def __issuer(certificate, candidates)
        fitting = candidates.select { |one| one.__subject == certificate.__issuer && one != certificate &&
          __identified?(certificate, one) }
        fitting.find { |one| __valid_now?(one) } || fitting.first
      end

      def __identified?(certificate, issuer)
        wanted = certificate.__extension("authorityKeyIdentifier")&.value&.find { |part| part.tag == 0 }&.value
        found = issuer.__extension("subjectKeyIdentifier")&.value
        wanted.nil? || found.nil? || wanted == found
      end

      def __now = @time ? Time.at(@time) : Time.now
      def __valid_now?(certificate) = certificate.not_before <= __now && __now <= certificate.not_after

      HANDLED = %w[
        basicConstraints keyUsage extendedKeyUsage subjectAltName issuerAltName subjectKeyIdentifier
        authorityKeyIdentifier certificatePolicies nameConstraints crlDistributionPoints policyConstraints
        policyMappings inhibitAnyPolicy nsCertType
      ].freeze
      private_constant :HANDLED

      def __check_extensions
        below = 0
        @chain.each_with_index do |certificate, depth|
          if @flags & V_FLAG_IGNORE_CRITICAL == 0 &&
            certificate.__extensions.any? { |e| e.critical? && !HANDLED.include?(e.oid) }
            __fail(V_ERR_UNHANDLED_CRITICAL_EXTENSION, depth)
          end
          __fail(V_ERR_INVALID_CA, depth) if depth > 0 && !__authority?(certificate)
          __fail(V_ERR_INVALID_PURPOSE, depth) if @purpose && !__fit?(certificate, depth > 0)
          length = __path_length(certificate)
          __fail(V_ERR_PATH_LENGTH_EXCEEDED, depth) if depth > 1 && length && below > length
          below += 1 unless depth == 0 || __self_issued?(certificate)
        end
      end

      def __constraints(certificate) = certificate.__extension("basicConstraints")&.value

      # Old root certificates do not have the extension.
      def __authority?(certificate)
        constraints = __constraints(certificate)
        return false if __usage(certificate)&.then { |bits| bits[5] != "1" }
        return ASN1::Boolean === constraints[0] && constraints[0].value if constraints
        certificate.version < 2 && __self_issued?(certificate) || !__usage(certificate).nil?
      end

      def __path_length(certificate) = __constraints(certificate)&.grep(ASN1::Integer)&.first&.value&.to_i
      def __usage(certificate) = certificate.__extension("keyUsage")&.value&.unpack1("B*")&.ljust(9, "0")

      EXTENDED = { 1 => %w[clientAuth], 2 => %w[serverAuth], 3 => %w[serverAuth], 4 => %w[emailProtection],
        5 => %w[emailProtection], 8 => [], 9 => %w[timeStamping] }.freeze
      USES = { 1 => [0, 4], 2 => [0, 2, 4], 3 => [2], 4 => [0, 1], 5 => [2], 6 => [6], 9 => [0, 1] }.freeze
      private_constant :EXTENDED, :USES

      def __fit?(certificate, authority)
        return true if @purpose == PURPOSE_ANY
        extended = certificate.__extension("extendedKeyUsage")&.value&.map(&:sn)
        wanted = EXTENDED[@purpose]
        return false if extended && wanted && !wanted.empty? && (extended & (wanted + %w[anyExtendedKeyUsage])).empty?
        return true if authority
        usage = __usage(certificate)
        return false if @purpose == PURPOSE_TIMESTAMP_SIGN && extended != %w[timeStamping]
        usage.nil? || USES[@purpose].nil? || USES[@purpose].any? { |bit| usage[bit] == "1" }
      end

      # Checks the name constraints of issuers against the names and addresses below them.
      def __check_names
        @chain.each_with_index do |authority, depth|
          next if depth == 0 || (constraints = authority.__extension("nameConstraints")&.value).nil?
          @chain.first(depth).each_with_index do |certificate, below|
            next if below > 0 && __self_issued?(certificate)
            code = __constrained(certificate, constraints)
            __fail(code, below) if code
          end
        end
      end

      def __constrained(certificate, constraints)
        names = certificate.__extension("subjectAltName")&.value.to_a.map { |name| [name.tag, name.value] }
        names << [4, [certificate.__subject]] unless certificate.__subject.to_a.empty?
        permitted, excluded = [0, 1]
          .map { |tag| constraints.find { |part| part.tag == tag }&.value.to_a.map { |tree| tree.value[0] } }
        names.each do |tag, value|
          same = ->(tree) { tree.tag == tag }
          if (permitted + excluded).any?(&same) && ![1, 2, 4, 6, 7].include?(tag)
            return V_ERR_UNSUPPORTED_CONSTRAINT_TYPE
          end
          return V_ERR_EXCLUDED_VIOLATION if excluded.select(&same).any? { |tree| __within?(tag, value, tree.value) }
          allowed = permitted.select(&same)
          unless allowed.empty? || allowed.any? { |tree| __within?(tag, value, tree.value) }
            return V_ERR_PERMITTED_VIOLATION
          end
        end
        nil
      end

      def __within?(tag, value, tree)
        case tag
        when 2 then tree.empty? || value.casecmp?(tree) ||
          value.downcase.end_with?(tree.start_with?(".") ? tree.downcase : ".#{tree.downcase}")
        when 1
          host = value[/@(.*)\z/, 1].to_s.downcase
          tree.include?("@") ? value.casecmp?(tree) : tree.start_with?(".") ? host.end_with?(tree.downcase) :
            host == tree.downcase
        when 6
          host = value[%r{\A[^:]+://(?:[^/@]*@)?([^/:?#]+)}, 1].to_s.downcase
          tree.start_with?(".") ? host.end_with?(tree.downcase) : host == tree.downcase
        when 7
          half = tree.bytesize / 2
          value.bytesize == half &&
            value.bytes.zip(tree.bytes.first(half), tree.bytes.last(half)).all? { |a, b, mask| a & mask == b & mask }
        when 4
          whole, start = [value[0], tree[0]]
            .map { |name| Name === name ? name.__canonical : Name.new(name).__canonical }
          whole.start_with?(start)
        end
      end

      def __check_revocation
        return if @flags & V_FLAG_CRL_CHECK == 0
        @chain.each_with_index do |certificate, depth|
          break if depth > 0 && @flags & V_FLAG_CRL_CHECK_ALL == 0
          crls = @store.__crls(certificate.__issuer)
          next __fail(V_ERR_UNABLE_TO_GET_CRL, depth) if crls.empty?
          crl = crls.max_by { |one| [__current?(one) ? 1 : 0, one.last_update] }
          @current_crl = crl
          issuer = @chain[depth + 1] || @chain[depth]
          __fail(V_ERR_KEYUSAGE_NO_CRL_SIGN, depth) if __usage(issuer)&.then { |bits| bits[6] != "1" }
          __fail(V_ERR_CRL_NOT_YET_VALID, depth) if crl.last_update > __now
          __fail(V_ERR_CRL_HAS_EXPIRED, depth) if crl.next_update && crl.next_update < __now
          __fail(V_ERR_CRL_SIGNATURE_FAILURE, depth) unless crl.verify(issuer.public_key)
          revoked = crl.__revoked.find { |one| one.serial == certificate.serial }
          if revoked && revoked.extensions.none? { |e| e.oid == "CRLReason" && e.value == "Remove From CRL" }
            __fail(V_ERR_CERT_REVOKED, depth)
          end
          @current_crl = nil
        end
      end

      def __current?(crl) = crl.last_update <= __now && (crl.next_update.nil? || crl.next_update >= __now)

      # From the top to the bottom: signature and time.
      def __check_signatures
        (@chain.size - 1).downto(0) do |depth|
          certificate, issuer = @chain[depth], @chain[depth + 1]
          if issuer || @flags & V_FLAG_CHECK_SS_SIGNATURE != 0 && __self_issued?(certificate)
            __check_signature(certificate, issuer || certificate, depth)
          end
          if @flags & V_FLAG_NO_CHECK_TIME == 0
            __fail(V_ERR_CERT_NOT_YET_VALID, depth) if certificate.not_before > __now
            __fail(V_ERR_CERT_HAS_EXPIRED, depth) if certificate.not_after < __now
          end
          @error_depth, @current_cert = depth, certificate
          __ask(true)
        end
      end

      def __check_signature(certificate, issuer, depth)
        key = begin
          issuer.public_key
        rescue CertificateError
          nil
        end
        return __fail(V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, depth) unless key
        __fail(V_ERR_CERT_SIGNATURE_FAILURE, depth) unless certificate.verify(key)
      end
    end
  end
end
