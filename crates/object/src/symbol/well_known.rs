//! Symbols that Rust code mentions, as constants.

use super::Sym;

macro_rules! well_known {
    ($($name:ident $text:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Number { $($name),* }
        $(pub const $name: Sym = Sym::numbered(Number::$name as u32);)*
        /// Their names, in the order of their numbers.
        pub const NAMES: &[&str] = &[$($text),*];
    };
}

well_known! {
    INITIALIZE "initialize" INITIALIZE_COPY "initialize_copy" INITIALIZE_CLONE "initialize_clone"
    INITIALIZE_DUP "initialize_dup"
    METHOD_MISSING "method_missing" RESPOND_TO "respond_to?" RESPOND_TO_MISSING "respond_to_missing?"
    TO_S "to_s" TO_STR "to_str" TO_SYM "to_sym" TO_A "to_a" TO_ARY "to_ary" TO_H "to_h" TO_HASH "to_hash" TO_I "to_i"
    TO_INT "to_int"
    TO_F "to_f" TO_R "to_r" TO_C "to_c" TO_PROC "to_proc" TO_PATH "to_path" TO_IO "to_io" TO_ENUM "to_enum"
    TO_OPEN "to_open" TO_REGEXP "to_regexp"
    INSPECT "inspect" HASH "hash" EQL "eql?" EQUAL "equal?" EQ "==" NEQ "!=" EQQ "===" MATCH "=~" NMATCH "!~" NOT "!"
    PLUS "+" MINUS "-" TIMES "*" DIVIDE "/" MODULO "%" POWER "**" UPLUS "+@" UMINUS "-@" INVERT "~"
    AND "&" OR "|" XOR "^" SHIFT_LEFT "<<" SHIFT_RIGHT ">>" LESS "<" LESS_EQUAL "<=" GREATER ">" GREATER_EQUAL ">="
    COMPARE "<=>"
    AREF "[]" ASET "[]=" CALL "call" NEW "new" ALLOCATE "allocate" EACH "each" EACH_PAIR "each_pair" SUCC "succ"
    NIL_P "nil?" EMPTY_P "empty?" LENGTH "length" SIZE "size"
    COERCE "coerce" DIV "div" DIVMOD "divmod" FREEZE "freeze" CLASS "class" SEND "send" DUP "dup" CLONE "clone"
    PUBLIC_SEND "public_send"
    INHERITED "inherited" INCLUDED "included" EXTENDED "extended" PREPENDED "prepended" EXTEND_OBJECT "extend_object"
    APPEND_FEATURES "append_features" PREPEND_FEATURES "prepend_features"
    METHOD_ADDED "method_added" METHOD_REMOVED "method_removed" METHOD_UNDEFINED "method_undefined"
    SINGLETON_METHOD_ADDED "singleton_method_added" SINGLETON_METHOD_REMOVED "singleton_method_removed"
    SINGLETON_METHOD_UNDEFINED "singleton_method_undefined"
    CONST_MISSING "const_missing" CONST_ADDED "const_added" DECONSTRUCT "deconstruct"
    DECONSTRUCT_KEYS "deconstruct_keys"
    MESSAGE "message" DETAILED_MESSAGE "detailed_message" FULL_MESSAGE "full_message" BACKTRACE "backtrace"
    SET_BACKTRACE "set_backtrace" EXCEPTION "exception" CAUSE "cause"
    REQUIRE "require" RANDOM "random" WRITE "write" READ "read" PUTS "puts" BACKQUOTE "`" DEFAULT "default"
    BEGIN "begin" END "end" FIRST "first" LAST "last" MIN "min" MAX "max"
    MARSHAL_DUMP "marshal_dump" MARSHAL_LOAD "marshal_load" UNDERSCORE_DUMP "_dump" UNDERSCORE_LOAD "_load" JOIN "join"
    KEYS "keys" VALUES "values"
    NAME "name" OBJECT_ID "object_id" UNDERSCORE_SEND "__send__" UNDERSCORE_ID "__id__" INSTANCE_EVAL "instance_eval"
    INSTANCE_EXEC "instance_exec" INTEGER_P "integer?" ABS "abs" FLOOR "floor" MEMBERS "members"
    MEMO_MESSAGE "__message" MEMO_BACKTRACE "__backtrace" MEMO_CAUSE "__cause" MEMO_LOCATIONS "__locations"
    MEMO_LOCALS "__locals"
    MEMO_NAME "__name" MEMO_RECEIVER "__receiver" MEMO_KEY "__key" SET_TABLE "__table"
    MEMO_STATUS "__status" MEMO_VALUE "__value" MEMO_ARGS "__args" MEMO_ERRNO "__errno"
    MEMO_RESULT "__result" MEMO_SIGNO "__signo" MEMO_TAG "__tag" MEMO_PRIVATE "__private"
    MEMO_RACTOR "__ractor" IVAR_REASON "@reason" IVAR_EXIT_VALUE "@exit_value" IVAR_PATH "@path"
    FLUSH "flush" MEMO_ERROR_BYTES "__error_bytes" MEMO_READAGAIN_BYTES "__readagain_bytes"
    MEMO_INCOMPLETE "__incomplete_input"
    MEMO_ERROR_CHAR "__error_char" MEMO_SOURCE_ENCODING_NAME "__source_encoding_name"
    MEMO_DESTINATION_ENCODING_NAME "__destination_encoding_name" MEMO_SOURCE_ENCODING "__source_encoding"
    MEMO_DESTINATION_ENCODING "__destination_encoding"
    MEMO_ORIGIN "__origin" EVAL "eval" BINDING "binding" MEMO_MEMBERS "__members"
    HIGHLIGHT "highlight" ORDER "order" KEY "key" RECEIVER "receiver" HALF "half" IN_PLACE "in" BY "by" TO "to"
    STEP "step" USING "using" AUTOLOAD "autoload"
    OBJECT "Object" ENCODING "encoding" CHOMP "chomp" MODE "mode" FLAGS "flags" PERM "perm" INVALID "invalid"
    UNDEF "undef" REPLACE "replace" RECURSIVE_KEY "__recursive_key__" FALLBACK "fallback" XML "xml"
    CAPACITY "capacity" KEYWORD_INIT "keyword_init" BASE "base" CR_NEWLINE "cr_newline" CRLF_NEWLINE "crlf_newline"
    UNIVERSAL_NEWLINE "universal_newline" NEWLINE "newline"
    ENUM_METHOD "__method" ENUM_OPTIONS "__options" ENUM_SIZE "__size" SEQUENCE_BEGIN "__begin" SEQUENCE_END "__end"
    SEQUENCE_STEP "__step" SEQUENCE_EXCLUSIVE "__exclusive"
    STREAM_STATE "__p" STREAM_READABLE "__readable" STREAM_WRITABLE "__writable" TIMEOUT "timeout"
    SYNCHRONIZE "synchronize"
    DIG "dig" CATCH "catch" BUFFER "buffer" OFFSET "offset" STRUCT_KEYWORD_INIT "__keyword_init"
    DATE_DAY "@jd" DATE_SECOND "@df" DATE_NANOSECOND "@sf" DATE_OFFSET "@of" DATE_START "@sg"
    TARGET "target" TARGET_LINE "target_line" TARGET_THREAD "target_thread" PATH "path"
    MATCH_P "match?" MATCH_METHOD "match" START_WITH_P "start_with?" END_WITH_P "end_with?" CASECMP "casecmp"
    CASECMP_P "casecmp?"
    FIELD_SEPARATOR "$;" BETWEEN_FIELDS "$," AFTER_RECORDS "$\\"
    YEAR "year" MONTH "month" DAY "day" YDAY "yday" WDAY "wday" HOUR "hour" SEC "sec" SUBSEC "subsec" DST "dst"
    ZONE "zone"
    REQUIRED "req" OPTIONAL "opt" REST "rest" BLOCK "block"
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_name_occurs_twice() {
        let mut names = super::NAMES.to_vec();
        names.sort_unstable();
        assert!(
            names.windows(2).all(|pair| pair[0] != pair[1]),
            "the symbols behind the second would have other numbers"
        );
    }
}
