# OpenSSL::OCSP: answers about the state of certificates (RFC 6960).
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module OCSP
    class SingleResponse
      attr_reader :certid, :cert_status, :this_update, :next_update

      # `SingleResponse.new(der)`
      def initialize(der)
        OCSP.__decode(der, "OCSP_SINGLERESP") do |structure, bytes|
          id, status, this_update, *rest = structure.value
          tags = OCSP.__tags(rest)
          @certid, @cert_status, @this_update = CertificateId.new(id), status.tag, this_update.value
          if @cert_status == V_CERTSTATUS_REVOKED
            @time = status.value[0].value
            @reason = status.value[1] ? status.value[1].value[0].value.to_i : REVOKED_STATUS_NOSTATUS
          end
          @next_update = tags[0][0].value if tags[0]
          @extensions = tags[1] ? OCSP.__extensions(tags[1][0].value) : []
          @der = bytes
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      def revocation_time
        raise OCSPError, "certificate is not revoked" unless @time
        @time
      end

      def revocation_reason
        raise OCSPError, "certificate is not revoked" unless @time
        @reason
      end

      def extensions = @extensions.map(&:dup)
      def to_der = @der.dup

      # `check_validity(tolerance = 0, age = -1) → true or false`: whether now is between the two updates, give or take
      # a number of seconds, and the last one is at most `age` seconds ago, unless that is negative.
      def check_validity(tolerance = 0, age = -1)
        now, tolerance, age = Time.now, Integer(tolerance), Integer(age)
        return false if @this_update > now + tolerance || age >= 0 && @this_update < now - age
        @next_update.nil? || @next_update >= now - tolerance && @next_update >= @this_update
      end

      # certificate, state, reason, time of revocation, updates, extensions: as in BasicResponse#status.
      def __row = [@certid.dup, @cert_status, @reason || 0, @time, @this_update, @next_update, extensions]
    end

    class BasicResponse
      include Nonces

      # `BasicResponse.new(der)`; an empty one without an argument.
      def initialize(der = (none = true; nil))
        @singles, @extensions, @certificates = [], [], []
        return if none
        OCSP.__decode(der, "OCSP_BASICRESP") do |structure, bytes|
          tbs, @algorithm, signature, certificates = structure.value
          @signature = signature.value
          @certificates = certificates.value[0].value.map { |one| X509::Certificate.new(one.to_der) } if certificates
          __read_data(tbs)
          @der = bytes
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      # `copy_nonce(request) → integer`: 1, or 2 if the request has none.
      def copy_nonce(request)
        OpenSSL.__check(request, Request, "OCSP/REQ")
        nonce = request.__nonce or return 2
        __add_nonce(nonce.dup)
        1
      end

      # `add_status(id, state, reason, revoked, this_update, next_update, extensions) → self`. Times are Times, or seconds
      # from now on.
      def add_status(id, state, reason, revoked, this_update, next_update, extensions)
        OpenSSL.__check(id, CertificateId, "OCSP/CERTID")
        state, reason = Integer(state), reason.nil? ? 0 : Integer(reason)
        parts = [id, __state(state, reason, revoked), __time(this_update)]
        parts << OCSP.__tagged(0, __time(next_update)) unless next_update.nil?
        extensions = extensions.to_a
        extensions.each { |one| OpenSSL.__check(one, X509::Extension, "X509/EXTENSION") }
        parts << OCSP.__tagged(1, ASN1::Sequence(extensions)) unless extensions.empty?
        @singles << SingleResponse.new(ASN1::Sequence(parts).to_der)
        @der = @tbs = nil
        self
      end

      def responses = @singles.map(&:dup)
      def find_response(id) = @singles.find { |single| single.certid.cmp(id) }&.dup

      # `status → array`: a row for each answer: certificate, state, reason, time of revocation, updates, extensions.
      def status = @singles.map(&:__row)

      # `sign(certificate, key, others = nil, flags = 0, digest = nil) → self`: with the certificate and the others,
      # unless they are nil.
      def sign(certificate, key, others = nil, flags = 0, digest = nil)
        flags = flags.to_i
        OpenSSL.__check(certificate, X509::Certificate, "X509")
        OCSP.__check_key(key, certificate, "OCSP_basic_sign")
        @certificates = others.nil? || flags & NOCERTS != 0 ? [] : [certificate, *others]
        @responder = flags & RESPID_KEY != 0 ?
          OCSP.__tagged(2, ASN1::OctetString(Digest.digest("SHA1", OCSP.__public_key_bits(certificate)))) :
          OCSP.__tagged(1, certificate.subject)
        @produced = __time(0) if flags & NOTIME == 0
        @tbs = __tbs
        @algorithm, @signature = OCSP.__signature(key, digest, @tbs)
        @der = nil
        self
      end

      # `verify(certificates, store, flags = 0) → true or false`: whether the issuer of the certificates, or someone it
      # trusts with that, has signed the answer.
      def verify(certificates, store, flags = 0)
        return false unless @signature && @responder
        unless (signer = certificates.find { |one| __responder?(one) })
          signer = @certificates.find { |one| __responder?(one) } if flags & NOINTERN == 0
          return false unless signer
        else
          flags |= NOVERIFY if flags & TRUSTOTHER != 0
        end
        unless flags & NOSIGS != 0
          return false unless X509.__verify(@algorithm, signer.public_key, @signature, @tbs || __tbs)
        end
        return true if flags & NOVERIFY != 0
        chain = OCSP.__chain(store, signer, @certificates + certificates, flags) or return false
        flags & NOCHECKS != 0 || __entitled?(chain)
      end

      def to_der
        return @der.dup if @der
        raise OCSPError, "i2d_OCSP_BASICRESP: not signed" unless @responder
        parts = [ASN1.decode(@tbs || __tbs), @algorithm, ASN1::BitString(@signature)]
        parts << OCSP.__tagged(0, ASN1::Sequence(@certificates)) unless @certificates.empty?
        (@der = ASN1::Sequence(parts).to_der).dup
      end

      private

      def __time(time) = ASN1::GeneralizedTime(Time === time ? time : Time.now + Integer(time))

      def __state(state, reason, revoked)
        case state
        when V_CERTSTATUS_GOOD, V_CERTSTATUS_UNKNOWN then return ASN1::ASN1Data.new("", state, :CONTEXT_SPECIFIC)
        when V_CERTSTATUS_REVOKED
          parts = [__time(revoked)]
          parts << OCSP.__tagged(0, ASN1::Enumerated(reason)) unless reason == REVOKED_STATUS_NOSTATUS
          ASN1::ASN1Data.new(parts, 1, :CONTEXT_SPECIFIC)
        else raise OCSPError, "OCSP_basic_add1_status: unknown status"
        end
      end

      def __responder?(certificate)
        return certificate.subject.to_der == @responder.value[0].to_der if @responder.tag == 1
        Digest.digest("SHA1", OCSP.__public_key_bits(certificate)) == @responder.value[0].value
      end

      # Whether the signer is the issuer, or its certificate, by the issuer, is for answers.
      def __entitled?(chain)
        return false if @singles.empty?
        ids = @singles.map(&:certid)
        signer, issuer = chain
        if issuer && ids.all? { |id| id.__of?(issuer) }
          usage = signer.extensions.find { |one| one.oid == "extendedKeyUsage" }
          return !usage.nil? && ASN1.decode(usage.value_der).value.any? { |one| one.sn == "OCSPSigning" }
        end
        ids.all? { |id| id.__of?(signer) }
      end

      def __tbs
        parts = [@responder, @produced || __time(0), ASN1::Sequence(@singles)]
        parts << OCSP.__tagged(1, ASN1::Sequence(@extensions)) unless @extensions.empty?
        ASN1::Sequence(parts).to_der
      end

      def __read_data(tbs)
        @tbs = tbs.to_der
        parts = tbs.value.dup
        parts.shift if parts[0].tag_class == :CONTEXT_SPECIFIC && parts[0].tag == 0
        @responder, @produced, singles, extensions = parts
        @singles = singles.value.map { |one| SingleResponse.new(one.to_der) }
        @extensions = OCSP.__extensions(extensions.value[0].value) if extensions
      end
    end

    class Response
      TEXTS = {
        0 => "successful", 1 => "malformedrequest", 2 => "internalerror", 3 => "trylater", 5 => "sigrequired",
        6 => "unauthorized"
      }.freeze
      private_constant :TEXTS
      attr_reader :status

      # `Response.create(status, basic or nil) → response`
      def self.create(status, basic)
        OpenSSL.__check(basic, BasicResponse, "OCSP/BASICRESP") unless basic.nil?
        parts = [ASN1::Enumerated(Integer(status))]
        if basic
          body = [ASN1::ObjectId("basicOCSPResponse"), ASN1::OctetString(basic.to_der)]
          parts << OCSP.__tagged(0, ASN1::Sequence(body))
        end
        new(ASN1::Sequence(parts).to_der)
      end

      # `Response.new(der)`; one without a body and with the status 0 without an argument.
      def initialize(der = ASN1::Sequence([ASN1::Enumerated(0)]).to_der)
        OCSP.__decode(der, "OCSP_RESPONSE") do |structure, bytes|
          @status = structure.value[0].value.to_i
          @body = structure.value[1]&.value&.first
          @der = bytes
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      def status_string = TEXTS.fetch(@status, "(UNKNOWN)").dup

      # `basic → basic_response or nil`
      def basic
        return nil unless @body && @body.value[0].sn == "basicOCSPResponse"
        BasicResponse.new(@body.value[1].value)
      end

      def to_der = @der.dup
    end
  end
end
