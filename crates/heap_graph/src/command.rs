//! `beni heap DUMP [DUMP2 [DUMP3]] [--path ADDRESS]`.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::graph::Graph;
use crate::retained::Retained;
use crate::{dominators, growth, line, reader, report};

const USAGE: &str = "usage: beni heap DUMP [DUMP2 [DUMP3]] [--path ADDRESS]";

pub fn run(arguments: &[String]) -> ExitCode {
    match describe(arguments) {
        // If the reader of the output has gone (for example `head`), this is not a failure.
        Ok(text) => drop(std::io::stdout().write_all(text.as_bytes())),
        Err(message) => {
            eprintln!("beni heap: {message}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn describe(arguments: &[String]) -> Result<String, String> {
    let (mut dumps, mut path) = (Vec::new(), None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--path" => path = Some(rest.next().ok_or(USAGE)?),
            option if option.starts_with("--") => return Err(USAGE.into()),
            dump => dumps.push(dump),
        }
    }
    match dumps.as_slice() {
        [dump] => {
            let (graph, file) = load(dump)?;
            if let Some(path) = path {
                let node = line::address(path.as_bytes()).and_then(|address| graph.node_at(address));
                return Ok(report::path(&graph, node.ok_or_else(|| format!("{dump} has no object {path}"))?));
            }
            say("sorting out who keeps what");
            let retained = Retained::new(&graph, dominators::compute(&graph));
            let text = report::whole(&graph, &retained, &file);
            say("");
            Ok(text)
        }
        [before, now] => {
            let (before, now) = (load(before)?.0, load(now)?.0);
            say("");
            Ok(report::growth(&growth::compare(&before, &now, None), 2))
        }
        [before, now, after] => {
            let (before, now, after) = (load(before)?.0, load(now)?.0, load(after)?.0);
            say("");
            Ok(report::growth(&growth::compare(&before, &now, Some(&after)), 3))
        }
        _ => Err(USAGE.into()),
    }
}

fn load(path: &str) -> Result<(Graph, File), String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len().max(1);
    let (read, is_done) = (AtomicU64::new(0), AtomicBool::new(false));
    let columns = std::thread::scope(|scope| {
        if std::io::stderr().is_terminal() {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    say(&format!("reading {path}: {} %", (read.load(Ordering::Relaxed) * 100 / size).min(100)));
                    std::thread::sleep(Duration::from_millis(100));
                }
            });
        }
        let columns = reader::read(&file, &read);
        is_done.store(true, Ordering::Relaxed);
        columns
    });
    let graph = Graph::new(columns.map_err(failed)?);
    if graph.is_empty() {
        return Err(format!("{path}: no dump of a heap"));
    }
    Ok((graph, file))
}

/// Shows progress on a terminal.
fn say(what: &str) {
    let mut terminal = std::io::stderr();
    if terminal.is_terminal() {
        // A failure to show progress does not matter.
        let _ = write!(terminal, "\r\x1b[K{what}");
    }
}
