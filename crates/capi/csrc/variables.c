/* The global variables of the interface. */
#include "border.h"

#undef RUBY_EXTERN
#define RUBY_EXTERN
const struct beni_shape_classes *beni_shapes;
VALUE beni_hidden_class;
VALUE beni_kind_of_data;
VALUE rb_cObject;
VALUE rb_cBasicObject;
VALUE rb_cArray;
VALUE rb_cBinding;
VALUE rb_cClass;
VALUE rb_cDir;
VALUE rb_cEncoding;
VALUE rb_cEnumerator;
VALUE rb_cFalseClass;
VALUE rb_cFile;
VALUE rb_cFloat;
VALUE rb_cHash;
VALUE rb_cIO;
VALUE rb_cInteger;
VALUE rb_cMatch;
VALUE rb_cMethod;
VALUE rb_cModule;
VALUE rb_cNilClass;
VALUE rb_cNumeric;
VALUE rb_cProc;
VALUE rb_cRandom;
VALUE rb_cRange;
VALUE rb_cRational;
VALUE rb_cComplex;
VALUE rb_cRegexp;
VALUE rb_cSet;
VALUE rb_cStat;
VALUE rb_cString;
VALUE rb_cStruct;
VALUE rb_cSymbol;
VALUE rb_cThread;
VALUE rb_cTime;
VALUE rb_cTrueClass;
VALUE rb_cUnboundMethod;
VALUE rb_cRactor;
VALUE rb_cRefinement;
VALUE rb_cNameErrorMesg;
VALUE rb_mComparable;
VALUE rb_mEnumerable;
VALUE rb_mErrno;
VALUE rb_mFileTest;
VALUE rb_mGC;
VALUE rb_mKernel;
VALUE rb_mMath;
VALUE rb_mProcess;
VALUE rb_mWaitReadable;
VALUE rb_mWaitWritable;
VALUE rb_eException;
VALUE rb_eStandardError;
VALUE rb_eSystemExit;
VALUE rb_eInterrupt;
VALUE rb_eSignal;
VALUE rb_eFatal;
VALUE rb_eArgError;
VALUE rb_eEOFError;
VALUE rb_eIndexError;
VALUE rb_eStopIteration;
VALUE rb_eKeyError;
VALUE rb_eRangeError;
VALUE rb_eIOError;
VALUE rb_eIOTimeoutError;
VALUE rb_eRuntimeError;
VALUE rb_eFrozenError;
VALUE rb_eSecurityError;
VALUE rb_eSystemCallError;
VALUE rb_eThreadError;
VALUE rb_eTypeError;
VALUE rb_eZeroDivError;
VALUE rb_eNotImpError;
VALUE rb_eNoMemError;
VALUE rb_eNoMethodError;
VALUE rb_eFloatDomainError;
VALUE rb_eLocalJumpError;
VALUE rb_eSysStackError;
VALUE rb_eRegexpError;
VALUE rb_eEncodingError;
VALUE rb_eEncCompatError;
VALUE rb_eNoMatchingPatternError;
VALUE rb_eNoMatchingPatternKeyError;
VALUE rb_eScriptError;
VALUE rb_eNameError;
VALUE rb_eSyntaxError;
VALUE rb_eLoadError;
VALUE rb_eMathDomainError;
VALUE rb_eEAGAIN;
VALUE rb_eEWOULDBLOCK;
VALUE rb_eEINPROGRESS;
VALUE rb_cIOBuffer;
size_t RUBY_IO_BUFFER_PAGE_SIZE = 4096;
size_t RUBY_IO_BUFFER_DEFAULT_SIZE = 65536;
const struct rb_ractor_local_storage_type rb_ractor_local_storage_type_free = {0, ruby_xfree};
VALUE rb_default_rs;
const int ruby_api_version[3] = {RUBY_API_VERSION_MAJOR, RUBY_API_VERSION_MINOR, RUBY_API_VERSION_TEENY};
const char ruby_version[] = "4.0.0";
const char ruby_release_date[] = "2025-12-25";
const char ruby_platform[] = RUBY_PLATFORM;
const char ruby_description[] = "beni (a Ruby " "4.0)";
const char ruby_copyright[] = "beni";
const char ruby_engine[] = "beni";
const char ruby_hexdigits[] = "0123456789abcdef0123456789ABCDEF";
#define NONE16 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
#define LETTERS -1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, \
    25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, -1, -1, -1, -1, -1
/* The value of a character as a digit. */
const signed char ruby_digit36_to_number_table[] = {
    NONE16, NONE16, NONE16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1, LETTERS, LETTERS,
    NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16, NONE16
};
#undef NONE16
#undef LETTERS
const int ruby_patchlevel = 0;

