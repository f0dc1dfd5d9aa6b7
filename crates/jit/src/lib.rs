//! The compiler to machine code: quick code from bytecode, one code at a time.
//!
//! `translate` turns bytecode into operations of `seam`, which Cranelift makes machine code of: `arithmetic` and
//! `floats` for numbers, `objects` for variables and elements, `calls` and `intrinsics`; `registers` knows what the
//! frame's registers hold. `memory` is where machine code lies; `instruction` and `runtime_calls` are what it calls.
//! docs/jit.md shows the way of a method through it.

mod arithmetic;
mod bodies;
mod calls;
mod floats;
mod instruction;
mod intrinsics;
mod memory;
mod objects;
mod registers;
mod runtime_calls;
mod seam;
mod translate;

use std::{cell::RefCell, collections::BTreeMap};

use cranelift_codegen::{
    Context,
    control::ControlPlane,
    isa::{self, OwnedTargetIsa},
    settings::{self, Configurable},
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use runtime::{Cx, code::Code};

use memory::Store;
use seam::Emitter;
use translate::Translator;

/// More instructions than this are not compiled at once.
const LARGEST: usize = 2000;

/// What the compiler keeps from one code to the next.
struct Compiler {
    isa: OwnedTargetIsa,
    store: Store,
    statistics: Statistics,
}

/// For `--jit-stats`.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    pub compiled: u32,
    pub refused: u32,
    pub instructions: u64,
    pub bytes: u64,
    pub nanoseconds: u64,
    /// How often compiled code could not go on, by the instruction's name.
    pub exits: BTreeMap<&'static str, u64>,
}

thread_local! {
    /// The compiler runs under the global lock, in the thread whose code became hot.
    static COMPILER: RefCell<Option<Compiler>> = const { RefCell::new(None) };
}

/// Compiles the code of the running frame, which from then on runs compiled.
pub fn compile(cx: &mut Cx, code: &Code) {
    if code.is_traced() {
        return code.tier.postpone();
    }
    if code.tier.wants_profile() && code.begin_profile(instruction::is_watched) {
        return code.tier.watch();
    }
    code.end_profile();
    let began = std::time::Instant::now();
    let made = COMPILER.with_borrow_mut(|compiler| {
        if compiler.is_none() {
            *compiler = Compiler::new();
        }
        let compiler = compiler.as_mut()?;
        // A panic of the compiler costs the program nothing but the compiled code.
        let made = runtime::panics::contained(|| compiler.compile(cx, code)).flatten();
        compiler.statistics.nanoseconds += began.elapsed().as_nanos() as u64;
        match made {
            Some(_) => compiler.statistics.compiled += 1,
            None => compiler.statistics.refused += 1,
        }
        made
    });
    match made {
        Some((entry, assumptions)) => {
            code.tier.install(entry, assumptions);
            let own = code.own.get();
            cx.remember(own);
            code.tier.refresh(code.is_traced(), &cx.vm().redefined);
        }
        None => code.tier.refuse(),
    }
}

impl std::fmt::Display for Statistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "compiled code      {:>9}", self.compiled)?;
        writeln!(f, "refused            {:>9}", self.refused)?;
        writeln!(f, "instructions       {:>9}", self.instructions)?;
        writeln!(f, "bytes              {:>9}", self.bytes)?;
        writeln!(f, "milliseconds       {:>9.1}", self.nanoseconds as f64 / 1e6)?;
        self.exits.iter().try_for_each(|(name, count)| writeln!(f, "exits at {name:<18} {count:>9}"))
    }
}

/// Notes the kinds of the operands of the instruction at a word of the running frame's code.
pub fn profile(cx: &mut Cx, code: &Code, word: usize) {
    if let Some(seen) = instruction::watched(code, runtime::call::Window::of_frame(cx), word) {
        code.tier.note(word as u64, seen);
    }
}

/// Counts an exit.
fn note_exit(opcode: bytecode::Opcode) {
    COMPILER.with_borrow_mut(|compiler| {
        if let Some(compiler) = compiler {
            *compiler.statistics.exits.entry(opcode.name()).or_default() += 1;
        }
    });
}

/// What was compiled so far in this thread.
pub fn statistics() -> Statistics {
    COMPILER.with_borrow(|compiler| compiler.as_ref().map_or(Statistics::default(), |c| c.statistics.clone()))
}

impl Compiler {
    fn new() -> Option<Compiler> {
        let mut flags = settings::builder();
        for (name, value) in [("opt_level", "none"), ("preserve_frame_pointers", "true"), ("enable_verifier", "false")]
        {
            flags.set(name, value).ok()?;
        }
        if let Ok(v) = std::env::var("BENI_RA") { flags.set("regalloc_algorithm", &v).ok()?; }
        let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let isa = isa::lookup_by_name(&target).ok()?.finish(settings::Flags::new(flags)).ok()?;
        Some(Compiler { isa, store: Store::default(), statistics: Statistics::default() })
    }

    fn compile(&mut self, cx: &Cx, code: &Code) -> Option<(usize, runtime::code::tier::Assumptions)> {
        if code.instructions.len() > LARGEST {
            return None;
        }
        let convention = self.isa.default_call_conv();
        let mut context = Context::new();
        context.func.signature = seam::words(convention, 3, 2);
        let mut scratch = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
        let emitter = Emitter::new(builder, convention);
        let assumptions = Translator::translate(emitter, self.isa.frontend_config(), cx, code);
        let compiled = context.compile(&*self.isa, &mut ControlPlane::default()).ok()?;
        let bytes = compiled.code_buffer();
        debug_assert!(compiled.buffer.relocs().is_empty(), "code names everything by address");
        let entry = self.store.add(cx.vm().forks, bytes)?;
        self.statistics.instructions += code.instructions.len() as u64;
        self.statistics.bytes += bytes.len() as u64;
        Some((entry, assumptions))
    }
}
