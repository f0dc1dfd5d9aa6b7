//! `beni heap DUMP [DUMP2 [DUMP3]] [--path ADDRESS] [--page FILE]`.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use heap_graph::graph::Graph;
use heap_graph::retained::Retained;
use heap_graph::{dominators, growth, line, reader, report};

use crate::page;

const USAGE: &str = "usage: beni heap DUMP [DUMP2 [DUMP3]] [--path ADDRESS] [--page FILE]";

pub fn run(arguments: &[String]) -> ExitCode {
    match describe(arguments) {
        // If the reader of the output has gone (for example `head`), this is not a failure.
        Ok(text) => drop(std::io::stdout().write_all(text.as_bytes())),
        Err(message) => {
            host::tell_line!("beni heap: {message}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn describe(arguments: &[String]) -> Result<String, String> {
    let (mut dumps, mut path, mut page) = (Vec::new(), None, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--path" => path = Some(rest.next().ok_or(USAGE)?),
            "--page" => page = Some(rest.next().ok_or(USAGE)?),
            option if option.starts_with("--") => return Err(USAGE.into()),
            dump => dumps.push(dump),
        }
    }
    let (last, earlier) = dumps.split_last().ok_or(USAGE)?;
    let (first, between) = match earlier {
        [] => (None, None),
        [first] => (Some(load(first)?.0), None),
        [first, between] => (Some(load(first)?.0), Some(load(between)?.0)),
        _ => return Err(USAGE.into()),
    };
    let (graph, file) = load(last)?;
    if let Some(path) = path {
        say("");
        let node = line::address(path.as_bytes()).and_then(|address| graph.node_at(address));
        return Ok(report::path(&graph, node.ok_or_else(|| format!("{last} has no object {path}"))?));
    }
    let fresh = first.map(|first| growth::fresh(&first, between.as_ref(), &graph));
    let grown = fresh.as_ref().map(|fresh| growth::groups(&graph, fresh));
    if page.is_none()
        && let Some(grown) = grown
    {
        say("");
        return Ok(report::growth(&grown, dumps.len()));
    }
    say("computing retained sizes");
    let retained = Retained::new(&graph, dominators::compute(&graph));
    let text = match page {
        None => report::whole(&graph, &retained, &file),
        Some(page) => {
            let dump = page::heap::Dump { name: last, graph: &graph, retained: &retained, file: &file };
            let text = page::heap::write(&dump, fresh.as_deref(), grown.as_deref());
            std::fs::write(page, text).map_err(|error| format!("{page}: {error}"))?;
            String::new()
        }
    };
    say("");
    Ok(text)
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
        return Err(format!("{path}: not a heap dump"));
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
