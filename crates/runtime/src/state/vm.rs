//! [`Vm`]: the state that all threads share.

use abi::Value;
use heap::Trace;
use object::{Sym, array::Arr, class::data::SymMap, hash::HashRef};
use text::encoding::EncodingId;

pub use super::attention::Stress;
use super::{
    cx::Cx,
    extensions::Extensions,
    fiber::FiberStacks,
    global_table::Globals,
    lock::GlobalLock,
    named_roots::{NamedRoots, Root, RootValue},
    parking::Parking,
    repeated_sources::Repeated,
    sampling::Sampling,
    unwind::R,
};
use crate::{
    code::{
        CallSite, Code,
        registry::Registry,
        tier::{Entry, Outcome, Thresholds},
    },
    collector::Collector,
    redefined::{OwnOperations, Redefined, Redefinitions},
};

/// What `SIGQUIT` does in a program that has no handler for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnQuit {
    /// It ends the program (`--no-inspect`).
    Ends,
    /// It prints what all threads do, and ends the program.
    #[default]
    PrintsAndEnds,
    /// It prints what all threads do (`--stacks-on-quit`).
    Prints,
}

/// The name of a native library for `require`, and its initializer.
pub type NativeFeature = (&'static str, fn(&mut Cx) -> R<()>);

/// Runs the running frame, whose registers are given, in its compiled code. `word`: where the code begins, 0 or the
/// head of a loop.
pub type Enter = unsafe extern "C" fn(cx: *mut Cx, registers: *mut Value, word: u64, entry: Entry) -> Outcome;

/// Functions of upper layers that the runtime calls.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// Runs the top frame (flagged ENTRY) until it is left.
    pub run: fn(&mut Cx) -> R,
    /// Goes on unwinding from the top frame, down to a frame flagged ENTRY; runs that if one of them ends the
    /// unwinding.
    pub run_unwinding: fn(&mut Cx) -> R,
    /// Handles pending interrupts, [`crate::cx::Interrupts`].
    pub interrupts: fn(&mut Cx, u32) -> R<()>,
    /// Ends a process whose program had this result: at_exit blocks, the report of an error. Returns the exit status.
    pub finish: fn(&mut Cx, R) -> u8,
    /// Native libraries that `require` finds before any file: names ("stringio", "io/console") and initializers.
    pub native_features: &'static [NativeFeature],
    /// A thread ended by an exception: report_on_exception, abort_on_exception.
    pub thread_failed: fn(&mut Cx, Value, Value),
    /// Records the kinds of the operands of a word, for the compiler.
    pub profiled: fn(&mut Cx, &Code, usize),
    /// Fires the events of a word that a trace point replaced.
    pub traced: fn(&mut Cx, &Code, usize) -> R<u16>,
    /// The method of an entry, which shares its code with others, was called while coverage counts.
    pub counted_call: fn(&mut Cx, Value),
    /// Fires an event that is not tied to a word of code; see [`crate::trace`].
    pub event: fn(&mut Cx, u32, Value, Value) -> R<()>,
    /// Links a method's code, `runtime::link::complete`.
    pub link: fn(&mut Cx, Value),
    /// The code of a method of a Ruby half for calls with lent arguments, `runtime::link::lending`.
    pub lending: fn(&mut Cx, &Code) -> Option<Value>,
    /// Code was linked while a global trace point is enabled.
    pub linked: fn(&mut Cx, Value),
    /// Copies an object and everything it refers to, except what Ractors may share.
    pub deep_copy: fn(&mut Cx, Value) -> R,
    /// Handles a signal that requests inspection: `SIGPROF` from another process, or `SIGQUIT`.
    pub inspect: fn(&mut Cx, i32),
    /// Compiles the code of the running frame to machine code.
    pub compile: fn(&mut Cx, &Code),
    /// Runs the running frame in its compiled code.
    pub enter: Enter,
    /// Loads an extension in C from a file.
    pub load_extension: fn(&mut Cx, &str) -> R<()>,
    /// Loads a feature (autoload, require).
    pub require: fn(&mut Cx, Value) -> R<bool>,
    /// Whether the file of that name is loaded or being loaded, so that an autoload of it defines nothing any more.
    pub is_provided: fn(&mut Cx, Value) -> bool,
}

