//! Monitor and MonitorMixin, in Ruby, on top of Thread::Mutex.

use object::Known;
use runtime::{Cx, R, internal, library};

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, object, "Monitor", object)?;
    core_classes::marshal::refuse(cx, class);
    internal::load(cx, runtime::ruby_half!("monitor/monitor"))
}
