//! Isolated blocks, which are detached from their enclosing scopes: those of Ractor.new and Ractor.shareable_proc.
//!
//! The block's instructions show which variables of those scopes it uses. The new scopes are copies with only the
//! variables that the block may read, at the same nesting depth, because instructions count scopes.

use abi::{Flags, Type, Value};
use bytecode::{Kind, Opcode};
use object::{Sym, array::Arr, cell, environment, proc};

use crate::{
    Cx, R, call,
    code::{Code, code},
    error::ErrorClass,
    isolation::shareable::is_shareable,
    make, reflect, sym, unlinked,
};

/// A variable of an enclosing scope: the number of scopes out (1 = the nearest), and its register there.
type Place = (usize, usize);

#[derive(Default)]
struct Uses {
    read: Vec<Place>,
    written: Vec<Place>,
    /// It yields to the block of the method around it.
    yields: bool,
}

/// Collects the uses by `body` and its nested blocks, `nesting` scopes deep, of the scopes around the outermost.
fn look(body: &Code, nesting: usize, uses: &mut Uses) {
    for word in 0..body.instructions.len() {
        let i = body.instruction(word);
        let level = (i.b as usize).saturating_sub(nesting);
        let place = (level, i.c as usize);
        match i.meant() {
            Opcode::GetOuter | Opcode::GetBlockParameter | Opcode::GetBlockParameterProxy | Opcode::GetBlockToCall
                if level > 0 =>
            {
                uses.read.push(place)
            }
            Opcode::SetOuter if level > 0 => uses.written.push(place),
            Opcode::Yield => {
                let site = body.call_at(word);
                // `block.call` of a &block parameter yields, too, but reads a variable in the program's eyes.
                uses.yields |= site.depth as usize > nesting && site.name != sym::CALL;
            }
            _ => {}
        }
    }
    for child in &body.children {
        let child = child.get();
        if cell::is(child, Type::InstructionSequence)
            && unlinked::is_linked(child)
            && matches!(code(&child).kind, Kind::Block | Kind::Lambda | Kind::Once)
        {
            look(code(&child), nesting + 1, uses);
        }
    }
}

/// The environment `level` scopes out of a block whose nearest one is `around`.
fn environment_at(around: Value, level: usize) -> Value {
    (1..level).fold(around, |at, _| if at.is_nil() { at } else { environment::outer(at) })
}

/// The variable's name, `None` for one that programs cannot name, and whether several assignments set it.
fn variable(around: Value, (level, register): Place) -> Option<(Sym, bool)> {
    let at = environment_at(around, level);
    if at.is_nil() || reflect::environment_scope(&at).code.is_nil() {
        return None;
    }
    let body = code(&reflect::environment_scope(&at).code);
    let (name, _) =
        body.locals.iter().find(|(_, r)| *r as usize == register).filter(|(name, _)| !name.value().is_undef())?;
    let reassigned = body.reassigned().iter().any(|reassigned| *reassigned as usize == register);
    Some((*name, reassigned))
}

fn names(cx: &Cx, around: Value, places: &[Place]) -> Vec<String> {
    let mut names: Vec<String> =
        places.iter().filter_map(|place| variable(around, *place)).map(|(name, _)| name.to_text(cx)).collect();
    names.sort();
    names.dedup();
    names
}

/// Ractor::IsolationError if the block uses something forbidden.
fn check(cx: &mut Cx, what: &str, names: &[String], yields: bool) -> R<()> {
    let list = names.join(", ");
    let why = match (names.is_empty(), yields) {
        (true, false) => return Ok(()),
        (true, true) => "it uses 'yield'.".to_string(),
        (false, false) => format!("it accesses outer variables ({list})."),
        (false, true) => format!("it accesses outer variables ({list}) and uses 'yield'."),
    };
    Err(cx.raise(ErrorClass::RactorIsolationError, &format!("can not {what} because {why}")))
}

/// Copies the environments from `around` outwards, with only the variables in `kept`.
fn cut_off(cx: &mut Cx, around: Value, me: Value, kept: &[Place]) -> Value {
    let levels = make::array(cx, &[]);
    let mut at = around;
    while !at.is_nil() {
        make::push(cx, levels, at);
        at = environment::outer(at);
    }
    let mut copy = Value::NIL;
    for level in (1..=Arr::of(levels).len()).rev() {
        let old = Arr::of(levels).get(level - 1).unwrap_or(Value::NIL);
        let mut here = kept
            .iter()
            .filter(|(l, _)| *l == level)
            .map(|(_, register)| (*register, reflect::environment_slot(old, *register)));
        copy = environment::isolated(cx, old, copy, me, &mut here);
    }
    copy
}