/// Functions of upper floors that lower floors of the runtime call, in rare cases.
#[derive(Clone, Copy)]
pub struct UpperFloors {
    /// Calls a method, private ones too.
    pub send: fn(&mut Cx, Value, Sym, &[Value]) -> R,
    /// `v.inspect` as text.
    pub inspect: fn(&mut Cx, Value) -> R<String>,
    /// Writes an exception that is being raised to `$stderr`, with `$DEBUG`.
    pub report_raise: fn(&mut Cx, Value),
    /// The Array that `to_ary` makes of an object that is none; `None` if it has no `to_ary` or that returns nil.
    pub to_ary: fn(&mut Cx, Value) -> R<Option<Arr>>,
    /// The Symbol for a name that is neither a Symbol nor a String.
    pub to_symbol: fn(&mut Cx, Value) -> R<Sym>,
    /// `hash[key] = value` where that may call `hash` and `eql?` of the key.
    pub store_key: fn(&mut Cx, HashRef, Value, Value) -> R<()>,
    /// A call site calls the method of an entry for the first time, with a block: `-w` warns if the method ignores it.
    pub given_block: fn(&mut Cx, &CallSite, Value) -> R<()>,
}

/// The Arrays that `require` searches, and copies of them from the time when its index was built, or nil.
#[derive(Clone, Copy, Trace)]
pub struct FeatureLists {
    pub load_path: Value,
    pub loaded: Value,
    pub load_path_seen: Value,
    pub loaded_seen: Value,
}

impl FeatureLists {
    const NONE: FeatureLists =
        FeatureLists { load_path: Value::NIL, loaded: Value::NIL, load_path_seen: Value::NIL, loaded_seen: Value::NIL };
}

/// What `--dump-jit` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpCompiled {
    /// The machine code, not the backend's intermediate code.
    pub is_assembly: bool,
    /// Only methods with this name.
    pub name: Option<String>,
}

/// Options of the command line.
#[derive(Clone, Default)]
pub struct Options {
    /// `--jit`, `--jit-threshold`, `--jit-full-after`
    pub thresholds: Thresholds,
    /// `--jit-exit-every`: compiled code exits at every n-th instruction; 0: only when necessary.
    pub exit_every: u32,
    /// `--stress-switch`, `--stress-signal`
    pub stress: Stress,
    /// `--jit-budget`: bytes of machine code that a process may have; `None`: as many as the compiler thinks right.
    pub code_budget: Option<usize>,
    /// `--jit-perf-map`: names compiled code for `perf`.
    pub maps_code: bool,
    /// `--jit-stats`: compiled code counts its calls of the runtime.
    pub counts_runtime_calls: bool,
    /// `--dump-jit`: which form of compiled code is printed.
    pub dump_compiled: Option<DumpCompiled>,
    pub verbose: Option<bool>,
    pub debug: bool,
    pub on_quit: OnQuit,
    /// `--debug-frozen-string-literal`
    pub record_string_origins: bool,
    pub frozen_string_literal: Option<bool>,
    pub backtrace_limit: i64,
    pub script_name: String,
    pub warn_deprecated: bool,
    pub warn_experimental: bool,
    pub warn_performance: bool,
    pub warn_strict_unused_block: bool,
    /// Error messages show the source line, and suggest similar names.
    pub highlight_errors: bool,
    pub suggest_names: bool,
    /// `-n -p -a -l` and related switches.
    pub command_line: compiler::CommandLine,
    /// `-i`: the extension of the copies.
    pub in_place: Option<Vec<u8>>,
    /// `-K`: the encoding of sources without a magic comment.
    pub source_encoding: Option<EncodingId>,
}

