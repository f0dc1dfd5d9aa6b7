//! OpenSSL's messages for errors.

use runtime::{Cx, Unwind};
use rustls::{AlertDescription, Error, InvalidMessage, PeerIncompatible, PeerMisbehaved};

/// An OpenSSL::SSL::SSLError.
pub fn raise(cx: &mut Cx, message: &str) -> Unwind {
    crate::openssl::fail_in(cx, "SSL", "SSLError", message)
}

pub fn text(error: &Error) -> String {
    match error {
        Error::AlertReceived(alert) => self::alert(*alert),
        Error::InvalidCertificate(_) => "certificate verify failed".to_owned(),
        Error::NoCertificatesPresented => "peer did not return a certificate".to_owned(),
        Error::InvalidMessage(InvalidMessage::InvalidContentType | InvalidMessage::UnknownProtocolVersion) => {
            "wrong version number".to_owned()
        }
        Error::InappropriateHandshakeMessage { .. } | Error::InappropriateMessage { .. } => {
            "unexpected message".to_owned()
        }
        Error::PeerIncompatible(what) => match what {
            PeerIncompatible::NoCipherSuitesInCommon => "no shared cipher".to_owned(),
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::Tls12NotOffered
            | PeerIncompatible::Tls12NotOfferedOrEnabled
            | PeerIncompatible::Tls13RequiredForQuic
            | PeerIncompatible::SupportedVersionsExtensionRequired
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig => "unsupported protocol".to_owned(),
            PeerIncompatible::NoKxGroupsInCommon => "no suitable key share".to_owned(),
            PeerIncompatible::NoSignatureSchemesInCommon => "no suitable signature algorithm".to_owned(),
            other => format!("{other:?}"),
        },
        Error::PeerMisbehaved(PeerMisbehaved::SelectedUnofferedApplicationProtocol) => "bad extension".to_owned(),
        Error::NoApplicationProtocol => "no application protocol".to_owned(),
        Error::DecryptError => "decryption failed or bad record mac".to_owned(),
        other => other.to_string(),
    }
}

fn alert(alert: AlertDescription) -> String {
    let number = u8::from(alert);
    let name = match number {
        0 => "close notify",
        10 => "ssl/tls alert unexpected message",
        20 => "ssl/tls alert bad record mac",
        22 => "tlsv1 alert record overflow",
        40 => "ssl/tls alert handshake failure",
        42 => "ssl/tls alert bad certificate",
        43 => "ssl/tls alert unsupported certificate",
        44 => "ssl/tls alert certificate revoked",
        45 => "ssl/tls alert certificate expired",
        46 => "ssl/tls alert certificate unknown",
        47 => "ssl/tls alert illegal parameter",
        48 => "tlsv1 alert unknown ca",
        49 => "tlsv1 alert access denied",
        50 => "tlsv1 alert decode error",
        51 => "tlsv1 alert decrypt error",
        70 => "tlsv1 alert protocol version",
        71 => "tlsv1 alert insufficient security",
        80 => "tlsv1 alert internal error",
        86 => "tlsv1 alert inappropriate fallback",
        90 => "tlsv1 alert user cancelled",
        100 => "tlsv1 alert no renegotiation",
        109 => "tlsv13 alert missing extension",
        110 => "tlsv1 unsupported extension",
        112 => "tlsv1 unrecognized name",
        116 => "tlsv13 alert certificate required",
        120 => "tlsv1 alert no application protocol",
        _ => "alert",
    };
    format!("{name} (SSL alert number {number})")
}
