# OpenSSL::X509: constants, and the messages of verification codes.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module X509
    class CertificateError < OpenSSLError
    end

    class CRLError < OpenSSLError
    end

    class ExtensionError < OpenSSLError
    end

    class NameError < OpenSSLError
    end

    class AttributeError < OpenSSLError
    end

    class RequestError < OpenSSLError
    end

    class RevokedError < OpenSSLError
    end

    class StoreError < OpenSSLError
    end

    # Numbers and messages of verification results.
    CODES = {
      V_OK: [0, "ok"],
      V_ERR_UNSPECIFIED: [1, "unspecified certificate verification error"],
      V_ERR_UNABLE_TO_GET_ISSUER_CERT: [2, "unable to get issuer certificate"],
      V_ERR_UNABLE_TO_GET_CRL: [3, "unable to get certificate CRL"],
      V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: [4, "unable to decrypt certificate's signature"],
      V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE: [5, "unable to decrypt CRL's signature"],
      V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: [6, "unable to decode issuer public key"],
      V_ERR_CERT_SIGNATURE_FAILURE: [7, "certificate signature failure"],
      V_ERR_CRL_SIGNATURE_FAILURE: [8, "CRL signature failure"],
      V_ERR_CERT_NOT_YET_VALID: [9, "certificate is not yet valid or the system clock is incorrect"],
      V_ERR_CERT_HAS_EXPIRED: [10, "certificate has expired"],
      V_ERR_CRL_NOT_YET_VALID: [11, "CRL is not yet valid"],
      V_ERR_CRL_HAS_EXPIRED: [12, "CRL has expired"],
      V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD: [13, "format error in certificate's notBefore field"],
      V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD: [14, "format error in certificate's notAfter field"],
      V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD: [15, "format error in CRL's lastUpdate field"],
      V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD: [16, "format error in CRL's nextUpdate field"],
      V_ERR_OUT_OF_MEM: [17, "out of memory"],
      V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: [18, "self-signed certificate"],
      V_ERR_SELF_SIGNED_CERT_IN_CHAIN: [19, "self-signed certificate in certificate chain"],
      V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [20, "unable to get local issuer certificate"],
      V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: [21, "unable to verify the first certificate"],
      V_ERR_CERT_CHAIN_TOO_LONG: [22, "certificate chain too long"],
      V_ERR_CERT_REVOKED: [23, "certificate revoked"],
      V_ERR_PATH_LENGTH_EXCEEDED: [25, "path length constraint exceeded"],
      V_ERR_INVALID_PURPOSE: [26, "unsuitable certificate purpose"],
      V_ERR_CERT_UNTRUSTED: [27, "certificate not trusted"],
      V_ERR_CERT_REJECTED: [28, "certificate rejected"],
      V_ERR_SUBJECT_ISSUER_MISMATCH: [29, "subject issuer mismatch"],
      V_ERR_AKID_SKID_MISMATCH: [30, "authority and subject key identifier mismatch"],
      V_ERR_AKID_ISSUER_SERIAL_MISMATCH: [31, "authority and issuer serial number mismatch"],
      V_ERR_KEYUSAGE_NO_CERTSIGN: [32, "key usage does not include certificate signing"],
      V_ERR_UNABLE_TO_GET_CRL_ISSUER: [33, "unable to get CRL issuer certificate"],
      V_ERR_UNHANDLED_CRITICAL_EXTENSION: [34, "unhandled critical extension"],
      V_ERR_KEYUSAGE_NO_CRL_SIGN: [35, "key usage does not include CRL signing"],
      V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION: [36, "unhandled critical CRL extension"],
      V_ERR_INVALID_NON_CA: [37, "invalid non-CA certificate (has CA markings)"],
      V_ERR_PROXY_PATH_LENGTH_EXCEEDED: [38, "proxy path length constraint exceeded"],
      V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE: [39, "key usage does not include digital signature"],
      V_ERR_PROXY_CERTIFICATES_NOT_ALLOWED: [40, "proxy certificates not allowed, please set the appropriate flag"],
      V_ERR_INVALID_EXTENSION: [41, "invalid or inconsistent certificate extension"],
      V_ERR_INVALID_POLICY_EXTENSION: [42, "invalid or inconsistent certificate policy extension"],
      V_ERR_NO_EXPLICIT_POLICY: [43, "no explicit policy"],
      V_ERR_DIFFERENT_CRL_SCOPE: [44, "different CRL scope"],
      V_ERR_UNSUPPORTED_EXTENSION_FEATURE: [45, "unsupported extension feature"],
      V_ERR_UNNESTED_RESOURCE: [46, "RFC 3779 resource not subset of parent's resources"],
      V_ERR_PERMITTED_VIOLATION: [47, "permitted subtree violation"],
      V_ERR_EXCLUDED_VIOLATION: [48, "excluded subtree violation"],
      V_ERR_SUBTREE_MINMAX: [49, "name constraints minimum and maximum not supported"],
      V_ERR_APPLICATION_VERIFICATION: [50, "application verification failure"],
      V_ERR_UNSUPPORTED_CONSTRAINT_TYPE: [51, "unsupported name constraint type"],
      V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX: [52, "unsupported or invalid name constraint syntax"],
      V_ERR_UNSUPPORTED_NAME_SYNTAX: [53, "unsupported or invalid name syntax"],
      V_ERR_CRL_PATH_VALIDATION_ERROR: [54, "CRL path validation error"],
      V_ERR_PATH_LOOP: [55, "path loop"],
      V_ERR_SUITE_B_INVALID_VERSION: [56, "Suite B: certificate version invalid"],
      V_ERR_SUITE_B_INVALID_ALGORITHM: [57, "Suite B: invalid public key algorithm"],
      V_ERR_SUITE_B_INVALID_CURVE: [58, "Suite B: invalid ECC curve"],
      V_ERR_SUITE_B_INVALID_SIGNATURE_ALGORITHM: [59, "Suite B: invalid signature algorithm"],
      V_ERR_SUITE_B_LOS_NOT_ALLOWED: [60, "Suite B: curve not allowed for this LOS"],
      V_ERR_SUITE_B_CANNOT_SIGN_P_384_WITH_P_256: [61, "Suite B: cannot sign P-384 with P-256"],
      V_ERR_HOSTNAME_MISMATCH: [62, "hostname mismatch"],
      V_ERR_EMAIL_MISMATCH: [63, "email address mismatch"],
      V_ERR_IP_ADDRESS_MISMATCH: [64, "IP address mismatch"],
      V_ERR_DANE_NO_MATCH: [65, "no matching DANE TLSA records"],
      V_ERR_EE_KEY_TOO_SMALL: [66, "EE certificate key too weak"],
      V_ERR_CA_KEY_TOO_SMALL: [67, "CA certificate key too weak"],
      V_ERR_CA_MD_TOO_WEAK: [68, "CA signature digest algorithm too weak"],
      V_ERR_INVALID_CALL: [69, "invalid certificate verification context"],
      V_ERR_STORE_LOOKUP: [70, "issuer certificate lookup error"],
      V_ERR_NO_VALID_SCTS: [71, "Certificate Transparency required, but no valid SCTs found"],
      V_ERR_PROXY_SUBJECT_NAME_VIOLATION: [72, "proxy subject name violation"],
      V_ERR_OCSP_VERIFY_NEEDED: [73, "OCSP verification needed"],
      V_ERR_OCSP_VERIFY_FAILED: [74, "OCSP verification failed"],
      V_ERR_OCSP_CERT_UNKNOWN: [75, "OCSP unknown cert"],
      V_ERR_INVALID_CA: [79, "invalid CA certificate"]
    }.freeze
    private_constant :CODES
    CODES.each { |name, (number, _)| const_set(name, number) }

    {
      V_FLAG_USE_CHECK_TIME: 2, V_FLAG_CRL_CHECK: 4, V_FLAG_CRL_CHECK_ALL: 8, V_FLAG_IGNORE_CRITICAL: 16,
      V_FLAG_X509_STRICT: 32, V_FLAG_ALLOW_PROXY_CERTS: 64, V_FLAG_POLICY_CHECK: 128, V_FLAG_EXPLICIT_POLICY: 256,
      V_FLAG_INHIBIT_ANY: 512, V_FLAG_INHIBIT_MAP: 1024, V_FLAG_NOTIFY_POLICY: 2048, V_FLAG_EXTENDED_CRL_SUPPORT: 4096,
      V_FLAG_USE_DELTAS: 8192, V_FLAG_CHECK_SS_SIGNATURE: 16384, V_FLAG_TRUSTED_FIRST: 32768,
      V_FLAG_SUITEB_128_LOS_ONLY: 65536, V_FLAG_SUITEB_192_LOS: 131072, V_FLAG_SUITEB_128_LOS: 196608,
      V_FLAG_PARTIAL_CHAIN: 524288, V_FLAG_NO_ALT_CHAINS: 1048576, V_FLAG_NO_CHECK_TIME: 2097152,
      PURPOSE_SSL_CLIENT: 1, PURPOSE_SSL_SERVER: 2, PURPOSE_NS_SSL_SERVER: 3, PURPOSE_SMIME_SIGN: 4,
      PURPOSE_SMIME_ENCRYPT: 5, PURPOSE_CRL_SIGN: 6, PURPOSE_ANY: 7, PURPOSE_OCSP_HELPER: 8, PURPOSE_TIMESTAMP_SIGN: 9,
      TRUST_COMPAT: 1, TRUST_SSL_CLIENT: 2, TRUST_SSL_SERVER: 3, TRUST_EMAIL: 4, TRUST_OBJECT_SIGN: 5,
      TRUST_OCSP_SIGN: 6, TRUST_OCSP_REQUEST: 7, TRUST_TSA: 8
    }.each { |name, number| const_set(name, number) }

    DEFAULT_CERT_AREA = "/usr/lib/ssl"
    DEFAULT_CERT_DIR = "/usr/lib/ssl/certs"
    DEFAULT_CERT_FILE = "/usr/lib/ssl/cert.pem"
    DEFAULT_CERT_DIR_ENV = "SSL_CERT_DIR"
    DEFAULT_CERT_FILE_ENV = "SSL_CERT_FILE"
    DEFAULT_PRIVATE_DIR = "/usr/lib/ssl/private"

    class << self
      def __code_text(code) =
        (CODES.each_value.find { |number, _| number == code } || [nil, "error number #{code}"])[1].dup

      # The DER of a string in either format, or of an object with `to_der`; PEM blocks have one of the labels.
      def __source(data, labels)
        return data.to_der.b if data.respond_to?(:to_der)
        data = (data.respond_to?(:read) ? data.read : OpenSSL.__text(data)).b
        return data if data.getbyte(0) == 0x30
        PKey.__blocks(data).find { |label,| labels.include?(label) }&.last
      end

      # The encoding of a time.
      def __time(time)
        time = Time.at(Integer(time)).utc
        (1950..2049).cover?(time.year) ? ASN1::UTCTime(time) : ASN1::GeneralizedTime(time)
      end

      # The identifier of a signature's algorithm for a key and a digest.
      def __signature_algorithm(key, digest)
        name = digest && PKey.__digest_name(digest)
        case key.oid
        when "rsaEncryption" then ASN1::Sequence([ASN1::ObjectId("RSA-#{name || "SHA256"}"), ASN1::Null(nil)])
        when "id-ecPublicKey" then ASN1::Sequence([ASN1::ObjectId("ecdsa-with-#{name || "SHA256"}")])
        when "DSA" then ASN1::Sequence([ASN1::ObjectId(name == "SHA1" ? "DSA-SHA1" : "dsa_with_#{name || "SHA256"}")])
        else ASN1::Sequence([ASN1::ObjectId(key.oid)])
        end
      end

      # Whether a key made a signature; nil if the algorithm does not fit the key or is unknown.
      def __verify(algorithm, key, signature, data)
        name = algorithm.value[0].oid.then { |oid| ASN1::ObjectId(oid).sn || oid }
        return key.verify(nil, signature, data) if name == "ED25519" && key.oid == "ED25519"
        if name == "RSASSA-PSS" && key.oid == "rsaEncryption"
          return __verify_pss(algorithm.value[1], key, signature, data)
        end
        kind = { "rsaEncryption" => /\ARSA-(.*)\z/, "id-ecPublicKey" => /\Aecdsa-with-(.*)\z/,
          "DSA" => /\A(?:dsa_with_|DSA-)(.*)\z/ }[key.oid]
        digest = kind && name[kind, 1] or return nil
        key.verify(digest, signature, data)
      rescue PKey::PKeyError
        false
      end

      private

      def __verify_pss(parameters, key, signature, data)
        parts = (parameters&.value || []).to_h { |part| [part.tag, part.value[0]] }
        digest = parts[0] ? parts[0].value[0].sn : "SHA1"
        mask = parts[1] ? parts[1].value[1].value[0].sn : "SHA1"
        key.verify_pss(digest, signature, data, salt_length: parts[2] ? parts[2].value.to_i : 20, mgf1_hash: mask)
      end
    end
  end
end