/// With `-w`: what is known of methods that are given blocks.
#[derive(Default)]
pub struct UnusedBlocks {
    /// Names of methods that use a block in some class.
    pub used: std::collections::HashSet<Vec<u8>>,
    /// The call sites, by their addresses, and the names of the methods that a warning was printed for.
    pub warned: std::collections::HashSet<(usize, String)>,
}

/// As roots, its values are those of the category "vm".
#[derive(Trace)]
pub struct Vm {
    pub heap: &'static heap::Heap,
    #[trace(skip)]
    pub hooks: Hooks,
    #[trace(skip)]
    pub(crate) upper: UpperFloors,
    #[trace(skip)]
    pub options: Options,
    #[trace(skip = "roots of another sort, see roots.rs")]
    pub globals: Globals,
    #[trace(skip)]
    pub redefined: Redefined,
    /// The actual redefinitions while calls of native methods are traced, see [`crate::basic_ops::trace_calls`].
    #[trace(skip)]
    pub redefined_before_tracing: Option<Redefined>,
    /// Whether a listener is told of every allocated object.
    pub observes_allocations: bool,
    /// The core's own methods, which operators of the Ruby halves call whatever the program redefines.
    #[trace(skip)]
    pub own_operations: OwnOperations,
    /// Constant lookups that missed the inline cache.
    pub constant_misses: u64,
    /// `RubyVM.keep_script_lines`
    pub keep_script_lines: bool,
    /// The number of forks from the first process to this one.
    pub forks: u32,
    /// The number of forks that this process made.
    pub children: u32,
    #[trace(skip)]
    pub lock: GlobalLock,
    #[trace(skip)]
    pub parking: Parking,
    #[trace(skip)]
    pub stacks: FiberStacks,
    pub roots: NamedRoots,
    pub feature_lists: FeatureLists,
    /// All contexts, one per thread.
    #[trace(skip = "roots of another sort, see roots.rs")]
    pub contexts: Vec<*mut Cx>,
    /// The main thread's context, as an address.
    pub main_context: usize,
    pub main_object: Value,
    /// The outermost lexical scope: Object.
    pub top_cref: Value,
    pub refinements_used: bool,
    /// Whether a Ractor was started: then constant caches only keep shareable values.
    pub ractors_used: bool,
    /// The number of the most recently created Ractor.
    pub last_ractor_id: u64,
    /// Ractor::Port
    pub ractor_port_class: RootValue,
    /// The end of `__END__` in the most recently compiled source.
    pub data_offset: Option<u64>,
    /// Sources that were evaluated often.
    #[trace(skip)]
    pub repeated: Repeated,
    /// What the warnings about unused blocks know.
    #[trace(skip)]
    pub unused_blocks: UnusedBlocks,
    /// The blocks of at_exit; the last one runs first.
    #[trace(skip = "roots of another sort, see roots.rs")]
    pub at_exit: Vec<RootValue>,
    /// The exception classes, in the order of [`crate::error::ErrorClass`].
    pub error_classes: Vec<RootValue>,
    /// The Procs of `&:name`.
    pub symbol_procs: SymMap<RootValue>,
    /// `Encoding.default_external`, `default_internal`.
    #[trace(skip)]
    pub default_external: EncodingId,
    #[trace(skip)]
    pub default_internal: Option<EncodingId>,
    /// `Regexp.timeout` in nanoseconds.
    pub regexp_timeout: Option<u64>,
    /// The events, as bits of [`crate::trace`], of trace points without a target.
    pub trace_events: u32,
    /// The address of the code of the block that compiled code has called last through the runtime, and how often in a
    /// row.
    pub repeated_yields: (u64, u32),
    /// Whether code is compiled without `specialized_instruction`.
    pub compiles_unspecialized: bool,
    /// Whether the core methods that are traced like methods in Ruby are marked.
    pub has_marked_ruby_methods: bool,
    /// The events of all trace points, including those with a target.
    pub trace_interest: u32,
    /// Events for which all code is still patched although no trace point without a target needs them: removing the
    /// trace instructions is put off, because a stepping debugger sets and removes its trace point at each step.
    pub trace_resting: u32,
    /// The number of trace instructions that may still be executed until they are removed.
    pub trace_rest: u32,
    /// The enabled trace points: an Array that is never changed, only replaced, or nil.
    pub trace_points: Value,
    /// Branch-coverage counters.
    #[trace(skip)]
    pub counting: crate::counters::Counting,
    /// The Random behind Kernel#rand, or nil.
    pub default_random: Value,
    /// All linked code.
    #[trace(skip)]
    pub codes: Registry,
    /// The hooks of extensions in C into the collector.
    #[trace(with = super::extensions::trace_extensions)]
    pub extensions: Extensions,
    /// Listeners of collections and allocations.
    #[trace(skip = "roots of another sort, see roots.rs")]
    pub collector: Collector,
    /// The profiler's state.
    #[trace(with = super::sampling::trace_kept)]
    pub sampling: Sampling,
}

