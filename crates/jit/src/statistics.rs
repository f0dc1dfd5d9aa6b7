//! What `--jit-stats` prints.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::{self, Display, Formatter},
};

use abi::RuntimeCall;
use runtime::{
    Cx,
    code::{Code, exits::Reason},
};

use crate::compiler;

/// Counts since the program began.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    pub compiled: u32,
    /// Those of code that had been compiled before.
    pub again: u32,
    pub refused: u32,
    /// Units dropped to make room.
    pub evicted: u32,
    pub instructions: u64,
    /// Bodies that were inlined.
    pub inlined: u64,
    pub bytes: u64,
    /// The processor time spent in the program's own threads, and in the background thread (`beside`).
    pub nanoseconds: u64,
    pub beside: u64,
    /// The number of exits by the name of the instruction.
    pub exits: BTreeMap<&'static str, u64>,
    /// The number of exits by place, with `--jit-stats`.
    exits_at: HashMap<String, u64>,
    /// The places with most exits.
    most_exits: Vec<(u64, String)>,
    /// The number of calls of the runtime by function.
    called: BTreeMap<String, u64>,
    /// The places with most calls of the runtime.
    calls: Vec<(u64, String)>,
    /// The code objects with most runs in the interpreter, because they were not compiled or their code was dropped.
    interpreted: Vec<(u64, String)>,
}

impl Display for Statistics {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "compiled code      {:>9}", self.compiled)?;
        writeln!(f, "compiled again     {:>9}", self.again)?;
        writeln!(f, "inlined bodies     {:>9}", self.inlined)?;
        writeln!(f, "refused            {:>9}", self.refused)?;
        writeln!(f, "evicted            {:>9}", self.evicted)?;
        writeln!(f, "instructions       {:>9}", self.instructions)?;
        writeln!(f, "bytes              {:>9}", self.bytes)?;
        writeln!(f, "compile time, ms   {:>9.1}", self.nanoseconds as f64 / 1e6)?;
        writeln!(f, "in background, ms  {:>9.1}", self.beside as f64 / 1e6)?;
        self.exits.iter().try_for_each(|(name, count)| writeln!(f, "exits at {name:<18} {count:>9}"))?;
        self.called.iter().try_for_each(|(name, count)| writeln!(f, "calls of {name:<30} {count:>9}"))?;
        for (list, what) in
            [(&self.most_exits, "exits at"), (&self.calls, "calls of"), (&self.interpreted, "interpreted runs of")]
        {
            list.iter().try_for_each(|(count, place)| writeln!(f, "{count:>12} {what} {place}"))?;
        }
        Ok(())
    }
}

/// Counts an exit of the running frame's code.
pub fn note_exit(cx: &Cx, code: &Code, word: usize, reason: Reason) {
    let mut guard = compiler();
    let Some(compiler) = guard.as_mut() else { return };
    let (opcode, statistics) = (code.instruction(word).op().name(), &mut compiler.statistics);
    *statistics.exits.entry(opcode).or_default() += 1;
    if cx.vm().options.counts_runtime_calls {
        let place = format!("{opcode:<18} {} ({reason:?})", place_of(code, word));
        *statistics.exits_at.entry(place).or_default() += 1;
    }
}

/// The file, the line and the name of the code that an instruction belongs to.
pub fn place_of(code: &Code, word: usize) -> String {
    let file = code.source.path.rsplit('/').next().unwrap_or_default();
    format!("{file}:{} {}", code.line(word), code.name)
}

/// What was compiled so far, and what was not; `places` is the length of each list of places.
pub fn statistics(cx: &Cx, places: usize) -> Statistics {
    let guard = compiler();
    let Some(compiler) = guard.as_ref() else { return Statistics::default() };
    let calls: Vec<_> = compiler.counters.iter().map(|counter| (counter.count.get(), counter.place.clone())).collect();
    let mut called = BTreeMap::new();
    for (count, place) in calls.iter().filter(|(count, _)| *count > 0) {
        let mut words = place.split_whitespace();
        let function = words.next().unwrap_or_default();
        let opcode = words.next().filter(|_| function == RuntimeCall::Instruction.name());
        let name = opcode.map_or_else(|| function.to_owned(), |opcode| format!("{function} {opcode}"));
        *called.entry(name).or_default() += count;
    }
    let mut interpreted = Vec::new();
    cx.vm().codes.each(&mut |code| interpreted.extend(code.tier.interpreted().map(|runs| (runs, place_of(code, 0)))));
    let exits = compiler.statistics.exits_at.iter().map(|(place, count)| (*count, place.clone())).collect();
    Statistics {
        called,
        most_exits: most_frequent(exits, places),
        calls: most_frequent(calls, places),
        interpreted: most_frequent(interpreted, places),
        ..compiler.statistics.clone()
    }
}

fn most_frequent(mut places: Vec<(u64, String)>, length: usize) -> Vec<(u64, String)> {
    places.retain(|(count, _)| *count > 0);
    places.sort_by(|a, b| b.cmp(a));
    places.truncate(length);
    places
}
