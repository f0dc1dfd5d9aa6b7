//! The growth policy, and the `RUBY_GC_*` variables that control it.
//!
//! One budget in bytes: a full collection begins when the old bytes exceed a factor of those that survived the last
//! one, where bytes that were promoted during its marking count once. Small heaps have a floor, so that startup does
//! not collect.

/// The least growth that large buffers of bytes contribute once they are as many.
const UNSCANNED_GROWTH: usize = 16 << 20;

/// The settings of the variables. Names, defaults and ranges are CRuby's; each field documents the meaning in Beni.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// `HEAP_INIT_BYTES`: no full collection begins below this.
    pub init_bytes: usize,
    /// `HEAP_n_INIT_SLOTS`, as a total in bytes: no full collection begins below this either.
    pub init_slots_bytes: usize,
    /// `HEAP_FREE_SLOTS`: empty blocks worth this many cells of 40 bytes are never returned.
    pub free_slots: usize,
    /// `HEAP_GROWTH_MAX_BYTES` and `_SLOTS`: no more than this is added between two full collections; 0 for no limit.
    pub growth_max_bytes: usize,
    /// `HEAP_FREE_SLOTS_GOAL_RATIO`: a quarter of it is the share of the live bytes that empty blocks may keep.
    pub free_goal_ratio: f64,
    /// `HEAP_OLDOBJECT_LIMIT_FACTOR`: a full collection begins when old bytes exceed this factor of those that survived
    /// the last one.
    pub old_limit_factor: f64,
    /// `MALLOC_LIMIT`: young large buffers that make a minor collection due.
    pub large_limit: usize,
    /// `MALLOC_LIMIT_MAX`: the maximum of the limit, which rises while such collections free little.
    pub large_limit_max: usize,
    /// `MALLOC_LIMIT_GROWTH_FACTOR`: the factor by which it rises.
    pub large_growth_factor: f64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            init_bytes: 2560 << 10,
            init_slots_bytes: 0,
            free_slots: 4096,
            growth_max_bytes: 0,
            free_goal_ratio: 0.40,
            old_limit_factor: 2.0,
            large_limit: 16 << 20,
            large_limit_max: 32 << 20,
            large_growth_factor: 1.4,
        }
    }
}

enum Parameter {
    Size { default: usize, above: usize, set: fn(&mut Tuning, usize) },
    Ratio { default: f64, above: f64, up_to: f64, zero_too: bool, set: fn(&mut Tuning, f64) },
}

const fn size(default: usize, above: usize, set: fn(&mut Tuning, usize)) -> Parameter {
    Parameter::Size { default, above, set }
}

const fn ratio(default: f64, above: f64, up_to: f64, zero_too: bool, set: fn(&mut Tuning, f64)) -> Parameter {
    Parameter::Ratio { default, above, up_to, zero_too, set }
}

/// For variables that are checked but have no effect.
fn no_size(_: &mut Tuning, _: usize) {}
fn no_ratio(_: &mut Tuning, _: f64) {}

const PREFIX: &str = "RUBY_GC_";