impl Vm {
    pub fn new(heap: &'static heap::Heap, hooks: Hooks, upper: UpperFloors, options: Options) -> Vm {
        Vm {
            heap,
            hooks,
            upper,
            options,
            globals: Globals::default(),
            redefined: Redefined::default(),
            redefined_before_tracing: None,
            observes_allocations: false,
            own_operations: OwnOperations::default(),
            constant_misses: 0,
            keep_script_lines: false,
            unused_blocks: UnusedBlocks::default(),
            forks: 0,
            children: 0,
            lock: GlobalLock::default(),
            parking: Parking::default(),
            stacks: FiberStacks::default(),
            roots: NamedRoots::default(),
            feature_lists: FeatureLists::NONE,
            contexts: Vec::new(),
            main_context: 0,
            main_object: Value::NIL,
            top_cref: Value::NIL,
            refinements_used: false,
            ractors_used: false,
            last_ractor_id: 0,
            ractor_port_class: RootValue(Value::NIL),
            data_offset: None,
            repeated: Default::default(),
            at_exit: Vec::new(),
            error_classes: Vec::new(),
            symbol_procs: SymMap::default(),
            default_external: EncodingId::UTF_8,
            default_internal: None,
            regexp_timeout: None,
            trace_events: 0,
            repeated_yields: (0, 0),
            compiles_unspecialized: false,
            has_marked_ruby_methods: false,
            trace_interest: 0,
            trace_resting: 0,
            trace_rest: 0,
            trace_points: Value::NIL,
            counting: Default::default(),
            default_random: Value::NIL,
            codes: Default::default(),
            extensions: Default::default(),
            collector: Default::default(),
            sampling: Default::default(),
        }
    }
}

impl Vm {
    /// The operations that a program redefined, regardless of call tracing: for native loops, which make no traceable
    /// calls.
    #[inline(always)]
    pub fn redefinitions(&self) -> &Redefined {
        self.redefined_before_tracing.as_ref().unwrap_or(&self.redefined)
    }

    /// The operations that a program redefined, and those that must be calls while calls are traced.
    #[inline]
    pub fn all_redefinitions(&self) -> Redefinitions<'_> {
        Redefinitions {
            by_program: self.redefinitions(),
            in_force: &self.redefined,
            observes_allocations: self.observes_allocations,
        }
    }

    /// Disables compiled code whose assumptions no longer hold, and enables code whose assumptions hold again: after
    /// redefinitions of basic operations, when trace points were set or removed, and when allocations are observed.
    pub fn refresh_compiled(&self) {
        let redefined = self.all_redefinitions();
        self.codes.each(&mut |code| code.tier.refresh(code.is_traced(), redefined));
    }
}

impl Cx {
    /// A named root; nil before it is set.
    #[inline]
    pub fn root(&self, root: Root) -> Value {
        self.vm().roots.get(root)
    }

    pub fn set_root(&mut self, root: Root, value: Value) {
        self.vm_mut().roots.set(root, value);
    }

    /// The variable of an alias.
    pub fn global_name(&self, name: Sym) -> Sym {
        self.vm().globals.find(name).map_or(name, |variable| variable.name)
    }
}
