//! `syslog_ext`: the system's log. `syslog.rb` keeps the state and checks the arguments.

use host::syslog;
use object::{Known, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, convert, define, internal, library, ruby_half};

/// Private singleton methods of Syslog.
const METHODS: &[Method] = &[
    Method::new("__open(name, options, facility)", open).private(),
    Method::new("__close", close).private(),
    Method::new("__write(priority, message)", write).private(),
    Method::new("__set_mask(mask)", set_mask).private(),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "Syslog")?;
    define::define_singleton_methods(cx, module, METHODS);
    for (name, constants) in [("Option", syslog::OPTIONS), ("Facility", syslog::FACILITIES), ("Level", syslog::LEVELS)]
    {
        let group = library::module(cx, module, name)?;
        for (name, number) in constants {
            let name = intern_text(cx, name);
            define::set_constant(cx, group, name, Value::fixnum((*number).into()));
        }
    }
    internal::load(cx, ruby_half!("syslog/syslog"))
}

/// `__open(name, options, facility) → nil`: openlog(3) with the name, the options and the facility of all messages.
/// ArgumentError for a zero byte in the name.
fn open(cx: &mut Cx, args: Args) -> R {
    let name = args.str(cx, 0)?;
    let (options, facility) = (convert::to_i32(cx, args.at(1))?, convert::to_i32(cx, args.at(2))?);
    if name.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    syslog::open(name.bytes(cx), options, facility).map_err(|errno| cx.system_error(errno, "openlog"))?;
    Ok(Value::NIL)
}

/// `__close → nil`: closes the connection to the system's log with closelog(3).
fn close(_: &mut Cx, _: Args) -> R {
    syslog::close();
    Ok(Value::NIL)
}

/// `__write(priority, message) → nil`: syslog(3) of one message, which is not treated as a format. ArgumentError for a
/// zero byte.
fn write(cx: &mut Cx, args: Args) -> R {
    let priority = convert::to_i32(cx, args.at(0))?;
    let message = args.str(cx, 1)?;
    if message.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    syslog::write(priority, message.bytes(cx)).map_err(|errno| cx.system_error(errno, "syslog"))?;
    Ok(Value::NIL)
}

/// `__set_mask(mask) → integer`: setlogmask(3): sets the priorities that are written and returns the previous mask; 0
/// leaves the mask unchanged.
fn set_mask(cx: &mut Cx, args: Args) -> R {
    let mask = convert::to_i32(cx, args.at(0))?;
    Ok(Value::fixnum(syslog::set_mask(mask).into()))
}
