//! The native stack of a thread that collects, or that waits while another thread collects.

/// Calls `f` with the lowest stack address that a scan needs to see everything that the callers hold: the callee-saved
/// registers are stored there, and the callers' frames are above. It is for the thread that collects, and for a thread
/// or fiber that stops inside of `f`. A scan does not see what `f` itself holds.
#[inline(never)]
pub fn with_registers_on_stack<T>(f: impl FnOnce(*const u8) -> T) -> T {
    let mut registers = [0usize; 16];
    save_registers(&mut registers);
    let top = std::hint::black_box(&registers).as_ptr().cast::<u8>();
    let result = f(top);
    std::hint::black_box(&registers);
    result
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
