# Instance variables that hold what structures of C hold in CRuby. Programs do not see them: `inspect` must not print a
# private key or a whole certificate into a log.

module OpenSSL
  hidden = {
    BN => %i[@value @flags],
    Config => %i[@sections],
    PKey::PKey => %i[
      @kind @private @public @key @n @e @d @p @q @dmp1 @dmq1 @iqmp @g @priv_key @pub_key @group @point @scalar
      @signer
    ],
    PKey::EC::Group => %i[@asn1_flag @bytes @curve_name @point_conversion_form],
    PKey::EC::Point => %i[@bytes],
    PKCS7 => %i[@certificates @cipher @content @crls @der @detached @recipients @sealed @signers @type],
    PKCS7::SignerInfo => %i[@attributes @issuer @key @name @serial @signature @structure],
    PKCS7::RecipientInfo => %i[@certificate @enc_key @issuer @serial],
    PKCS12 => %i[@der],
    Netscape::SPKI => %i[@algorithm @challenge @der @key @signature @signed],
    OCSP::BasicResponse => %i[
      @algorithm @certificates @der @extensions @produced @responder @signature @singles @tbs
    ],
    OCSP::CertificateId => %i[@algorithm @der @key @name @serial],
    OCSP::Request => %i[@algorithm @certificates @der @extensions @ids @requestor @signature @tbs],
    OCSP::Response => %i[@body @der @status],
    OCSP::SingleResponse => %i[
      @cert_status @certid @der @extensions @next_update @reason @this_update @time
    ],
    Timestamp::Request => %i[@algorithm @certificates @extensions @imprint @nonce @policy @version],
    Timestamp::Response => %i[@certificates @der @failure @info @signature @signer @status @texts @token],
    Timestamp::TokenInfo => %i[
      @accuracy @algorithm @der @imprint @nonce @ordering @policy @serial @time @tsa @version
    ],
    X509::Attribute => %i[@oid @value],
    X509::Certificate => %i[
      @algorithm @decoded @der @extensions @issuer @key @not_after @not_before @serial @signature @subject @tbs @unique
      @version
    ],
    X509::CRL => %i[
      @algorithm @der @extensions @issuer @last_update @next_update @revoked @signature @tbs @version
    ],
    X509::Extension => %i[@critical @oid @value],
    X509::Name => %i[@groups],
    X509::Request => %i[@algorithm @attributes @der @info @key @signature @subject @version],
    X509::Revoked => %i[@extensions @serial @time],
    X509::Store => %i[@certificates @crls @flags @folders @late_file @lock @purpose @time @trust],
    X509::StoreContext => %i[
      @callback @certificate @chain @current_cert @current_crl @error @error_depth @flags @purpose @store @time
      @untrusted
    ]
  }
  hidden.each do |owner, names|
    owner.define_method(:instance_variables) { super() - names }
    owner.define_method(:instance_variables_to_inspect) { instance_variables }
    owner.__send__(:private, :instance_variables_to_inspect)
  end
end
