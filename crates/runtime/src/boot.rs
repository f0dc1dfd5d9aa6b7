//! Creation of a VM: heap, world, the main thread's context, and the basic classes.

use std::ptr::NonNull;

use abi::Value;
use heap::{Heap, Mutator};
use object::{Known, Mem, World, class, shape::ShapeTable, symbol::SymbolTable};

use crate::{
    Cx, Vm, backtrace, call, convert, cref, define,
    error::{ErrorClass, NO_MEMORY, class_name_of, classes::TABLE, new_exception},
    frame::{StackPool, stack_sizes},
    keys, roots, sym,
    vm::{Hooks, Options, UpperFloors},
};

/// Bytes of native stack that stay free for raising SystemStackError.
const NATIVE_RESERVE: usize = 256 << 10;

/// Makes the VM and the main thread's context. They live until the process ends.
pub fn start(hooks: Hooks, options: Options, heap_options: heap::Options) -> Result<&'static mut Cx, String> {
    let heap = Heap::new(&object::types::TYPES, heap_options)
        .map_err(|e| format!("no address space for the heap: {}", e.message()))?;
    let heap: &'static Heap = Box::leak(Box::new(heap));
    let mut seed = [0u8; 16];
    host::random::fill(&mut seed).map_err(|e| e.message().to_string())?;
    let word = |i: usize| u64::from_le_bytes(seed[i..i + 8].try_into().unwrap_or_default());
    let world = Box::leak(Box::new(World {
        shapes: ShapeTable::new(),
        symbols: SymbolTable::default(),
        interned: Default::default(),
        classes: class::Classes::empty(),
        hash_seed: (word(0), word(8)),
        seed_of_bytes: text::keyed_hash::Seed::new(word(0), word(8)),
        last_object_id: 0,
        constant_watches: Default::default(),
        reliance: Default::default(),
        recent_methods: Default::default(),
        recent_caches: Default::default(),
        recent_refined: Default::default(),
        refined_names: Default::default(),
        recent_supers: Default::default(),
        recent_kinds: Default::default(),
        looked_up: Default::default(),
        weak_maps: Default::default(),
    }));
    let vm = Box::leak(Box::new(Vm::new(heap, hooks, UPPER, options)));
    let stack = StackPool::map(stack_sizes::thread()).ok_or("no memory for the stack")?;
    let mutator = Mutator::new(heap);
    // SAFETY: world and VM were leaked: they live as long as the process.
    let cx: &'static mut Cx = unsafe {
        let mem = Mem::new(mutator, world);
        Box::leak(Box::new(Cx::new(mem, vm, stack)))
    };
    let bounds = host::thread::stack_bounds().map_err(|e| e.message().to_string())?;
    cx.native_base = bounds.highest;
    cx.set_native_bound(bounds.lowest + NATIVE_RESERVE);
    // SAFETY: the context's address is stable; `high` is the end of this thread's stack.
    unsafe { cx.attach_native(bounds.highest) };
    vm.contexts.push(cx);
    let vm_pointer: *mut () = (vm as *mut Vm).cast();
    // SAFETY: the VM lives as long as the heap.
    unsafe {
        heap.set_roots(roots::trace_roots, vm_pointer);
        heap.set_shape_classes(world.shapes.shape_classes());
        heap.add_weak_table(NonNull::from(&mut world.shapes));
        heap.add_weak_table(NonNull::from(&mut world.interned));
        heap.add_weak_table(NonNull::from(&mut world.symbols));
        heap.add_weak_table(NonNull::from(&mut world.weak_maps));
    }
    let sites = Box::leak(Box::new(crate::code::registry::WeakSites::new(cx.codes())));
    // SAFETY: the table was leaked: it stays at its address.
    unsafe { heap.add_weak_table(NonNull::from(sites)) };
    cx.listen_to_collector();
    let codes: *mut () = std::ptr::from_ref(cx.codes()).cast_mut().cast();
    // SAFETY: the VM, which has the list of all code, lives as long as the process.
    unsafe {
        cx.world_mut().shapes.set_purge(crate::code::registry::forget_shapes, codes);
        cx.world_mut().reliance.set(crate::code::registry::leave_unreliable, codes);
    }
    class::known_classes::bootstrap(cx);
    make_error_classes(cx);
    include_kernel(cx);
    make_main_object(cx);
    crate::concurrency::thread::make_main(cx);
    Ok(cx)
}

