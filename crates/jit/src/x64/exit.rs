//! How an exit leaves compiled code: all registers are saved, so that the runtime finds the values to store.

use abi::Value;
use runtime::code::tier::How;
use std::arch::naked_asm;

use crate::runtime_calls;

/// The registers at an exit, by their numbers. Number 5 is the frame pointer.
#[repr(C)]
pub struct SavedRegisters {
    pub words: [u64; 16],
    pub doubles: [f64; 16],
}

/// Takes an exit; returns the outcome with which its unit is left. eax holds the exit's number, r11 the address that
/// was passed to `assemble` for the unit, and r14 and r15 the same as in compiled code.
///
/// # Safety Called only by compiled code.
#[unsafe(naked)]
pub unsafe extern "C" fn take() {
    naked_asm!(
        "sub rsp, 264",
        "mov [rsp + 8], rcx",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rbx",
        "mov [rsp + 40], rbp",
        "mov [rsp + 48], rsi",
        "mov [rsp + 56], rdi",
        "mov [rsp + 64], r8",
        "mov [rsp + 72], r9",
        "mov [rsp + 80], r10",
        "mov [rsp + 96], r12",
        "mov [rsp + 104], r13",
        "mov [rsp + 112], r14",
        "mov [rsp + 120], r15",
        "movsd [rsp + 128], xmm0",
        "movsd [rsp + 136], xmm1",
        "movsd [rsp + 144], xmm2",
        "movsd [rsp + 152], xmm3",
        "movsd [rsp + 160], xmm4",
        "movsd [rsp + 168], xmm5",
        "movsd [rsp + 176], xmm6",
        "movsd [rsp + 184], xmm7",
        "movsd [rsp + 192], xmm8",
        "movsd [rsp + 200], xmm9",
        "movsd [rsp + 208], xmm10",
        "movsd [rsp + 216], xmm11",
        "movsd [rsp + 224], xmm12",
        "movsd [rsp + 232], xmm13",
        "mov rdi, r15",
        "mov rsi, r14",
        "mov rdx, r11",
        "mov ecx, eax",
        "mov r8, rsp",
        "call {exit}",
        "mov eax, {undef}",
        "mov edx, {exited}",
        "add rsp, 264",
        "ret",
        exit = sym runtime_calls::take_exit,
        undef = const Value::UNDEF.0,
        exited = const How::Exited as u64,
    )
}
