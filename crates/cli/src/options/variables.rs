//! `-s`: switches after the script's name become global variables.

use super::{Command, Refusal};

/// A name with `$`, and a String or true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub value: Option<Vec<u8>>,
}

/// Removes the switches at the front of the arguments, up to `--` or the first non-switch.
pub(super) fn take(command: &mut Command) -> Result<(), Refusal> {
    if !command.switches {
        return Ok(());
    }
    let mut taken = 0;
    for argument in &command.arguments {
        let Some(rest) = argument.strip_prefix(b"-") else { break };
        taken += 1;
        if rest == b"-" {
            break;
        }
        let (name, value) = match rest.iter().position(|b| *b == b'=') {
            Some(at) => (&rest[..at], Some(rest[at + 1..].to_vec())),
            None => (rest, None),
        };
        if name.iter().any(|b| b.is_ascii() && !b.is_ascii_alphanumeric() && !matches!(b, b'-' | b'_')) {
            let shown = String::from_utf8_lossy(&argument[..=name.len()]);
            return Err(Refusal { message: format!("invalid name for global variable - {shown}"), class: "NameError" });
        }
        let name = format!("${}", String::from_utf8_lossy(name).replace('-', "_"));
        command.variables.push(Variable { name, value });
    }
    command.arguments.drain(..taken);
    command.switches = false;
    Ok(())
}