fn include_kernel(cx: &mut Cx) {
    let kernel = crate::define::class_or_module_named(cx, "Kernel");
    let object = cx.class(Known::Object);
    // A fresh module cannot make a cycle.
    let _ = class::ancestors::include(cx, object, kernel);
}

fn make_main_object(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let root = class::root_shape(object);
    let main = object::shape::ivars::new_object(cx, abi::Type::Object, root);
    cx.vm_mut().main_object = main;
    let top = cref::new(cx, object, abi::Value::NIL);
    cx.vm_mut().top_cref = top;
}

/// Creates the exception classes. Those with a scope are created in their module, which is created if missing.
fn make_error_classes(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    define::define_class(cx, object, "Ractor", object);
    for &(class, name, superclass) in TABLE {
        let superclass = cx.error_class(superclass);
        let (scope, own) = match name.split_once("::") {
            Some((outer, own)) => (define::class_or_module_named(cx, outer), own),
            None => (cx.class(Known::Object), name),
        };
        let made = define::define_class(cx, scope, own, superclass);
        debug_assert_eq!(cx.vm().error_classes.len(), class as usize - 1);
        cx.vm_mut().error_classes.push(crate::RootValue(made));
        debug_assert_eq!(class.root(), name);
    }
    hide_fatal(cx);
    let (no_memory, message) = (cx.error_class(ErrorClass::NoMemoryError), crate::make::text(cx, NO_MEMORY));
    let exception = new_exception(cx, no_memory, message);
    cx.set_root(crate::Root::NoMemory, exception);
    let object = cx.class(Known::Object);
    let errno = define::define_module(cx, object, "Errno");
    cx.set_root(crate::Root::Errno, errno);
}

/// Removes the constant of `fatal`, and makes sure that programs cannot create instances of it.
fn hide_fatal(cx: &mut Cx) {
    let fatal = cx.error_class(ErrorClass::Fatal);
    class::class_data_mut(cx, fatal).flags.no_allocator = true;
    let singleton = class::singleton_class(cx, fatal);
    define::undefine(cx, singleton, "new");
    let object = cx.class(Known::Object);
    let name = object::symbol::table::intern_text(cx, "fatal");
    class::constants::remove(cx, object, name);
}

/// "Exception 'class' at path:line - message", in the encoding of the class's name or else of the message if that is
/// not ASCII.
fn report_of(cx: &mut Cx, exception: Value, message: Value) -> Value {
    let class = class::real_class(cx, exception);
    let texts = [class::name(class), message].map(object::string::Str::from_value);
    let (path, line) = backtrace::caller_position(cx).unwrap_or_default();
    let place = format!("' at {path}:{line} - ");
    let not_ascii = texts.iter().flatten().find(|text| !text.is_ascii());
    let encoding = not_ascii.map_or(text::encoding::EncodingId::UTF_8, |text| text.encoding());
    let name = class_name_of(cx, exception);
    let [name, message] = [
        texts[0].map_or(name.into_bytes(), |text| text.to_vector()),
        texts[1].map_or(Vec::new(), |text| text.to_vector()),
    ];
    let report = [b"Exception '", &name[..], place.as_bytes(), &message, b"\n"].concat();
    crate::make::string(cx, &report, encoding)
}

/// With `$DEBUG`: writes each exception that is raised to `$stderr`.
fn report_raise(cx: &mut Cx, exception: Value) {
    if std::mem::replace(&mut cx.placing, true) {
        return;
    }
    let message = match call::send(cx, exception, sym::TO_S, &[]) {
        Ok(message) => message,
        Err(unwind) => {
            let _ = cx.take_exception(unwind);
            Value::NIL
        }
    };
    let text = report_of(cx, exception, message);
    let name = object::symbol::table::intern_text(cx, "$stderr");
    if let Ok(stream) = cx.global_get(name)
        && let Err(unwind) = call::send(cx, stream, sym::WRITE, &[text])
    {
        let _ = cx.take_exception(unwind);
    }
    cx.placing = false;
}

/// What lower floors of the runtime call.
const UPPER: UpperFloors = UpperFloors {
    send: call::send,
    inspect: call::inspect_text,
    report_raise,
    to_ary: convert::try_ary,
    to_symbol: convert::to_symbol,
    store_key: |cx, hash, key, value| keys::store(cx, hash.value(), key, value),
    given_block: crate::unused_blocks::given_block,
};
