//! The results of the examples of a spec file, read from the events that `spec/support/run.rb` writes.

use std::collections::BTreeMap;

/// The result of one example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// The example skipped itself.
    Skipped,
    /// An expectation was not met.
    Failed(String),
    /// Any other exception.
    Errored(String),
    /// The process died during it.
    Crashed(String),
    /// The time limit expired during it.
    TimedOut,
}

impl Outcome {
    /// A short, stable reason for a tag; `None` if it is not a failure.
    pub fn reason(&self) -> Option<String> {
        match self {
            Outcome::Passed | Outcome::Skipped => None,
            Outcome::Failed(message) => Some(lasting(message)),
            Outcome::Errored(message) => Some(lasting(message)),
            Outcome::Crashed(how) => Some(format!("crashes: {}", lasting(how))),
            Outcome::TimedOut => Some("does not end in time".to_string()),
        }
    }
}

/// The results of a file by description, in execution order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileOutcome {
    pub examples: Vec<(String, Outcome)>,
    /// Exceptions outside of examples, and process exits between them.
    pub outside: Vec<String>,
}

/// The name under which failures outside of the examples are counted and tagged.
pub const OUTSIDE: &str = "(outside of the examples)";

impl FileOutcome {
    pub fn passed(&self) -> usize {
        self.passed_where(|_| true)
    }

    /// The number of passed examples whose description `counted` accepts.
    pub fn passed_where(&self, counted: impl Fn(&str) -> bool) -> usize {
        let passed = |outcome: &Outcome| matches!(outcome, Outcome::Passed | Outcome::Skipped);
        self.examples.iter().filter(|(name, outcome)| passed(outcome) && counted(name)).count()
    }

    /// Failing examples with the reason; failures outside of examples are combined under one name.
    pub fn failures(&self) -> BTreeMap<String, String> {
        let mut failures: BTreeMap<String, String> = self
            .examples
            .iter()
            .filter_map(|(description, outcome)| Some((description.clone(), outcome.reason()?)))
            .collect();
        if let Some(message) = self.outside.first() {
            failures.insert(OUTSIDE.to_string(), lasting(message));
        }
        failures
    }

    /// The failures that must never occur: crashes and timeouts.
    pub fn disasters(&self) -> BTreeMap<String, String> {
        let is_disaster = |outcome: &Outcome| matches!(outcome, Outcome::Crashed(_) | Outcome::TimedOut);
        let examples = self.examples.iter().filter(|(_, outcome)| is_disaster(outcome));
        examples.filter_map(|(description, outcome)| Some((description.clone(), outcome.reason()?))).collect()
    }

    /// Adds the events of one process. Returns whether the file is finished; otherwise the last started example gets
    /// the result `unfinished`.
    pub fn add_events(&mut self, events: &str, unfinished: Outcome) -> bool {
        let mut running: Option<String> = None;
        let mut ended = false;
        for line in events.lines() {
            let (event, rest) = line.split_once('\t').unwrap_or((line, ""));
            let outcome = match event {
                "start" => {
                    running = Some(rest.trim().to_string());
                    continue;
                }
                "outside" => {
                    self.outside.push(rest.to_string());
                    continue;
                }
                "end" => {
                    ended = true;
                    continue;
                }
                "pass" => Outcome::Passed,
                "skip" => Outcome::Skipped,
                "fail" => Outcome::Failed(rest.to_string()),
                "error" => Outcome::Errored(rest.to_string()),
                _ => continue,
            };
            if let Some(description) = running.take() {
                self.add(description, outcome);
            }
        }
        if let Some(description) = running {
            self.add(description, unfinished);
        } else if !ended {
            let reason = unfinished.reason().unwrap_or_default();
            self.outside.push(reason);
        }
        ended
    }

    /// Examples with equal descriptions are distinguished by a number.
    fn add(&mut self, description: String, outcome: Outcome) {
        let same = |name: &str| self.examples.iter().any(|(known, _)| known == name);
        let mut name = description.clone();
        let mut number = 2;
        while same(&name) {
            name = format!("{description} ({number})");
            number += 1;
        }
        self.examples.push((name, outcome));
    }
}

/// A message without the parts that differ between runs and machines: folders, object ids, process ids in names of
/// temporary files; shortened.
fn lasting(message: &str) -> String {
    let message = message.split(" [/").next().unwrap_or(message);
    let words: Vec<String> = message.split_whitespace().map(lasting_word).collect();
    let text = words.join(" ").replace('|', "/");
    let mut short: String = text.chars().take(100).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn lasting_word(word: &str) -> String {
    if let Some(at) = word.find("0x") {
        let (before, after) = word.split_at(at + 2);
        let rest = after.trim_start_matches(|character: char| character.is_ascii_hexdigit());
        return format!("{before}…{rest}");
    }
    if word.matches('/').count() >= 2 {
        let name = word.rsplit('/').next().unwrap_or(word);
        return format!("…/{name}");
    }
    word.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_a_whole_run_are_read() {
        let mut file = FileOutcome::default();
        let events = "start\ta\npass\nstart\ta\nfail\tExpected 1 [/x/y.rb:3:in 'a']\nend\n";
        assert!(file.add_events(events, Outcome::TimedOut));
        assert_eq!(file.passed(), 1);
        assert_eq!(file.failures().into_iter().collect::<Vec<_>>(), [("a (2)".to_string(), "Expected 1".to_string())]);
    }

    #[test]
    fn a_crash_belongs_to_the_example_that_was_running() {
        let mut file = FileOutcome::default();
        assert!(!file.add_events("start\ta\npass\nstart\tb\n", Outcome::Crashed("signal 11".to_string())));
        assert_eq!(file.examples[1], ("b".to_string(), Outcome::Crashed("signal 11".to_string())));
        assert!(file.outside.is_empty());
    }

    #[test]
    fn a_crash_between_examples_is_kept_apart() {
        let mut file = FileOutcome::default();
        assert!(!file.add_events("start\ta\npass\n", Outcome::TimedOut));
        assert_eq!(file.failures().len(), 1);
    }

    #[test]
    fn reasons_do_not_name_what_changes_from_run_to_run() {
        assert_eq!(
            lasting("NoMethodError: for #<A:0x00007f12> in /tmp/a/b.rb"),
            "NoMethodError: for #<A:0x…> in …/b.rb"
        );
    }
}