/// Every variable, without the prefix, and whether it has an effect in Beni.
static VARIABLES: [(&str, Parameter, bool); 21] = [
    ("HEAP_FREE_SLOTS", size(4096, 0, |t, n| t.free_slots = n), true),
    ("HEAP_INIT_BYTES", size(2560 << 10, 0, |t, n| t.init_bytes = n), true),
    ("HEAP_0_INIT_SLOTS", size(10_000, 0, |t, n| t.add_init_slots(n, 40)), true),
    ("HEAP_1_INIT_SLOTS", size(10_000, 0, |t, n| t.add_init_slots(n, 80)), true),
    ("HEAP_2_INIT_SLOTS", size(10_000, 0, |t, n| t.add_init_slots(n, 160)), true),
    ("HEAP_3_INIT_SLOTS", size(10_000, 0, |t, n| t.add_init_slots(n, 320)), true),
    ("HEAP_4_INIT_SLOTS", size(10_000, 0, |t, n| t.add_init_slots(n, 640)), true),
    ("HEAP_GROWTH_FACTOR", ratio(1.8, 1.0, 0.0, false, no_ratio), false),
    ("HEAP_GROWTH_MAX_BYTES", size(0, 0, |t, n| t.growth_max_bytes = n), true),
    ("HEAP_GROWTH_MAX_SLOTS", size(0, 0, |t, n| t.growth_max_bytes = n.saturating_mul(40)), true),
    ("HEAP_FREE_SLOTS_MIN_RATIO", ratio(0.20, 0.0, 1.0, false, no_ratio), false),
    ("HEAP_FREE_SLOTS_MAX_RATIO", ratio(0.65, 0.0, 1.0, false, no_ratio), false),
    ("HEAP_FREE_SLOTS_GOAL_RATIO", ratio(0.40, 0.0, 1.0, true, |t, r| t.free_goal_ratio = r), true),
    ("HEAP_OLDOBJECT_LIMIT_FACTOR", ratio(2.0, 0.0, 0.0, true, |t, r| t.old_limit_factor = r), true),
    ("HEAP_REMEMBERED_WB_UNPROTECTED_OBJECTS_LIMIT_RATIO", ratio(0.01, 0.0, 0.0, true, no_ratio), false),
    ("MALLOC_LIMIT", size(16 << 20, 0, |t, n| t.large_limit = n), true),
    ("MALLOC_LIMIT_MAX", size(32 << 20, 0, |t, n| t.large_limit_max = n), true),
    ("MALLOC_LIMIT_GROWTH_FACTOR", ratio(1.4, 1.0, 0.0, false, |t, r| t.large_growth_factor = r), true),
    ("OLDMALLOC_LIMIT", size(16 << 20, 0, no_size), false),
    ("OLDMALLOC_LIMIT_MAX", size(128 << 20, 0, no_size), false),
    ("OLDMALLOC_LIMIT_GROWTH_FACTOR", ratio(1.2, 1.0, 0.0, false, no_ratio), false),
];

impl Tuning {
    /// Reads the variables through `lookup`. The returned lines are printed under `-w`: one for each variable that was
    /// accepted, rejected or has no effect.
    pub fn from_environment(lookup: &dyn Fn(&str) -> Option<String>) -> (Tuning, Vec<String>) {
        let mut tuning = Tuning::default();
        let mut lines = Vec::new();
        for (name, parameter, has_effect) in &VARIABLES {
            let name = format!("{PREFIX}{name}");
            let Some(text) = lookup(&name).filter(|text| !text.is_empty()) else { continue };
            let (line, taken) = match parameter {
                Parameter::Size { default, above, set } => match parse_size(&text) {
                    None => (format!("invalid string for {name}: {text}"), false),
                    Some(n) if n <= *above => (
                        format!(
                            "{name}={n} (default value: {default}) is ignored because it must be greater than {above}."
                        ),
                        false,
                    ),
                    Some(n) => {
                        set(&mut tuning, n);
                        (format!("{name}={n} (default value: {default})"), true)
                    }
                },
                Parameter::Ratio { default, above, up_to, zero_too, set } => match text.trim().parse::<f64>() {
                    Err(_) => (format!("invalid string for {name}: {text}"), false),
                    Ok(r) => match refusal(r, *above, *up_to, *zero_too) {
                        Some(why) => {
                            (format!("{name}={r:.6} (default value: {default:.6}) is ignored because {why}."), false)
                        }
                        None => {
                            set(&mut tuning, r);
                            (format!("{name}={r:.6} (default value: {default:.6})"), true)
                        }
                    },
                },
            };
            lines.push(line);
            if taken && !has_effect {
                lines.push(format!("{name} has no effect in this implementation."));
            }
        }
        (tuning, lines)
    }

    fn add_init_slots(&mut self, slots: usize, size: usize) {
        self.init_slots_bytes = self.init_slots_bytes.saturating_add(slots.saturating_mul(size));
    }

    /// The old bytes below which no full collection begins.
    fn floor(&self) -> usize {
        self.init_bytes.max(self.init_slots_bytes)
    }

    pub(crate) fn first_full_limit(&self) -> usize {
        self.floor()
    }

