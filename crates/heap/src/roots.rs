//! The native stack of the collecting thread.

/// Calls `f` with the stack pointer after spilling all callee-saved registers above it, so that a scan of the stack
/// sees the callers' registers.
#[inline(never)]
pub(crate) fn with_registers_on_stack(f: impl FnOnce(*const u8)) {
    let mut registers = [0usize; 16];
    save_registers(&mut registers);
    let top = std::hint::black_box(&registers).as_ptr().cast::<u8>();
    f(top);
    std::hint::black_box(&registers);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn save_registers(registers: &mut [usize; 16]) {
    // SAFETY: stores six registers into the array and changes nothing else.
    unsafe {
        std::arch::asm!(
            "mov [{0}], rbx",
            "mov [{0} + 8], rbp",
            "mov [{0} + 16], r12",
            "mov [{0} + 24], r13",
            "mov [{0} + 32], r14",
            "mov [{0} + 40], r15",
            in(reg) registers.as_mut_ptr(),
            options(nostack, preserves_flags)
        );
    }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn save_registers(registers: &mut [usize; 16]) {
    // SAFETY: stores eleven registers into the array and changes nothing else.
    unsafe {
        std::arch::asm!(
            "stp x19, x20, [{0}]",
            "stp x21, x22, [{0}, #16]",
            "stp x23, x24, [{0}, #32]",
            "stp x25, x26, [{0}, #48]",
            "stp x27, x28, [{0}, #64]",
            "str x29, [{0}, #80]",
            in(reg) registers.as_mut_ptr(),
            options(nostack, preserves_flags)
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the collector must know which registers this architecture preserves over calls");
