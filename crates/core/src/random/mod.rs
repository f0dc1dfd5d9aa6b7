//! Random: the Mersenne twister, with the same sequences as CRuby.
//!
//! Children: `generator` (the state of a Random, and other sources), `draw` (the forms of `rand`).

mod draw;
pub mod generator;

pub use generator::Generator;

use object::class;
use runtime::{Cx, Known, Method, define};

const METHODS: &[Method] = &[
    Method::new("initialize(seed = nil)", generator::initialize).private(),
    Method::new("initialize_copy(other)", generator::initialize_copy).private(),
    Method::new("rand(limit = nil)", draw::rand).quick(draw::quick_rand),
    Method::new("bytes(size)", draw::bytes),
    Method::new("seed", generator::seed),
    Method::new("==(other)", generator::equal).borrows(0),
    Method::new("marshal_dump", generator::marshal_dump).private(),
    Method::new("marshal_load(dump)", generator::marshal_load).private(),
    Method::new("state", generator::state).private(),
    Method::new("left", generator::left).private(),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", generator::allocate),
    Method::new("rand(limit = nil)", draw::default_rand).quick(draw::quick_default),
    Method::new("bytes(size)", draw::default_bytes),
    Method::new("seed", generator::default_seed),
    Method::new("srand(seed = nil)", generator::srand),
    Method::new("new_seed", generator::new_seed),
    Method::new("urandom(size)", draw::urandom),
];

const FORMATTER: &[Method] = &[
    Method::new("random_number(limit = nil)", draw::random_number),
    Method::new("rand(limit = nil)", draw::random_number),
];

const KERNEL: &[Method] = &[
    Method::new("rand(limit = 0)", draw::kernel_rand).quick(draw::quick_default).module_function(),
    Method::new("srand(seed = nil)", generator::srand).module_function(),
];

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Random);
    let object = cx.class(Known::Object);
    let base = define::define_class(cx, class, "Base", object);
    class::make::set_superclass(cx, class, base);
    let formatter = define::define_module(cx, class, "Formatter");
    define::define_methods(cx, formatter, FORMATTER);
    let singleton = class::singleton_class(cx, class);
    for target in [base, singleton] {
        if class::ancestors::include(cx, target, formatter).is_err() {
            panic!("Random cannot include Random::Formatter");
        }
    }
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
}
