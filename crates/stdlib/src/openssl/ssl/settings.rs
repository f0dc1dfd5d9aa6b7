//! The settings of a connection: versions, cipher suites, certificates, protocols.

use std::sync::Arc;

use runtime::{Args, Cx, R, Value, convert, make};
use rustls::{
    ProtocolVersion, SupportedCipherSuite, SupportedProtocolVersion,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
    sign::CertifiedKey,
    version,
};

/// The settings of one side, passed from Ruby in an Array.
pub struct Settings {
    pub versions: Vec<&'static SupportedProtocolVersion>,
    pub provider: Arc<CryptoProvider>,
    /// The names of protocols, in order of preference.
    pub protocols: Vec<Vec<u8>>,
    /// Certificate chains with their keys; the first is the default.
    pub keys: Vec<Arc<CertifiedKey>>,
    /// 0: no certificate is requested from the peer, 1: it is optional, 2: it is required.
    pub asking: i64,
    /// The names of the authorities that a server sends to its clients.
    pub authorities: Vec<Vec<u8>>,
    pub logs_keys: bool,
}

/// OpenSSL's names of the cipher suites.
const NAMES: &[(&str, u16, i64)] = &[
    ("TLS_AES_256_GCM_SHA384", 0x1302, 256),
    ("TLS_CHACHA20_POLY1305_SHA256", 0x1303, 256),
    ("TLS_AES_128_GCM_SHA256", 0x1301, 128),
    ("ECDHE-ECDSA-AES256-GCM-SHA384", 0xc02c, 256),
    ("ECDHE-RSA-AES256-GCM-SHA384", 0xc030, 256),
    ("ECDHE-ECDSA-CHACHA20-POLY1305", 0xcca9, 256),
    ("ECDHE-RSA-CHACHA20-POLY1305", 0xcca8, 256),
    ("ECDHE-ECDSA-AES128-GCM-SHA256", 0xc02b, 128),
    ("ECDHE-RSA-AES128-GCM-SHA256", 0xc02f, 128),
];

/// Name, version and bits of a suite.
pub fn describe(suite: SupportedCipherSuite) -> (&'static str, &'static str, i64) {
    let number = u16::from(suite.suite());
    let version = if suite.version().version == ProtocolVersion::TLSv1_3 { "TLSv1.3" } else { "TLSv1.2" };
    let row = NAMES.iter().find(|row| row.1 == number);
    row.map_or(("(NONE)", version, 0), |row| (row.0, version, row.2))
}

/// `__suites → [[name, version, bits, bits], …]`: the supported cipher suites.
pub fn suites(cx: &mut Cx, _: Args) -> R {
    let rows = make::array(cx, &[]);
    for (name, number, bits) in NAMES {
        let version = if *number >> 8 == 0x13 { "TLSv1.3" } else { "TLSv1.2" };
        let row = [make::text(cx, name), make::text(cx, version), Value::fixnum(*bits), Value::fixnum(*bits)];
        let row = make::array(cx, &row);
        make::push(cx, rows, row);
    }
    Ok(rows)
}

/// `__usable(chain, key) → string or nil`: nil if a key can be used with its certificates, otherwise the reason why
/// not.
pub fn usable(cx: &mut Cx, args: Args) -> R {
    let chain = list(cx, args.at(0))?;
    let key = bytes(cx, args.at(1))?;
    Ok(match certified(chain, key) {
        Ok(_) => Value::NIL,
        Err(message) => make::text(cx, &message),
    })
}

fn bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let string = convert::to_str(cx, v)?;
    Ok(string.to_vector())
}

/// The Strings of an Array; none for nil.
fn list(cx: &mut Cx, v: Value) -> R<Vec<Vec<u8>>> {
    let mut strings = Vec::new();
    if v.is_nil() {
        return Ok(strings);
    }
    let v = convert::to_ary(cx, v)?;
    let mut i = 0;
    while let Some(string) = v.get(i) {
        strings.push(bytes(cx, string)?);
        i += 1;
    }
    Ok(strings)
}

fn certified(chain: Vec<Vec<u8>>, key: Vec<u8>) -> Result<CertifiedKey, String> {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key));
    let key = ring::sign::any_supported_type(&key).map_err(|error| error.to_string())?;
    Ok(CertifiedKey::new(chain.into_iter().map(CertificateDer::from).collect(), key))
}

impl Settings {
    /// The settings from an Array `[least version, highest version, names of suites or nil, protocols, [[chain, key],
    /// …], asking, authorities, logs keys]`. None if no version or suite remains.
    pub fn of(cx: &mut Cx, v: Value) -> R<Option<Settings>> {
        let v = convert::to_ary(cx, v)?;
        let cell = |i| v.get(i).unwrap_or(Value::NIL);
        let (least, highest) = (convert::to_i64(cx, cell(0))?, convert::to_i64(cx, cell(1))?);
        let versions: Vec<_> = [(0x303, &version::TLS12), (0x304, &version::TLS13)]
            .into_iter()
            .filter(|(number, _)| (least == 0 || least <= *number) && (highest == 0 || *number <= highest))
            .map(|(_, version)| version)
            .collect();
        let mut provider = ring::default_provider();
        if !cell(2).is_nil() {
            let names = list(cx, cell(2))?;
            let all = std::mem::take(&mut provider.cipher_suites);
            provider.cipher_suites = names
                .iter()
                .filter_map(|name| all.iter().find(|suite| describe(**suite).0.as_bytes() == &name[..]).copied())
                .collect();
        }
        let left = |version: &&'static SupportedProtocolVersion| {
            provider.cipher_suites.iter().any(|suite| suite.version() == *version)
        };
        let versions: Vec<_> = versions.into_iter().filter(left).collect();
        // Only the suites of the enabled versions are offered.
        provider.cipher_suites.retain(|suite| versions.iter().any(|version| suite.version() == *version));
        if versions.is_empty() {
            return Ok(None);
        }
        let mut keys = Vec::new();
        let pairs = convert::to_ary(cx, cell(4))?;
        let mut i = 0;
        while let Some(pair) = pairs.get(i) {
            let pair = convert::to_ary(cx, pair)?;
            let part = |place| pair.get(place).unwrap_or(Value::NIL);
            let (chain, key) = (list(cx, part(0))?, bytes(cx, part(1))?);
            match certified(chain, key) {
                Ok(key) => keys.push(Arc::new(key)),
                Err(message) => return Err(super::errors::raise(cx, &message)),
            }
            i += 1;
        }
        Ok(Some(Settings {
            versions,
            provider: Arc::new(provider),
            protocols: list(cx, cell(3))?,
            keys,
            asking: convert::to_i64(cx, cell(5))?,
            authorities: list(cx, cell(6))?,
            logs_keys: cell(7).truthy(),
        }))
    }
}
