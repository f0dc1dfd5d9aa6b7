//! Values that live as long as the VM and belong to no other table: classes made by core and the standard library,
//! caches, variables that keep their value here.

use abi::Value;
use heap::Trace;

use crate::vm::RootValue;

macro_rules! roots {
    ($( $(#[doc = $doc:literal])+ $name:ident, )*) => {
        /// What a value of [`NamedRoots`] is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Root { $( $(#[doc = $doc])+ $name ),* }

        const COUNT: usize = [$(Root::$name),*].len();
    };
}

roots! {
    /// `ARGF`.
    Argf,
    /// `ARGV`.
    Argv,
    /// `ArithmeticSequence`.
    ArithmeticSequence,
    /// Autoloads under way.
    AutoloadsUnderWay,
    /// `BigDecimal`.
    BigDecimal,
    /// Classes never shared.
    ClassesNeverShared,
    /// `Comparable`.
    Comparable,
    /// `coverage`.
    Coverage,
    /// `Date`.
    Date,
    /// `encodings`.
    Encodings,
    /// `Enumerable`.
    Enumerable,
    /// `Errno`.
    Errno,
    /// `false.to_s`.
    FalseText,
    /// Features being loaded.
    FeaturesBeingLoaded,
    /// `$,`.
    FieldSeparator,
    /// `File::Stat`.
    FileStat,
    /// `GC.auto_compact`.
    GcAutoCompact,
    /// `GC.measure_total_time`.
    GcMeasureTotalTime,
    /// `$/`.
    InputSeparator,
    /// `InstructionSequence.compile_option`.
    InstructionSequenceCompileOption,
    /// `IO::Buffer`.
    IoBuffer,
    /// `IO::Buffer::AccessError`.
    IoBufferAccessError,
    /// `IO::Buffer::AllocationError`.
    IoBufferAllocationError,
    /// `IO::Buffer::InvalidatedError`.
    IoBufferInvalidatedError,
    /// `IO::Buffer::LockedError`.
    IoBufferLockedError,
    /// `IO::Buffer::MaskError`.
    IoBufferMaskError,
    /// Has the program been warned that IO::Buffer is experimental?
    IoBufferWarningGiven,
    /// `IO::ConsoleMode`.
    IoConsoleMode,
    /// `IO::generic_readable`.
    IoGenericReadable,
    /// Irb cannot be loaded.
    IrbLoadError,
    /// `JSON::State`.
    JsonState,
    /// `Kernel`.
    Kernel,
    /// `$.`.
    LineNumber,
    /// `$LOAD_PATH`.
    LoadPath,
    /// `$LOADED_FEATURES`.
    LoadedFeatures,
    /// Main ractor.
    MainRactor,
    /// Main script.
    MainScript,
    /// Main thread.
    MainThread,
    /// Objects that extensions in C want to live as long as the process.
    NativeObjects,
    /// `nil.to_s`.
    NilText,
    /// `ObjectSpace::InternalObjectWrapper`.
    ObjectSpaceInternalObjectWrapper,
    /// `$\`.
    OutputSeparator,
    /// Complaint about a pattern.
    PatternComplaint,
    /// `Prism`.
    Prism,
    /// Prism's layouts.
    PrismLayouts,
    /// Private constant's module.
    PrivateConstantOwner,
    /// `Process.argv0`.
    ProcessArgv0,
    /// `Process::Status`.
    ProcessStatus,
    /// `$0`.
    ProgramName,
    /// `Ractor::MovedObject`.
    RactorMovedObject,
    /// `ractors`.
    Ractors,
    /// `Refinement`.
    Refinement,
    /// Refused pattern.
    RefusedPattern,
    /// Replaced method.
    ReplacedMethod,
    /// Rubygems is pending.
    RubygemsPending,
    /// `Set`.
    Set,
    /// Signal handlers.
    SignalHandlers,
    /// `$;`.
    SplitPattern,
    /// `$stderr`.
    StandardError,
    /// `$stdin`.
    StandardInput,
    /// `$stdout`.
    StandardOutput,
    /// `STDERR`.
    Stderr,
    /// `STDIN`.
    Stdin,
    /// `STDOUT`.
    Stdout,
    /// `StringScanner::Error`.
    StringScannerError,
    /// `symbol_procs`.
    SymbolProcs,
    /// Syntax_suggest was asked for.
    SyntaxSuggestAsked,
    /// `Thread.abort_on_exception`.
    ThreadAbortOnException,
    /// `Thread::Backtrace::Location`.
    ThreadBacktraceLocation,
    /// `ThreadGroup::Default`.
    ThreadGroupDefault,
    /// `Thread.ignore_deadlock`.
    ThreadIgnoreDeadlock,
    /// `Thread.report_on_exception`.
    ThreadReportOnException,
    /// `threads`.
    Threads,
    /// Threads being started.
    ThreadsBeingStarted,
    /// Threads that wait for features.
    ThreadsWaitingForFeatures,
    /// `TOPLEVEL_BINDING`.
    ToplevelBinding,
    /// Trace function.
    TraceFunction,
    /// `TracePoint`.
    TracePoint,
    /// Traced variables.
    TracedVariables,
    /// `true.to_s`.
    TrueText,
    /// The VM as an object.
    VmObject,
    /// Fibers that wait.
    WaitingFibers,
    /// `Warning`.
    Warning,
}

#[derive(Trace)]
pub struct NamedRoots([RootValue; COUNT]);

impl Default for NamedRoots {
    fn default() -> NamedRoots {
        NamedRoots([RootValue(Value::NIL); COUNT])
    }
}

impl NamedRoots {
    #[inline]
    pub fn get(&self, root: Root) -> Value {
        self.0[root as usize].0
    }

    pub fn set(&mut self, root: Root, value: Value) {
        self.0[root as usize].0 = value;
    }
}
