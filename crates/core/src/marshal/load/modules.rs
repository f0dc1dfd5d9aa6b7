//! Classes and modules, objects of user classes, extended objects.

use abi::{Type, Value};
use object::{
    Known,
    array::Arr,
    cell,
    class::{self, ancestors},
};
use runtime::{Cx, R, intrinsics, make};
use text::encoding::EncodingId;

use super::{
    super::{format, names},
    Context, Loader,
};
use crate::class::allocate_instance;

impl Loader {
    /// The class whose name follows.
    pub fn class(&mut self, cx: &mut Cx) -> R<(Value, Value)> {
        let path = self.symbol(cx)?;
        Ok((names::find_class_at(cx, path)?, path))
    }

    /// `c`, `m` and the old `M`. The only variable that may follow is the name's encoding; `variables_follow` is set to
    /// false after reading it.
    pub fn module(&mut self, cx: &mut Cx, kind: u8, context: Context, variables_follow: Option<&mut bool>) -> R {
        let bytes = self.source.bytes(cx)?;
        let path = make::string(cx, &bytes, EncodingId::BINARY);
        let mut left = false;
        if let Some(variables_follow) = variables_follow {
            if *variables_follow && kind != format::MODULE_OLD {
                *variables_follow = self.name_encoding(cx, path)? > 0;
            }
            left = *variables_follow;
        }
        if bytes.is_ascii() {
            object::string::Str::of(path).set_encoding(EncodingId::US_ASCII);
        }
        let (found, kind) = match kind {
            format::CLASS => (names::find_class_at(cx, path)?, "class"),
            format::MODULE => {
                let found = names::find_module(cx, path)?;
                (names::must_be_module(cx, found, path)?, "module")
            }
            _ => (names::find_module(cx, path)?, "class/module"),
        };
        if left {
            return Err(self.cannot_override(cx, kind, path));
        }
        self.enter(cx, found);
        self.leave(cx, found, context)
    }

    /// `C`: an object of a core type with its own class. For a Hash, the class Hash means that it compares by identity.
    pub fn of_user_class(&mut self, cx: &mut Cx, context: Context, variables_follow: Option<&mut bool>) -> R {
        let (class, _) = self.class(cx)?;
        if class::flags(class).singleton {
            return Err(cx.type_error("singleton can't be loaded"));
        }
        let kind = self.source.byte(cx)?;
        if class == cx.class(Known::Hash) && matches!(kind, format::HASH | format::HASH_WITH_DEFAULT) {
            return self.hash(cx, kind, context, true);
        }
        // The class is set before the object is frozen or passed to the proc.
        let inner = Context { partial: true, ..context };
        let v = self.object_with(cx, kind, inner, variables_follow)?;
        let fits = v.is_heap()
            && matches!(cell::header(v).ty(), Type::String | Type::Regexp | Type::Array | Type::Hash)
            && class::instances(class) == cell::header(v).ty();
        if !fits {
            if !matches!(class::instances(class), Type::String | Type::Regexp | Type::Array | Type::Hash) {
                allocate_instance(cx, class)?;
            }
            return Err(cx.argument_error("dump format error (user class)"));
        }
        set_class(cx, v, class);
        self.leave(cx, v, context)
    }

    /// `e`: extended by a module; the name of its class follows the modules prepended to it.
    pub fn extended(&mut self, cx: &mut Cx, context: Context) -> R {
        let path = self.symbol(cx)?;
        let module = names::find_module(cx, path)?;
        let modules = if context.modules.is_nil() { make::array(cx, &[]) } else { context.modules };
        let kind = self.source.byte(cx)?;
        if class::is_class(module) {
            let v = self.object_of(cx, kind, Context { partial: true, modules: Value::NIL })?;
            let own = class::class_of(cx, v);
            if own != module || class::flags(own).singleton {
                let own = names::name_of(cx, class::non_singleton(own));
                let (path, own) = (names::shown(path), names::shown(own));
                return Err(cx.argument_error(&format!("prepended class {path} differs from class {own}")));
            }
            self.add_modules(cx, v, modules, true)?;
            return self.leave(cx, v, context);
        }
        make::push(cx, modules, module);
        let v = self.object_of(cx, kind, Context { partial: true, modules })?;
        self.add_modules(cx, v, modules, false)?;
        self.leave(cx, v, context)
    }

    /// Extends `v` with the modules of the Array, the last one first.
    pub fn add_modules(&mut self, cx: &mut Cx, v: Value, modules: Value, prepend: bool) -> R<()> {
        while let Some(module) = Arr::of(modules).pop(cx) {
            let singleton = intrinsics::singleton_class_of(cx, v)?;
            let added = if prepend {
                ancestors::prepend(cx, singleton, module)
            } else {
                ancestors::include(cx, singleton, module)
            };
            if added.is_err() {
                return Err(cx.argument_error("cyclic include detected"));
            }
        }
        Ok(())
    }
}

/// Makes `v` an instance of `class`, whose instances must have the same layout.
fn set_class(cx: &mut Cx, v: Value, class: Value) {
    let shape = cell::header(v).shape();
    let shape = cx.mem().world_mut().shapes.with_class(shape, class);
    cell::set_header(v, cell::header(v).with_shape(shape));
}
