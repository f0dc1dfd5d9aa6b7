//! Running the blocks of trace points.

use abi::{Frame, FrameFlags, Value};
use bytecode::{Kind, sequence::Events};
use object::{array::Arr, native};
use runtime::{
    Cx, R, call,
    code::{Code, code},
    reflect,
    trace::{C_CALL, C_RETURN, LEAVING},
};

use crate::{
    patch,
    point::{Current, Point, State},
};

/// The order in which the events of one word happen.
const ORDER: [u32; 9] = [
    C_CALL,
    Events::CALL as u32,
    Events::B_CALL as u32,
    Events::CLASS as u32,
    Events::RESCUE as u32,
    Events::LINE as u32,
    Events::B_RETURN as u32,
    Events::RETURN as u32,
    Events::END as u32,
];

/// The line that a frame which made a call is on.
fn line_of(frame: &Frame) -> i32 {
    let own = code(frame.scope.code);
    own.line(own.word_of(frame.pc).saturating_sub(1))
}

/// Fires the events of a traced word.
pub fn traced(cx: &mut Cx, own: &Code, word: usize) -> R<()> {
    if cx.in_trace {
        return Ok(());
    }
    let list = cx.vm().trace_points;
    let Ok(at) = own.events.binary_search_by_key(&(word as u32), |(w, _)| *w) else { return Ok(()) };
    if list.is_nil() {
        return Ok(());
    }
    let mut events = own.events[at].1.0;
    let frame = cx.frame();
    if frame.flags & FrameFlags::BMETHOD != 0 {
        events |= if events & Events::B_CALL != 0 { Events::CALL } else { 0 };
        events |= if events & Events::B_RETURN != 0 { Events::RETURN } else { 0 };
    }
    let bits = patch::offered(own, events);
    for event in ORDER.into_iter().chain([C_RETURN]).filter(|e| bits & e != 0) {
        let leaving = event & (Events::RETURN as u32 | Events::B_RETURN as u32 | C_RETURN) != 0;
        let value = if leaving {
            reflect::frame_register(frame, own.instruction(word).a as usize)
        } else if event == Events::RESCUE as u32 {
            cx.error_info
        } else {
            Value::NIL
        };
        let (place, line) =
            if own.internal { caller_place(cx) } else { (own.own.get(), own.event_line(word, event as u16)) };
        let now = Current { thread: cx.thread, event, value, extra: Value::NIL, frame: Some(frame), code: place, line };
        let mut i = 0;
        while let Some(p) = Arr(list).get(i) {
            i += 1;
            let Some(point) = native::get::<Point>(p) else { continue };
            if patch::wanted(point, own, word as u32, events) & event != 0 {
                run(cx, p, point, now)?;
            }
        }
    }
    Ok(())
}

/// The nearest code of the program with its line.
fn caller_place(cx: &Cx) -> (Value, i32) {
    reflect::caller(cx).map_or((Value::NIL, 0), |f| (f.scope.code, line_of(f)))
}

/// Fires an event without a word.
pub fn event(cx: &mut Cx, event: u32, value: Value, extra: Value) -> R<()> {
    let list = cx.vm().trace_points;
    if cx.in_trace || list.is_nil() {
        return Ok(());
    }
    let top = cx.frames().next();
    if event == LEAVING {
        return top.map_or(Ok(()), |top| leaving(cx, list, top, value, extra));
    }
    let frame = if event & (C_CALL | C_RETURN) != 0 {
        // What the Ruby half of a core class calls is its own affair.
        let caller = top.and_then(|top| cx.caller_frame(top));
        if caller.is_some_and(|f| !f.scope.code.is_nil() && code(f.scope.code).internal) {
            return Ok(());
        }
        top
    } else {
        reflect::caller(cx).or(top)
    };
    let (place, line) = caller_place(cx);
    let now = Current { thread: cx.thread, event, value, extra, frame, code: place, line };
    let mut i = 0;
    while let Some(p) = Arr(list).get(i) {
        i += 1;
        if let Some(point) = native::get::<Point>(p)
            && matches!(point.state, State::Global)
            && point.events & event != 0
        {
            run(cx, p, point, now)?;
        }
    }
    Ok(())
}

/// A frame of traced code is left by unwinding. Blocks that are left by break and return had their event before.
fn leaving(cx: &mut Cx, list: Value, frame: &'static Frame, value: Value, raising: Value) -> R<()> {
    let own = code(frame.scope.code);
    let event = match own.kind {
        Kind::Method if own.internal => return Ok(()),
        Kind::Method => Events::RETURN,
        Kind::Block | Kind::Lambda if raising.truthy() => Events::B_RETURN,
        Kind::Class => Events::END,
        _ => return Ok(()),
    };
    let line = line_of(frame);
    let now = Current {
        thread: cx.thread,
        event: event as u32,
        value,
        extra: Value::NIL,
        frame: Some(frame),
        code: own.own.get(),
        line,
    };
    let mut i = 0;
    while let Some(p) = Arr(list).get(i) {
        i += 1;
        let Some(point) = native::get::<Point>(p) else { continue };
        if point.line == 0 && patch::wanted(point, own, 0, event) != 0 {
            run(cx, p, point, now)?;
        }
    }
    Ok(())
}

/// Runs one trace point's block.
fn run(cx: &mut Cx, p: Value, point: &Point, now: Current) -> R<()> {
    if !point.thread.is_nil() && point.thread != cx.thread {
        return Ok(());
    }
    let block = point.block;
    let Some(data) = native::get_mut::<Point>(cx, p) else { return Ok(()) };
    data.current.push(now);
    cx.in_trace = true;
    let error_info = cx.error_info;
    let result = call::block::call_proc(cx, block, &[p]);
    cx.in_trace = false;
    if let Some(data) = native::get_mut::<Point>(cx, p)
        && let Some(at) = data.current.iter().rposition(|c| c.thread == cx.thread)
    {
        data.current.remove(at);
    }
    result?;
    cx.error_info = error_info;
    Ok(())
}
