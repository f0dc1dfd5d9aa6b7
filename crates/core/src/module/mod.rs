//! Module: methods of classes and modules.
//!
//! - `naming`, `comparison`, `inclusion`, `listing`: queries;
//! - `attributes`, `definition`, `visibility`: methods; `constants`, `class_variables`: by name; `evaluation`:
//!   class_eval.

pub mod attributes;
pub mod class_variables;
pub mod comparison;
pub mod constants;
pub mod definition;
pub mod evaluation;
pub mod inclusion;
pub mod listing;
pub mod naming;
pub mod visibility;

use abi::{Flags, Value};
use object::{
    Known, cell,
    class::{self, ancestors, class_data, class_data_mut},
};
use runtime::{Args, Cx, Method, R, call, convert, define, method_table::InLine, sym};

use crate::{basic_object::nothing, object::copy, refinement};

pub const METHODS: &[Method] = &[
    Method::new("initialize(&block)", initialize).private(),
    Method::new("initialize_copy(original)", initialize_copy).private(),
    Method::new("freeze", freeze),
    Method::new("name", naming::name).leaf().frameless(0),
    Method::new("to_s", naming::to_s),
    Method::new("inspect", naming::to_s),
    Method::new("set_temporary_name(name)", naming::set_temporary_name),
    Method::new("===(object)", comparison::case_equal).borrows(0).leaf().pure().in_line(InLine::Instance),
    Method::new("==(other)", comparison::equal).leaf().pure(),
    Method::new("<(other)", comparison::less),
    Method::new("<=(other)", comparison::less_equal),
    Method::new(">(other)", comparison::greater),
    Method::new(">=(other)", comparison::greater_equal),
    Method::new("<=>(other)", comparison::compare),
    Method::new("include(*modules)", inclusion::include),
    Method::new("prepend(*modules)", inclusion::prepend),
    Method::new("append_features(target)", inclusion::append_features).private(),
    Method::new("prepend_features(target)", inclusion::prepend_features).private(),
    Method::new("extend_object(target)", inclusion::extend_object).private(),
    Method::new("ancestors", inclusion::all).leaf(),
    Method::new("included_modules", inclusion::included_modules).leaf(),
    Method::new("include?(module)", inclusion::is_included),
    Method::new("attr(*names)", attributes::attr).borrows_all(),
    Method::new("attr_reader(*names)", attributes::reader).borrows_all(),
    Method::new("attr_writer(*names)", attributes::writer).borrows_all(),
    Method::new("attr_accessor(*names)", attributes::accessor).borrows_all(),
    Method::new("define_method(name, body = nil, &block)", definition::define_method).borrows(0),
    Method::new("alias_method(new_name, old_name)", definition::alias_method).borrows(0).borrows(1),
    Method::new("remove_method(*names)", definition::remove_method).borrows_all(),
    Method::new("undef_method(*names)", definition::undef_method).borrows_all(),
    Method::new("instance_method(name)", definition::instance_method).borrows(0),
    Method::new("public_instance_method(name)", definition::public_instance_method).borrows(0),
    Method::new("ruby2_keywords(name, *names)", definition::ruby2_keywords).private(),
    Method::new("public(*names)", visibility::public).private(),
    Method::new("private(*names)", visibility::private).private(),
    Method::new("protected(*names)", visibility::protected).private(),
    Method::new("module_function(*names)", visibility::module_function).private(),
    Method::new("private_class_method(*names)", visibility::private_class_method),
    Method::new("public_class_method(*names)", visibility::public_class_method),
    Method::new("private_constant(*names)", visibility::private_constant).borrows_all(),
    Method::new("public_constant(*names)", visibility::public_constant).borrows_all(),
    Method::new("deprecate_constant(*names)", visibility::deprecate_constant).borrows_all(),
    Method::new("instance_methods(all = true)", listing::instance_methods),
    Method::new("public_instance_methods(all = true)", listing::public_instance_methods),
    Method::new("private_instance_methods(all = true)", listing::private_instance_methods),
    Method::new("protected_instance_methods(all = true)", listing::protected_instance_methods),
    Method::new("undefined_instance_methods", listing::undefined_instance_methods),
    Method::new("method_defined?(name, inherit = true)", listing::is_method_defined).borrows(0),
    Method::new("public_method_defined?(name, inherit = true)", listing::is_public_method_defined).borrows(0),
    Method::new("private_method_defined?(name, inherit = true)", listing::is_private_method_defined).borrows(0),
    Method::new("protected_method_defined?(name, inherit = true)", listing::is_protected_method_defined).borrows(0),
    Method::new("const_get(name, inherit = true)", constants::get).borrows(0),
    Method::new("const_set(name, value)", constants::set).borrows(0),
    Method::new("const_defined?(name, inherit = true)", constants::is_defined).borrows(0),
    Method::new("constants(inherit = true)", constants::list),
    Method::new("const_missing(name)", constants::missing),
    Method::new("const_source_location(name, inherit = true)", constants::source_location).borrows(0),
    Method::new("remove_const(name)", constants::remove).borrows(0).private(),
    Method::new("autoload(name, path)", constants::autoload).borrows(0),
    Method::new("autoload_relative(name, path)", constants::autoload_relative),
    Method::new("autoload?(name, inherit = true)", constants::autoload_path).borrows(0),
    Method::new("class_variable_get(name)", class_variables::get).borrows(0),
    Method::new("class_variable_set(name, value)", class_variables::set).borrows(0),
    Method::new("class_variable_defined?(name)", class_variables::is_defined).borrows(0),
    Method::new("class_variables(inherit = true)", class_variables::list),
    Method::new("remove_class_variable(name)", class_variables::remove).borrows(0),
    Method::new("module_eval(*arguments, &block)", evaluation::module_eval),
    Method::new("class_eval(*arguments, &block)", evaluation::module_eval),
    Method::new("module_exec(*arguments, **options, &block)", evaluation::module_exec),
    Method::new("class_exec(*arguments, **options, &block)", evaluation::module_exec),
    Method::new("singleton_class?", is_singleton_class).leaf(),
    Method::new("refine(class, &block)", refinement::refine).private(),
    Method::new("refinements", refinement::refinements),
    Method::new("using(module)", refinement::using).private(),
    Method::new("included(target)", nothing).private().leaf(),
    Method::new("extended(target)", nothing).private().leaf(),
    Method::new("prepended(target)", nothing).private().leaf(),
    Method::new("method_added(name)", nothing).private().leaf(),
    Method::new("method_removed(name)", nothing).private().leaf(),
    Method::new("method_undefined(name)", nothing).private().leaf(),
    Method::new("const_added(name)", nothing).private().leaf(),
];

