//! Values that live as long as the VM and belong to no other table: classes of core and the standard library, caches,
//! variables.

use abi::Value;
use heap::Trace;

macro_rules! roots {
    ($( $(#[doc = $doc:literal])+ $name:ident, )*) => {
        /// The names of the values in [`NamedRoots`].
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
    /// The autoloads in progress.
    AutoloadsUnderWay,
    /// `BigDecimal`.
    BigDecimal,
    /// The class of what `blocking_operation_wait` gets.
    BlockingOperation,
    /// The classes whose instances are never shared among Ractors.
    ClassesNeverShared,
    /// `Comparable`.
    Comparable,
    /// `coverage`.
    Coverage,
    /// `Date`.
    Date,
    /// What was assigned to `$DEBUG`.
    Debug,
    /// A frozen Array: the rest parameter of methods of the Ruby half that only read it, without arguments for it.
    EmptyRest,
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
    /// The keys of `GC.stat`, an Array that nothing else refers to.
    GcStatKeys,
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
    /// Whether the warning that IO::Buffer is experimental was printed.
    IoBufferWarningGiven,
    /// `IO::ConsoleMode`.
    IoConsoleMode,
    /// `IO::generic_readable`.
    IoGenericReadable,
    /// The error if irb cannot be loaded.
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
    /// The classes whose objects Marshal dumps as objects of other classes.
    MarshalStandIns,
    /// Objects that extensions in C keep for the life of the process.
    NativeObjects,
    /// `nil.to_s`.
    NilText,
    /// The NoMemoryError for when there is no memory for another one.
    NoMemory,
    /// `ObjectSpace::InternalObjectWrapper`.
    ObjectSpaceInternalObjectWrapper,
    /// `$\`.
    OutputSeparator,
    /// The position and error of the first invalid pattern.
    PatternComplaint,
    /// `Prism`.
    Prism,
    /// The layouts of Prism's nodes.
    PrismLayouts,
    /// The module whose private constant was referenced.
    PrivateConstantOwner,
    /// `Process`.
    Process,
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
    /// The Regexps of interpolated parts that were made lately.
    RecentRegexps,
    /// `Refinement`.
    Refinement,
    /// The error of the most recently rejected pattern.
    RefusedPattern,
    /// The method that was replaced.
    ReplacedMethod,
    /// Whether rubygems is still to be loaded.
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
    /// Whether syntax_suggest was requested.
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

/// A value among the roots of a VM.
#[derive(Clone, Copy, Trace)]
pub struct RootValue(pub Value);

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
