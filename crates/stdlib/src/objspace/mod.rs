//! The library objspace: sizes, references, allocation sites, dumps. Children: `sizes`, `graph`, `wrapper` (internal
//! objects for programs), `origins`, `dump` (JSON of one object, of all, of the shapes), `json`.

mod dump;
mod graph;
mod json;
mod origins;
mod sizes;
mod wrapper;

use object::Known;
use runtime::{Cx, Method, R, define, internal, library};

const SINGLETON: &[Method] = &[
    Method::new("memsize_of(object)", sizes::memsize_of),
    Method::new("memsize_of_all(class = nil)", sizes::memsize_of_all),
    Method::new("count_objects_size(result = nil)", sizes::count_objects_size),
    Method::new("count_nodes(result = nil)", sizes::count_nodes),
    Method::new("count_tdata_objects(result = nil)", sizes::count_tdata_objects),
    Method::new("count_imemo_objects(result = nil)", sizes::count_imemo_objects),
    Method::new("count_symbols(result = nil)", sizes::count_symbols),
    Method::new("reachable_objects_from(object)", graph::reachable_objects_from),
    Method::new("reachable_objects_from_root", graph::reachable_objects_from_root),
    Method::new("internal_class_of(object)", graph::internal_class_of),
    Method::new("internal_super_of(module)", graph::internal_super_of),
    Method::new("trace_object_allocations(sample: 1) { }", origins::trace),
    Method::new("trace_object_allocations_start(sample: 1)", origins::start),
    Method::new("trace_object_allocations_debug_start", origins::start),
    Method::new("trace_object_allocations_stop", origins::stop),
    Method::new("trace_object_allocations_clear", origins::clear),
    Method::new("allocation_sourcefile(object)", origins::sourcefile),
    Method::new("allocation_sourceline(object)", origins::sourceline),
    Method::new("allocation_class_path(object)", origins::class_path),
    Method::new("allocation_method_id(object)", origins::method_id),
    Method::new("allocation_generation(object)", origins::generation),
    Method::new("_dump(object, output)", dump::object).private(),
    Method::new("_dump_all(output, full, since, shapes)", dump::all).private(),
    Method::new("_dump_shapes(output, since)", dump::shapes).private(),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "ObjectSpace")?;
    define::define_singleton_methods(cx, module, SINGLETON);
    wrapper::define(cx, module)?;
    internal::load(cx, runtime::ruby_half!("objspace/objspace"))
}
