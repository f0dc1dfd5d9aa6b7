//! `beni --profile[=FILE]`: a profile of the whole program, written at exit.

use std::time::Duration;

use runtime::Cx;
use runtime::sampling::{self, Mode, Refusal};

use crate::output::Format;

/// The profile requested on the command line.
#[derive(Clone, Debug)]
pub struct Wish {
    pub file: String,
    pub format: Format,
    pub mode: Mode,
    pub interval: Duration,
}

impl Wish {
    /// The default file.
    pub const FILE: &str = "profile.html";

    /// # Errors
    /// If no format has the file's extension.
    pub fn new(file: &str, mode: Mode, interval: Duration) -> Result<Wish, String> {
        Ok(Wish { file: file.to_string(), format: Format::of_file(file)?, mode, interval })
    }
}

/// Starts sampling; the profile is written when the process ends or executes another program.
///
/// # Errors
/// The reason why sampling does not start.
pub fn begin(cx: &mut Cx, wish: Wish) -> Result<(), String> {
    crate::start(cx, wish.mode, wish.interval).map_err(|refusal| refused(&refusal))?;
    sampling::at_end(cx, Box::new(move |cx| end(cx, &wish)));
    Ok(())
}

/// The message for a refusal to start sampling.
pub fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::AlreadyRuns => "a profile is being taken already".into(),
        Refusal::System(errno) => format!("cannot take samples: {}", errno.message()),
    }
}

fn end(cx: &mut Cx, wish: &Wish) {
    let Some(profile) = crate::stop(cx) else { return };
    let written = wish.format.write(&profile);
    if wish.format == Format::Terminal {
        eprint!("{}", String::from_utf8_lossy(&written));
    } else if let Err(error) = std::fs::write(&wish.file, written) {
        eprintln!("beni: cannot write {}: {error}", wish.file);
    }
}
