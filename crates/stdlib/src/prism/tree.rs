//! The nodes of a tree.

use object::{array::Arr, bigint, float};
use runtime::{Cx, R, Value, call, error::OrRaise, make, sym};
use syntax::{
    Location, Reader,
    reader::{Field, Item, Record},
};
use text::encoding::EncodingId;

use super::{layout, malformed};

/// Enough for every class of nodes.
const MAX_PARAMETERS: usize = 32;

/// Builds the tree from the names and nodes that remain to be read.
pub fn read(cx: &mut Cx, reader: &mut Reader, source: Value, encoding: EncodingId) -> R {
    let Ok(texts) = reader.names() else { return Err(malformed(cx)) };
    let names = make::array(cx, &[]);
    for text in texts {
        let name = make::string(cx, text, encoding);
        let name = call::send(cx, name, sym::TO_SYM, &[])?;
        make::push(cx, names, name);
    }
    let tree = Tree { source, names, built: make::array(cx, &[]), encoding };
    let mut record = Record::default();
    loop {
        match reader.node(&mut record) {
            Ok(Some(Item::Absent)) => make::push(cx, tree.built, Value::NIL),
            Ok(Some(Item::Node)) => tree.add(cx, &record)?,
            Ok(None) => break,
            Err(_) => return Err(malformed(cx)),
        }
    }
    match Arr::of(tree.built).elements(cx) {
        [root] => Ok(*root),
        _ => Err(malformed(cx)),
    }
}

struct Tree {
    source: Value,
    names: Value,
    /// Nodes whose parents have not been read yet.
    built: Value,
    encoding: EncodingId,
}

impl Tree {
    /// Creates the node of a record, with the children built before.
    fn add(&self, cx: &mut Cx, record: &Record) -> R<()> {
        let layout = layout::of(cx, record.shape.number, record.shape)?;
        let children: usize = record.fields.iter().map(width).sum();
        let Some(first) = Arr::of(self.built).len().checked_sub(children) else { return Err(malformed(cx)) };
        let mut arguments = [Value::NIL; MAX_PARAMETERS];
        arguments[0] = self.source;
        arguments[1] = Value::fixnum(i64::from(record.id));
        arguments[2] = packed(cx, record.location);
        arguments[3] = Value::fixnum(i64::from(record.flags));
        let parameters = Arr::of(layout).len() - 1;
        for at in 0..parameters.min(MAX_PARAMETERS - layout::COMMON) {
            let place = Arr::of(layout).get(at + 1).and_then(Value::as_fixnum).unwrap_or_default() as usize;
            let before: usize = record.fields[..place].iter().map(width).sum();
            arguments[layout::COMMON + at] = self.field(cx, &record.fields[place], first + before)?;
        }
        let class = Arr::of(layout).at(0);
        let node = call::send(cx, class, sym::NEW, &arguments[..layout::COMMON + parameters])?;
        Arr::of(self.built).truncate(cx, first);
        make::push(cx, self.built, node);
        Ok(())
    }

    /// A field's value; `first` is the index of its first child among the built nodes.
    fn field(&self, cx: &mut Cx, field: &Field, first: usize) -> R {
        Ok(match field {
            Field::Node => self.child(first),
            Field::Nodes(count) => Arr::of(self.built).slice(cx, first, *count as usize).or_raise(cx)?.value(),
            Field::Constant(number) => self.name(*number),
            Field::Constants(numbers) => {
                let list = make::array(cx, &[]);
                numbers.iter().for_each(|number| make::push(cx, list, self.name(*number)));
                list
            }
            Field::Location(location) => match location {
                Some(location) => packed(cx, *location),
                None => Value::NIL,
            },
            Field::Text(text) => make::string(cx, text, self.encoding),
            Field::Number(number) => Value::fixnum(i64::from(*number)),
            Field::Integer { negative, digits } => integer(cx, *negative, digits)?,
            Field::Double(number) => float::new(cx, *number),
        })
    }

    fn child(&self, place: usize) -> Value {
        Arr::of(self.built).get(place).unwrap_or(Value::NIL)
    }

    fn name(&self, number: u32) -> Value {
        let place = (number as usize).checked_sub(1);
        place.and_then(|place| Arr::of(self.names).get(place)).unwrap_or(Value::NIL)
    }
}

/// The number of children of a field.
fn width(field: &Field) -> usize {
    match field {
        Field::Node => 1,
        Field::Nodes(count) => *count as usize,
        _ => 0,
    }
}

/// Start and length in one Integer, which the library unpacks when the Location is needed.
pub fn packed(cx: &mut Cx, location: Location) -> Value {
    bigint::from_u64(cx, u64::from(location.start) << 32 | u64::from(location.length))
}

fn integer(cx: &mut Cx, negative: bool, digits: &[u32]) -> R {
    let hex: String = digits.iter().rev().map(|digit| format!("{digit:08x}")).collect();
    let parsed = numeric::big::parse_digits(hex.as_bytes(), 16, negative, &mut numeric::big::never);
    match parsed.ok().flatten() {
        Some(number) => bigint::integer(cx, number).map_err(|_| cx.no_memory()),
        None => Err(malformed(cx)),
    }
}
