//! Kernel: functions, called without a receiver. The methods of objects are in `object`.
//!
//! - `control`: raise, catch, exit; `context`: binding, caller, eval, procs; `conversions`: Integer() …; `format`,
//!   `output`, `warn`.
//! - `kernel.rb`: methods that yield.

pub mod context;
pub mod control;
pub mod conversions;
pub mod output;
pub mod pause;
pub mod warn;

use abi::Value;
use object::{Known, class};
use runtime::{Args, Cx, Method, R, constants::cref, define, make, method_table::InLine, reflect};

use crate::module::constants;

pub const METHODS: &[Method] = &[
    Method::new("raise(*arguments, **options)", control::raise).module_function(),
    Method::new("fail(*arguments, **options)", control::raise).module_function(),
    Method::new("catch(tag = nil, &block)", control::catch).module_function(),
    // What `catch` without a tag calls; backtraces leave it out.
    Method::new("__catch(tag, &block)", control::catch).private(),
    Method::new("throw(tag, value = nil)", control::throw).module_function(),
    Method::new("exit(status = true)", control::exit).module_function(),
    Method::new("exit!(status = false)", control::exit_now).module_function(),
    Method::new("fork { }", crate::process::run::fork).module_function(),
    Method::new("abort(message = nil)", control::abort).module_function(),
    Method::new("at_exit(&block)", control::at_exit).module_function(),
    Method::new("binding", context::binding).module_function(),
    Method::new("block_given?", context::block_given).module_function().in_line(InLine::BlockGiven),
    Method::new("iterator?", context::is_iterator).module_function(),
    Method::new("local_variables", context::local_variables).module_function(),
    Method::new("eval(source, binding = nil, file = nil, line = 1)", context::kernel_eval).module_function(),
    Method::new("proc(&block)", context::kernel_proc).module_function(),
    Method::new("lambda(&block)", context::kernel_lambda).module_function(),
    Method::new("caller(start = 1, length = nil)", context::caller).module_function(),
    Method::new("caller_locations(start = 1, length = nil)", context::caller_locations).module_function(),
    Method::new("__method__", context::current_method).module_function(),
    Method::new("__callee__", context::current_callee).module_function(),
    Method::new("__dir__", context::directory).module_function(),
    Method::new("__kernel_integer(value, base, exception)", conversions::integer)
        .borrows(0)
        .quick(conversions::quick_integer)
        .private(),
    Method::new("__kernel_float(value, exception)", conversions::kernel_float)
        .borrows(0)
        .quick(conversions::quick_float)
        .private(),
    Method::new("String(value)", conversions::string).module_function(),
    Method::new("Array(value)", conversions::array).module_function(),
    Method::new("Hash(value)", conversions::hash).module_function(),
    Method::new("format(*arguments)", crate::string::format::kernel_format).borrows_all().module_function(),
    Method::new("sprintf(*arguments)", crate::string::format::kernel_format).borrows_all().module_function(),
    Method::new("printf(*arguments)", output::printf).borrows_all().module_function(),
    Method::new("putc(character)", output::putc).borrows(0).module_function(),
    Method::new("warn(*messages, uplevel: nil, category: nil)", warn::warn).module_function(),
    Method::new("sleep(seconds = nil)", pause::sleep).module_function(),
    Method::new("global_variables", global_variables).module_function(),
    Method::new("autoload(name, path)", autoload).module_function(),
    Method::new("autoload_relative(name, path)", autoload_relative).module_function(),
    Method::new("autoload?(name, inherit = true)", autoload_path).module_function(),
];

/// Creates the module; `object` adds the methods of objects.
pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let kernel = define::define_module(cx, object, "Kernel");
    cx.set_root(runtime::Root::Kernel, kernel);
    define::define_methods(cx, kernel, METHODS);
}

/// `global_variables → array`: the names of the global variables that are set, and `$1` etc. for the groups of the last
/// match, as symbols.
fn global_variables(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    let names: Vec<object::Sym> = cx.vm().globals.names().collect();
    for name in names {
        make::push(cx, list, name.value());
    }
    let groups = object::native::get::<runtime::special::MatchInfo>(&runtime::special::last_match(cx))
        .map_or(0, |info| runtime::special::program_of(&info.regexp).group_count());
    for n in 1..=groups {
        // Of the groups, those that took part in the match, and the first and the last.
        let matched = runtime::special::last_match(cx);
        let has_matched = crate::match_data::groups::text(cx, matched, n).is_ok_and(|text| !text.is_nil());
        if n != 1 && n != groups && !has_matched {
            continue;
        }
        let name = object::symbol::table::intern_text(cx, &format!("${n}"));
        make::push(cx, list, name.value());
    }
    Ok(list)
}

/// The module that `autoload` without a receiver applies to.
fn lexical_module(cx: &Cx) -> Value {
    let module = reflect::caller(cx).map_or(cx.class(Known::Object), |frame| cref::module(frame.scope.cref));
    class::non_singleton(module)
}

/// `autoload(name, path) → nil`: `require`s the path when the constant is first used, in the module around the call.
/// ArgumentError for an empty path, NameError for a name that is not valid for a constant.
fn autoload(cx: &mut Cx, args: Args) -> R {
    let module = lexical_module(cx);
    constants::set_autoload(cx, module, args.at(0), args.at(1))
}

/// `autoload_relative(name, path) → nil`: like `autoload`, with a path relative to the directory of the calling file.
fn autoload_relative(cx: &mut Cx, args: Args) -> R {
    let module = lexical_module(cx);
    constants::set_autoload_relative(cx, module, args.at(0), args.at(1))
}

/// `autoload?(name, inherit = true) → string or nil`: the path registered by `autoload` for a constant that is not
/// loaded yet.
fn autoload_path(cx: &mut Cx, args: Args) -> R {
    let module = lexical_module(cx);
    constants::path_of_autoload(cx, module, args.at(0), args.opt(1).is_none_or(Value::truthy))
}

/// Functions added by `-n` and `-p`: sub, gsub, chop and chomp of `$_`.
pub fn define_line_functions(cx: &mut Cx) {
    runtime::internal::load(cx, runtime::ruby_half!("kernel/lines")).expect("the Ruby half of Kernel runs");
}

/// Loads the methods that yield, after all classes that they need.
pub fn load(cx: &mut Cx) {
    runtime::internal::load(cx, runtime::ruby_half!("kernel/kernel")).expect("the Ruby half of Kernel runs");
}
