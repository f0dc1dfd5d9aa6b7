//! This machine's network interfaces.

use host::socket::interface;
use runtime::{Args, Cx, R, Value, convert, make};
use text::EncodingId;

use super::{binary, failed, number};

/// `__interfaces → [[name, index, flags, address, netmask, broadcast, destination], …]`: one row for each address of an
/// interface; nil for missing addresses.
pub fn interfaces(cx: &mut Cx, _: Args) -> R {
    let found = interface::interfaces().map_err(|errno| failed(cx, errno, "getifaddrs"))?;
    let list = make::array(cx, &[]);
    for one in &found {
        let name = make::string(cx, &one.name, EncodingId::UTF_8);
        let row = make::array(cx, &[name, number(one.index), number(one.flags)]);
        for address in [&one.address, &one.netmask, &one.broadcast, &one.destination] {
            let address = address.as_ref().map_or(Value::NIL, |address| binary(cx, address));
            make::push(cx, row, address);
        }
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `__interface_name(index) → string or nil`: the name of the network interface with a number; nil if there is none.
pub fn name(cx: &mut Cx, args: Args) -> R {
    let index = convert::to_i64(cx, args.at(0))? as u32;
    Ok(interface::name_of(index).map_or(Value::NIL, |name| make::string(cx, &name, EncodingId::UTF_8)))
}