/* The constants whose values Rust stores in the variables: name and address. */
struct beni_variable {
    const char *constant;
    VALUE *variable;
};

const struct beni_variable beni_variables[] = {
    {"Object", &rb_cObject},
    {"BasicObject", &rb_cBasicObject},
    {"Array", &rb_cArray},
    {"Binding", &rb_cBinding},
    {"Class", &rb_cClass},
    {"Dir", &rb_cDir},
    {"Encoding", &rb_cEncoding},
    {"Enumerator", &rb_cEnumerator},
    {"FalseClass", &rb_cFalseClass},
    {"File", &rb_cFile},
    {"Float", &rb_cFloat},
    {"Hash", &rb_cHash},
    {"IO", &rb_cIO},
    {"IO::Buffer", &rb_cIOBuffer},
    {"Integer", &rb_cInteger},
    {"MatchData", &rb_cMatch},
    {"Method", &rb_cMethod},
    {"Module", &rb_cModule},
    {"NilClass", &rb_cNilClass},
    {"Numeric", &rb_cNumeric},
    {"Proc", &rb_cProc},
    {"Random", &rb_cRandom},
    {"Range", &rb_cRange},
    {"Rational", &rb_cRational},
    {"Complex", &rb_cComplex},
    {"Regexp", &rb_cRegexp},
    {"Set", &rb_cSet},
    {"File::Stat", &rb_cStat},
    {"String", &rb_cString},
    {"Struct", &rb_cStruct},
    {"Symbol", &rb_cSymbol},
    {"Thread", &rb_cThread},
    {"Time", &rb_cTime},
    {"TrueClass", &rb_cTrueClass},
    {"UnboundMethod", &rb_cUnboundMethod},
    {"Ractor", &rb_cRactor},
    {"Refinement", &rb_cRefinement},
    {"Comparable", &rb_mComparable},
    {"Enumerable", &rb_mEnumerable},
    {"Errno", &rb_mErrno},
    {"FileTest", &rb_mFileTest},
    {"GC", &rb_mGC},
    {"Kernel", &rb_mKernel},
    {"Math", &rb_mMath},
    {"Process", &rb_mProcess},
    {"IO::WaitReadable", &rb_mWaitReadable},
    {"IO::WaitWritable", &rb_mWaitWritable},
    {"Exception", &rb_eException},
    {"StandardError", &rb_eStandardError},
    {"SystemExit", &rb_eSystemExit},
    {"Interrupt", &rb_eInterrupt},
    {"SignalException", &rb_eSignal},
    {"ArgumentError", &rb_eArgError},
    {"EOFError", &rb_eEOFError},
    {"IndexError", &rb_eIndexError},
    {"StopIteration", &rb_eStopIteration},
    {"KeyError", &rb_eKeyError},
    {"RangeError", &rb_eRangeError},
    {"IOError", &rb_eIOError},
    {"IO::TimeoutError", &rb_eIOTimeoutError},
    {"RuntimeError", &rb_eRuntimeError},
    {"FrozenError", &rb_eFrozenError},
    {"SecurityError", &rb_eSecurityError},
    {"SystemCallError", &rb_eSystemCallError},
    {"ThreadError", &rb_eThreadError},
    {"TypeError", &rb_eTypeError},
    {"ZeroDivisionError", &rb_eZeroDivError},
    {"NotImplementedError", &rb_eNotImpError},
    {"NoMemoryError", &rb_eNoMemError},
    {"NoMethodError", &rb_eNoMethodError},
    {"FloatDomainError", &rb_eFloatDomainError},
    {"LocalJumpError", &rb_eLocalJumpError},
    {"SystemStackError", &rb_eSysStackError},
    {"RegexpError", &rb_eRegexpError},
    {"EncodingError", &rb_eEncodingError},
    {"Encoding::CompatibilityError", &rb_eEncCompatError},
    {"NoMatchingPatternError", &rb_eNoMatchingPatternError},
    {"NoMatchingPatternKeyError", &rb_eNoMatchingPatternKeyError},
    {"ScriptError", &rb_eScriptError},
    {"NameError", &rb_eNameError},
    {"SyntaxError", &rb_eSyntaxError},
    {"LoadError", &rb_eLoadError},
    {"Math::DomainError", &rb_eMathDomainError},
    {"Errno::EAGAIN", &rb_eEAGAIN},
    {"Errno::EWOULDBLOCK", &rb_eEWOULDBLOCK},
    {"Errno::EINPROGRESS", &rb_eEINPROGRESS},
    {0, 0}
};
