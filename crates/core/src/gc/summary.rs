//! `--stats`: a summary of the program's memory use at exit.

use std::fmt::Write;

use runtime::Cx;
use runtime::collector::counts::Counts;

/// Starts counting objects that die or become old.
pub fn count(cx: &mut Cx) {
    cx.vm_mut().collector.counts = Some(Box::default());
    cx.listen_to_collector();
}

/// The counters as lines of text.
pub fn text(cx: &mut Cx) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_totals(cx, &mut text);
    let _ = write_rows(cx, &mut text);
    text
}

fn write_totals(cx: &mut Cx, text: &mut String) -> std::fmt::Result {
    let (s, pauses) = (cx.vm().heap.statistics(), cx.vm().heap.pauses());
    let milliseconds = |d: std::time::Duration| d.as_secs_f64() * 1e3;
    writeln!(
        text,
        "collections: {} minor, {} full, {} compactions; marking {:.1} ms, sweeping {:.1} ms, compacting {:.1} ms",
        s.minor_collections,
        s.full_collections,
        s.compactions,
        milliseconds(s.mark_time),
        milliseconds(s.sweep_time),
        milliseconds(s.compact_time)
    )?;
    writeln!(text, "{pauses}")?;
    writeln!(
        text,
        "objects: {} allocated, {} freed, {} live ({} bytes), {} moved",
        s.allocated_objects, s.freed_objects, s.live_objects, s.live_object_bytes, s.moved_objects
    )?;
    writeln!(text, "buffers: {} allocated, {} freed, {} live", s.allocated_buffers, s.freed_buffers, s.live_buffers)?;
    writeln!(
        text,
        "large buffers: {} live ({} bytes), {} bytes allocated, {} bytes cached",
        s.large_objects, s.large_bytes, s.large_allocated_bytes, s.cached_bytes
    )?;
    writeln!(
        text,
        "blocks: {} of objects, {} of buffers, {} empty, {} returned to the system",
        s.object_blocks,
        s.used_blocks - s.object_blocks,
        s.empty_blocks,
        s.freed_blocks
    )?;
    writeln!(text, "shapes: {}", cx.world().shapes.len())
}

/// Objects by type and by the representation of their payload.
fn write_rows(cx: &mut Cx, text: &mut String) -> std::fmt::Result {
    let Some(mut counts) = cx.vm_mut().collector.counts.take() else { return Ok(()) };
    cx.listen_to_collector();
    add_live(cx, &mut counts);
    writeln!(
        text,
        "{:<20} {:<14} {:>12} {:>12} {:>12} {:>12}",
        "type", "representation", "allocated", "freed", "promoted", "live"
    )?;
    for ((ty, form), row) in counts.rows() {
        let allocated = row.freed + row.live;
        writeln!(text, "{ty:<20} {form:<14} {allocated:>12} {:>12} {:>12} {:>12}", row.freed, row.promoted, row.live)?;
    }
    Ok(())
}

fn add_live(cx: &mut Cx, counts: &mut Counts) {
    let mut found = Vec::new();
    cx.each_object(&mut |v| found.push(v.0));
    for address in found {
        counts.live(cx.world(), abi::Value(address));
    }
}
