//! Class names before objects, and the modules that singleton classes include or prepend.

use abi::Value;
use object::{
    Known,
    array::Arr,
    class::{self, class_data},
    hash,
    shape::ivars,
};
use runtime::{Cx, R, convert, make};

use super::{
    super::{format, names},
    Dumper,
};

impl Dumper {
    /// Writes a class's path as a symbol.
    fn path(&mut self, cx: &mut Cx, path: Value) -> R<()> {
        names::not_anonymous(cx, "class", path)?;
        let name = convert::string_to_symbol(cx, object::string::Str::of(path));
        self.symbol(cx, name)
    }

    /// Writes `kind` and the class of the object, after the modules that extend the object.
    pub fn class(&mut self, cx: &mut Cx, kind: u8, v: Value, with_modules: bool) -> R<()> {
        if with_modules {
            self.extended(cx, v)?;
        }
        self.byte(kind);
        let named = if self.stand_ins.is_nil() { v } else { hash::identity_get(self.stand_ins, v).or(v) };
        let class = class::real_class(cx, named);
        let path = names::path_of(cx, class)?;
        self.path(cx, path)
    }

    /// Writes the class of an object of a core type, unless it is that type's own class.
    pub fn user_class(&mut self, cx: &mut Cx, v: Value, own: Known) -> R<()> {
        self.extended(cx, v)?;
        let class = class::real_class(cx, v);
        if class == cx.class(own) {
            return Ok(());
        }
        self.byte(format::USER_CLASS);
        let path = names::path_of(cx, class)?;
        self.path(cx, path)
    }

    /// Writes the extending modules. TypeError for singleton classes with their own methods or variables. The class
    /// name follows the modules prepended to it.
    fn extended(&mut self, cx: &mut Cx, v: Value) -> R<()> {
        let Some(singleton) = class::make::existing_singleton(cx, v) else { return Ok(()) };
        let has_methods = !class_data(cx, singleton).methods().is_empty();
        let has_variables = ivars::names(cx, singleton).iter().any(|name| name.bytes(cx).starts_with(b"@"));
        if has_methods || has_variables {
            return Err(cx.type_error("singleton can't be dumped"));
        }
        let modules = make::array(cx, &[]);
        class::ancestors::segment(singleton).for_each(|module| make::push(cx, modules, module));
        for i in 0..Arr::of(modules).len() {
            let module = Arr::of(modules).at(i);
            if module == singleton && i == 0 {
                continue;
            }
            let named = if module == singleton { class::real_class(cx, v) } else { module };
            let path = names::name_of(cx, named);
            self.byte(format::EXTENDED);
            self.path(cx, path)?;
        }
        Ok(())
    }
}