pub const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("constants(inherit = true)", constants::singleton_list),
    Method::new("nesting", constants::nesting),
    Method::new("used_modules", refinement::used_modules),
    Method::new("used_refinements", refinement::used_refinements),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Module);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
}

/// `Module.allocate → module`: an empty module of the receiver's class.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(class::make::allocate_module_instance(cx, args.me()))
}

/// `Module.new { |module| … }`: evaluates the block with the new module as self.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let block = args.block(cx);
    if !block.is_none() {
        evaluation::run_block(cx, block, me, Some(me), &[me], None)?;
    }
    Ok(Value::NIL)
}

/// `initialize_copy(original) → self`: copies methods, constants, class variables and included modules. TypeError for a
/// class that is already initialized.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let (me, original) = (args.me(), args.at(0));
    if me == original {
        return Ok(me);
    }
    cx.check_frozen(me)?;
    if !class::is_module(original) || class::is_class(me) != class::is_class(original) {
        return Err(cx.type_error("initialize_copy should take same class object"));
    }
    if class::is_class(me) && !std::mem::take(&mut class_data_mut(cx, me).flags.being_copied) {
        crate::class::prepare_copy(cx, me, original)?;
    }
    copy::copy_methods(cx, original, me);
    let source = class_data(cx, original);
    let constants = source.constants().clone();
    *class_data_mut(cx, me).constants_mut() = constants;
    class::class_variables::copy(cx, original, me);
    let own = class_data(cx, original).segment.iter().position(|a| a.0 == original).unwrap_or(0);
    let before: Vec<u64> = class_data(cx, original).segment[..own].iter().map(|a| a.0.0).collect();
    let after: Vec<u64> = class_data(cx, original).segment[own + 1..].iter().map(|a| a.0.0).collect();
    for module in after.into_iter().rev() {
        let _ = ancestors::include(cx, me, Value(module));
    }
    for module in before.into_iter().rev() {
        let _ = ancestors::prepend(cx, me, Value(module));
    }
    copy::copy_singleton(cx, original, me);
    Ok(me)
}

/// `freeze → self`: methods, constants and variables of the module can no longer be changed.
fn freeze(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cell::set_header(me, cell::header(me).with(Flags::FROZEN));
    copy::freeze_singletons(cx, me);
    Ok(me)
}

/// `singleton_class? → true or false`: whether it is the singleton class of an object.
fn is_singleton_class(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(class::flags(args.me()).singleton))
}

/// A path given as a String, by to_path or by to_str.
pub fn path_argument(cx: &mut Cx, v: Value) -> R {
    let v = match call::send_if_responds(cx, v, sym::TO_PATH, &[])? {
        Some(path) => path,
        None => v,
    };
    let path = convert::to_str(cx, v)?;
    if path.contains_byte(0) {
        return Err(cx.argument_error("path name contains null byte"));
    }
    Ok(path.value())
}