    /// The old bytes at which the next full collection begins, after one that left `survived`, of which `unscanned` are
    /// in large buffers of bytes.
    pub(crate) fn full_limit(&self, survived: usize, unscanned: usize) -> usize {
        let factor = self.old_limit_factor.max(1.0 + 1.0 / 16.0) - 1.0;
        let scanned = survived.saturating_sub(unscanned);
        // A full collection costs nothing for these buffers. They add to the growth only so much that its cost for the
        // other objects is a small part of that for filling them.
        let share = ((unscanned as f64 * factor) as usize).min(UNSCANNED_GROWTH.max(scanned).max(unscanned / 8));
        let growth = (scanned as f64 * factor) as usize + share;
        let mut limit = survived.saturating_add(growth.max(1 << 20));
        if self.growth_max_bytes > 0 {
            limit = limit.min(survived.saturating_add(self.growth_max_bytes));
        }
        // A factor that requests earlier collections overrides the floor.
        let floor = if self.old_limit_factor < 2.0 { self.floor() / 4 } else { self.floor() };
        limit.max(floor)
    }

    /// The bytes of empty blocks that keep their memory when this many are alive.
    pub(crate) fn empty_bytes_to_keep(&self, live: usize) -> usize {
        ((live as f64 * self.free_goal_ratio / 4.0) as usize).max(self.free_slots * 40)
    }
}

fn refusal(r: f64, above: f64, up_to: f64, zero_too: bool) -> Option<String> {
    if r.is_nan() {
        Some("it is not a number".to_string())
    } else if up_to > 0.0 && r > up_to {
        Some(format!("it must be less than {up_to:.6}"))
    } else if r > above || (zero_too && r == 0.0) {
        None
    } else {
        Some(format!("it must be greater than {above:.6}"))
    }
}

/// A number with an optional `k`, `m` or `g`.
fn parse_size(text: &str) -> Option<usize> {
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 1 << 10),
        (at, 'm' | 'M') => (&text[..at], 1 << 20),
        (at, 'g' | 'G') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> (Tuning, Vec<String>) {
        Tuning::from_environment(&|asked| (asked == name).then(|| value.to_string()))
    }

    #[test]
    fn accepted_values_are_reported() {
        let (tuning, lines) = with("RUBY_GC_HEAP_OLDOBJECT_LIMIT_FACTOR", "0.1");
        assert_eq!(tuning.old_limit_factor, 0.1);
        assert_eq!(lines, ["RUBY_GC_HEAP_OLDOBJECT_LIMIT_FACTOR=0.100000 (default value: 2.000000)"]);
        let (tuning, lines) = with("RUBY_GC_MALLOC_LIMIT", "1m");
        assert_eq!((tuning.large_limit, lines.len()), (1 << 20, 1));
        assert_eq!(with("RUBY_GC_HEAP_0_INIT_SLOTS", "20000").0.init_slots_bytes, 800_000);
        assert_eq!(with("RUBY_GC_OLDMALLOC_LIMIT", "2g").1.len(), 2);
    }

    #[test]
    fn rejected_values_are_reported_and_ignored() {
        for (name, value) in [
            ("RUBY_GC_HEAP_GROWTH_FACTOR", "nonsense"),
            ("RUBY_GC_HEAP_GROWTH_FACTOR", "0.5"),
            ("RUBY_GC_HEAP_FREE_SLOTS_GOAL_RATIO", "1.5"),
            ("RUBY_GC_MALLOC_LIMIT", "0"),
            ("RUBY_GC_MALLOC_LIMIT", "99999999999g"),
            ("RUBY_GC_HEAP_FREE_SLOTS", "k"),
        ] {
            let (tuning, lines) = with(name, value);
            assert_eq!((tuning, lines.len()), (Tuning::default(), 1), "{name}={value}");
        }
    }

    #[test]
    fn limits_grow_with_the_surviving_bytes() {
        let tuning = Tuning::default();
        assert_eq!(tuning.full_limit(0, 0), 2560 << 10);
        assert_eq!(tuning.full_limit(100 << 20, 0), 200 << 20);
        assert_eq!(tuning.full_limit(100 << 20, 96 << 20), 120 << 20);
        assert_eq!(tuning.full_limit(100 << 20, 60 << 20), 180 << 20);
        assert_eq!(Tuning { growth_max_bytes: 1 << 20, ..tuning }.full_limit(100 << 20, 0), 101 << 20);
    }
}
