//! The lines with the highest cost and their source, for a terminal.

use std::fmt::Write;

use runtime::sampling::Mode;

use crate::allocations::Allocations;
use crate::result::Profile;
use crate::tree::Lines;

/// The number of lines shown.
const SHOWN: usize = 10;

/// A heading and the lines with the highest cost.
pub fn write(profile: &Profile) -> String {
    let total = profile.total();
    let of = match profile.mode {
        Mode::Cpu => "of processor time",
        Mode::Wall => "of wall-clock time, all threads",
    };
    let mut text = format!("{} samples, {} {of}\n", profile.samples.len(), seconds(total));
    if total == 0 {
        return text;
    }
    let mut lines = Lines::new(&profile.tree);
    for row in profile.by_line().into_iter().filter(|row| row.cost.own > 0).take(SHOWN) {
        let function = &profile.tree.functions[row.function as usize];
        let share = row.cost.own as f64 * 100.0 / total as f64;
        let path = shown_path(&function.path);
        let _ =
            writeln!(text, "{share:5.1} % {:>9}  {path}:{} in '{}'", seconds(row.cost.own), row.line, function.name);
        if let Some(source) = lines.line(&function.path, row.line) {
            let _ = writeln!(text, "{:20}{}", "", source.trim());
        }
    }
    text
}

/// The lines that allocate most bytes.
pub fn allocations(allocations: &Allocations) -> String {
    let total = allocations.total();
    let mut text = format!("{} objects, {}\n", total.objects.round(), heap_graph::report::size(total.bytes as u64));
    let mut lines = Lines::new(&allocations.tree);
    let mut groups = allocations.by_line();
    groups.sort_by(|a, b| b.count.bytes.total_cmp(&a.count.bytes));
    for group in groups.into_iter().take(SHOWN) {
        let share = group.count.bytes * 100.0 / total.bytes.max(1.0);
        let bytes = heap_graph::report::size(group.count.bytes as u64);
        let (objects, path) = (group.count.objects.round(), shown_path(&group.name));
        let _ = writeln!(text, "{share:5.1} % {bytes:>10} {objects:>10} objects  {path}:{}", group.line);
        if let Some(source) = lines.line(&group.name, group.line) {
            let _ = writeln!(text, "{:39}{}", "", source.trim());
        }
    }
    text
}

fn seconds(nanoseconds: u64) -> String {
    match nanoseconds as f64 / 1e9 {
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The path relative to the current folder, if it is below it.
fn shown_path(path: &str) -> &str {
    let folder = std::env::current_dir().ok();
    let below = folder.and_then(|folder| path.strip_prefix(folder.to_str()?)?.strip_prefix('/'));
    below.unwrap_or(path)
}
