# OpenSSL::Timestamp: answers with tokens, their verification, and what makes them (RFC 3161).
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module Timestamp
    CONTENT = "1.2.840.113549.1.9.16.1.4"
    SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12"
    SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47"
    private_constant :CONTENT, :SIGNING_CERTIFICATE, :SIGNING_CERTIFICATE_V2

    class Response
      GRANTED, GRANTED_WITH_MODS, REJECTION, WAITING, REVOCATION_WARNING, REVOCATION_NOTIFICATION = *0..5
      STATES = ["Granted.", "Granted with modifications.", "Rejected.", "Waiting.", "Revocation warning.",
        "Revoked."].freeze
      # The bits of failures: names and descriptions.
      FAILURES = {
        0 => [:BAD_ALG, "unrecognized or unsupported algorithm identifier"],
        2 => [:BAD_REQUEST, "transaction not permitted or supported"],
        5 => [:BAD_DATA_FORMAT, "the data submitted has the wrong format"],
        14 => [:TIME_NOT_AVAILABLE, "the TSA's time source is not available"],
        15 => [:UNACCEPTED_POLICY, "the requested TSA policy is not supported by the TSA"],
        16 => [:UNACCEPTED_EXTENSION, "the requested extension is not supported by the TSA"],
        17 => [
          :ADD_INFO_NOT_AVAILABLE,
          "the additional information requested could not be understood or is not available"
        ],
        25 => [:SYSTEM_FAILURE, "the request cannot be handled due to system failure"]
      }.freeze
      private_constant :STATES, :FAILURES

      # `Response.new(der)`
      def initialize(der)
        Timestamp.__decode(der, "response") do |structure, bytes|
          state, token = structure.value
          number, *rest = state.value
          @status = number.value.to_i
          @texts = rest.grep(ASN1::Sequence).flat_map { |list| list.value.map(&:value) }
          bits = rest.grep(ASN1::BitString).first&.value
          @failure = bits && FAILURES.keys.find { |bit| bits.getbyte(bit / 8).to_i[7 - bit % 8] == 1 }
          __read_token(token) if token
          @der = bytes
        end
      end

      def initialize_copy(other)
        initialize(other.to_der)
      end

      def status = BN.new(@status)
      def status_text = @texts.map(&:dup)
      def failure_info = @failure && FAILURES[@failure][0]
      def token = @token && PKCS7.new(@token)
      def token_info = @info && TokenInfo.new(@info)
      def to_der = @der.dup

      # The certificate of the authority, if the token has it.
      def tsa_certificate = @signer && __signer(@certificates)&.dup

      def to_text
        texts = @texts.empty? ? "unspecified" : @texts.join("\n    ")
        failure = @failure ? FAILURES[@failure][1] : "unspecified"
        "Status info:\nStatus: #{STATES[@status] || "out of bounds"}\nStatus description: #{texts}\n" \
          "Failure info: #{failure}\n\nTST info:\n#{@info ? TokenInfo.new(@info).to_text : "Not included.\n"}"
      end

      # `verify(request, store, intermediates = nil) → self`: TimestampError unless the answer is one to the request, of
      # an authority that the store trusts.
      def verify(request, store, intermediates = nil)
        OpenSSL.__check(request, Request, "Timestamp/Request")
        OpenSSL.__check(store, X509::Store, "X509/STORE")
        others = __certificates(intermediates)
        raise TimestampError, "TS_RESP_get_token" unless @token
        __wrong("unsupported status code") unless @status <= GRANTED_WITH_MODS
        known = @certificates + others
        signer = __signer(known) or __wrong("signer certificate not found")
        __check_trust(store, signer, known)
        __wrong("signature failure") unless @signer.__signed?(@info, signer)
        __wrong("ess signing certificate error") unless __named?(signer)
        __check_content(request)
        self
      end

      private

      def __wrong(text) = raise(TimestampError, "TS_RESP_verify_response: #{text}")

      def __certificates(list)
        return [] if list.nil?
        raise TypeError, "no implicit conversion of #{list.class} into Array" unless list.respond_to?(:to_ary)
        list.to_ary.each { |one| OpenSSL.__check(one, X509::Certificate, "X509") }
      end

      def __read_token(structure)
        @token = structure.to_der
        _, _, content, *rest = structure.value[1].value[0].value
        raise ArgumentError unless content.value[0].oid == CONTENT
        bytes = content.value[1].value[0].value
        @info = Array === bytes ? bytes.map(&:value).join : bytes
        TokenInfo.new(@info)
        list = rest.find { |part| part.tag_class == :CONTEXT_SPECIFIC && part.tag == 0 }
        @certificates = (list ? list.value : []).map { |one| X509::Certificate.new(one.to_der) }
        @signature = rest.last.value[0]
        @signer = PKCS7::SignerInfo.__of(@signature)
      end

      def __signer(certificates)
        certificates.find { |one| one.serial == @signer.serial && one.issuer == @signer.issuer }
      end

      def __check_trust(store, signer, others)
        context = X509::StoreContext.new(store, signer, others - [signer])
        context.purpose = X509::PURPOSE_TIMESTAMP_SIGN
        return if context.verify
        __wrong("certificate verify error (Verify error:#{context.error_string})")
      end

      # Whether the signed attributes name the certificate by its digest.
      def __named?(certificate)
        attributes = @signature.value.find { |part| part.tag_class == :CONTEXT_SPECIFIC && part.tag == 0 }
        return false unless attributes
        attributes.value.any? do |attribute|
          identity = attribute.value[1].value[0].value[0].value[0] rescue next
          case attribute.value[0].oid
          when SIGNING_CERTIFICATE
            identity.value[0].value == Digest.digest("SHA1", certificate.to_der)
          when SIGNING_CERTIFICATE_V2
            own = ASN1::Sequence === identity.value[0]
            digest = own ? identity.value[0].value[0].sn : "SHA256"
            identity.value[own ? 1 : 0].value == Digest.digest(digest, certificate.to_der)
          end
        end
      end

      def __check_content(request)
        info = TokenInfo.new(@info)
        __wrong("unsupported version") unless info.version == 1
        __wrong("policy mismatch") if request.policy_id && request.policy_id != info.policy_id
        unless request.algorithm == info.algorithm && request.message_imprint == info.message_imprint
          __wrong("message imprint mismatch")
        end
        return unless (nonce = request.nonce)
        __wrong("nonce not returned") unless info.nonce
        __wrong("nonce mismatch") unless info.nonce == nonce
      end
    end

    # Makes answers for an authority.
    class Factory
      attr_accessor :allowed_digests, :default_policy_id, :serial_number, :gen_time, :additional_certs

      # `create_timestamp(key, certificate, request) → response`
      def create_timestamp(key, certificate, request)
        OpenSSL.__check(request, Request, "Timestamp/Request")
        raise ArgumentError, "private key is needed" if key.respond_to?(:private?) && !key.private?
        serial, policy = __fields(request)
        digests = __digests
        __check_purpose(certificate)
        unless certificate.check_private_key(key)
          raise TimestampError, "PKCS7_sign: private key does not match certificate"
        end
        reason = __objection(request, digests)
        return __rejection(*reason) if reason
        info = __info(request, serial, policy)
        granted = ASN1::Sequence([ASN1::Integer(Response::GRANTED)])
        Response.new(ASN1::Sequence([granted, __token(info, key, certificate, request)]).to_der)
      end

      private

      def __fields(request)
        request.to_der
        raise TimestampError, "@gen_time must be a Time." unless Time === @gen_time
        raise TimestampError, "@serial_number must be set." if @serial_number.nil?
        unless ::Integer === @serial_number || BN === @serial_number
          raise TypeError, "Cannot convert into OpenSSL::BN"
        end
        policy = request.__policy
        if policy.nil?
          raise TimestampError, "No policy id in the request and no default policy set" if @default_policy_id.nil?
          policy = ASN1::ObjectId(OpenSSL.__text(@default_policy_id))
        end
        [@serial_number, policy]
      end

      def __digests
        return [] unless Array === @allowed_digests
        @allowed_digests.map do |one|
          unless ::String === one || Digest === one
            raise TypeError, "wrong argument type #{OpenSSL.__kind(one)} (expected String)"
          end
          ASN1::ObjectId(PKey.__digest_name(one)).oid
        end
      end

      # RFC 3161, 2.3: the only extended usage of the key, critical, is to stamp.
      def __check_purpose(certificate)
        OpenSSL.__check(certificate, X509::Certificate, "X509")
        usage = certificate.extensions.find { |one| one.oid == "extendedKeyUsage" }
        return if usage&.critical? && ASN1.decode(usage.value_der).value.map(&:sn) == ["timeStamping"]
        raise TimestampError,
          "Certificate does not contain the timestamping extension: invalid signer certificate purpose"
      end

      # Why the request is rejected: a text and the bit of the failure.
      def __objection(request, digests)
        return ["Bad request version.", 2] unless request.version == 1
        return ["Message digest algorithm is not supported.", 0] unless digests.include?(request.__algorithm.oid)
        length = Digest.new(request.__algorithm.sn).digest_length
        return ["Bad message digest.", 5] unless request.message_imprint.bytesize == length
      end

      def __rejection(text, bit)
        bits = ASN1::BitString([1 << (7 - bit)].pack("C"))
        bits.unused_bits = 7 - bit
        parts = [ASN1::Integer(Response::REJECTION), ASN1::Sequence([ASN1::UTF8String(text)]), bits]
        Response.new(ASN1::Sequence([ASN1::Sequence(parts)]).to_der)
      end

      def __info(request, serial, policy)
        imprint = ASN1.decode(request.to_der).value[1]
        parts = [ASN1::Integer(1), policy, imprint, ASN1::Integer(serial), ASN1::GeneralizedTime(@gen_time)]
        parts << ASN1::Integer(request.nonce) if request.nonce
        ASN1::Sequence(parts).to_der
      end

      def __token(info, key, certificate, request)
        content = [ASN1::ObjectId(CONTENT), Timestamp.__tagged(0, ASN1::OctetString(info))]
        digest = ASN1::Sequence([ASN1::ObjectId("SHA256"), ASN1::Null(nil)])
        parts = [ASN1::Integer(3), ASN1::Set([digest]), ASN1::Sequence(content)]
        if request.cert_requested?
          parts << ASN1::ASN1Data.new([certificate, *@additional_certs], 0, :CONTEXT_SPECIFIC)
        end
        attributes = __attributes(info, certificate)
        signature = key.sign(key.oid == "ED25519" ? nil : "SHA256", ASN1::Set(attributes).to_der)
        algorithm = key.oid == "rsaEncryption" ? ASN1::Sequence([ASN1::ObjectId(key.oid), ASN1::Null(nil)]) :
          X509.__signature_algorithm(key, "SHA256")
        parts << ASN1::Set([ASN1::Sequence([
          ASN1::Integer(1), ASN1::Sequence([certificate.issuer, ASN1::Integer(certificate.serial)]), digest,
          ASN1::ASN1Data.new(attributes, 0, :CONTEXT_SPECIFIC), algorithm, ASN1::OctetString(signature)
        ])])
        ASN1::Sequence([ASN1::ObjectId("pkcs7-signedData"), Timestamp.__tagged(0, ASN1::Sequence(parts))])
      end

      # The signed attributes in the order of their bytes, as in a SET.
      def __attributes(info, certificate)
        named = ASN1::Sequence([ASN1::OctetString(Digest.digest("SHA1", certificate.to_der))])
        values = {
          "contentType" => ASN1::ObjectId(CONTENT), "signingTime" => ASN1::UTCTime(Time.now),
          SIGNING_CERTIFICATE => ASN1::Sequence([ASN1::Sequence([named])]),
          "messageDigest" => ASN1::OctetString(Digest.digest("SHA256", info))
        }
        values.map { |name, value| ASN1::Sequence([ASN1::ObjectId(name), ASN1::Set([value])]).to_der }.sort
          .map { |row| ASN1.decode(row) }
      end
    end
  end
end