/// The block as the Proc of a new Ractor: `self` is `me`, and it uses no outer variables. Procs of Symbols, Methods and
/// the core have none and stay as they are.
pub fn for_ractor(cx: &mut Cx, block: Value, me: Value) -> R {
    if !is_of_code(block) || code(&proc::code(block)).internal {
        return Ok(block);
    }
    let around = proc::environment(block);
    let mut uses = Uses::default();
    look(code(&proc::code(block)), 0, &mut uses);
    let used = names(cx, around, &[&uses.read[..], &uses.written[..]].concat());
    check(cx, "isolate a Proc", &used, uses.yields)?;
    let own = cut_off(cx, around, me, &[]);
    let class = cx.class(object::Known::Proc);
    let flags = cell::header(block).flags() & (proc::LAMBDA | proc::RUBY2_KEYWORDS) | proc::ISOLATED;
    Ok(proc::new(cx, class, own, proc::code(block), me, flags))
}

/// Ractor.shareable_proc: a copy of the block's Proc whose `self` is `me`; a lambda if it was one or is requested.
pub fn shareable_copy(cx: &mut Cx, block: Value, me: Value, lambda: bool) -> R {
    let class = object::class::real_class(cx, block);
    let flags = cell::header(block).flags()
        & (proc::LAMBDA | proc::FROM_METHOD | proc::FROM_SYMBOL | proc::RUBY2_KEYWORDS | proc::NATIVE);
    let flags = if lambda { flags | proc::LAMBDA } else { flags };
    let around = proc::environment(block);
    let me = if is_of_code(block) { me } else { proc::receiver(block) };
    let copy = proc::new(cx, class, around, proc::code(block), me, flags);
    make_shareable(cx, copy)?;
    cell::set_header(copy, cell::header(copy).with(Flags::SHAREABLE));
    Ok(copy)
}

/// Detaches this Proc itself, and freezes it.
pub fn make_shareable(cx: &mut Cx, p: Value) -> R<()> {
    let is_native =
        cell::header(p).has(proc::FROM_METHOD | proc::NATIVE) || (is_of_code(p) && code(&proc::code(p)).internal);
    if is_native {
        return Err(cx.runtime_error("not supported yet"));
    }
    if is_of_code(p) && !cell::header(p).has(proc::ISOLATED) {
        let me = proc::receiver(p);
        if !is_shareable(cx, me) {
            let shown = call::inspect_text(cx, p)?;
            return Err(cx.raise(ErrorClass::RactorIsolationError, &format!("Proc's self is not shareable: {shown}")));
        }
        let around = proc::environment(p);
        let mut uses = Uses::default();
        look(code(&proc::code(p)), 0, &mut uses);
        let written = names(cx, around, &uses.written);
        check(cx, "make a Proc shareable", &written, uses.yields)?;
        check_read(cx, around, &uses.read)?;
        let own = cut_off(cx, around, me, &uses.read);
        proc::isolate(cx, p, own);
    }
    cell::set_header(p, cell::header(p).with(Flags::FROZEN));
    Ok(())
}

/// Checks the outer variables that a shared block reads: each must have a single assignment, of a shareable value.
fn check_read(cx: &mut Cx, around: Value, read: &[Place]) -> R<()> {
    for place in read {
        let Some((name, reassigned)) = variable(around, *place) else { continue };
        let text = name.to_text(cx);
        if reassigned {
            let message =
                format!("cannot make a shareable Proc because the outer variable '{text}' may be reassigned.");
            return Err(cx.raise(ErrorClass::RactorIsolationError, &message));
        }
        let at = environment_at(around, place.0);
        let value = reflect::environment_slot(at, place.1);
        if !is_shareable(cx, value) {
            let shown = call::inspect_text(cx, value)?;
            let message = format!(
                "cannot make a shareable Proc because it can refer unshareable object {shown} from variable '{text}'"
            );
            return Err(cx.raise(ErrorClass::RactorIsolationError, &message));
        }
    }
    Ok(())
}

/// SyntaxError if code evaluated in `around` uses a variable beyond an isolated block.
pub fn check_eval(cx: &mut Cx, around: Value, body: Value) -> R<()> {
    let mut at = around;
    let mut first = 1;
    while !at.is_nil() && !environment::is_isolated(at) {
        at = environment::outer(at);
        first += 1;
    }
    if at.is_nil() {
        return Ok(());
    }
    let mut uses = Uses::default();
    look(code(&body), 0, &mut uses);
    let beyond = uses.read.iter().chain(&uses.written).filter(|(level, _)| *level >= first);
    let Some((name, _)) = beyond.filter_map(|place| variable(around, *place)).next() else { return Ok(()) };
    let (path, text) = (code(&body).source.path.clone(), name.to_text(cx));
    let line = code(&body).first_line;
    let message = format!("{path}:{line}: can not access variable '{text}' from isolated Proc");
    Err(cx.raise(ErrorClass::SyntaxError, &message))
}

/// Whether the Proc runs Ruby code.
pub(super) fn is_of_code(p: Value) -> bool {
    !proc::environment(p).is_nil() && !cell::header(p).has(proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD)
}
