//! Compiles the Ruby halves of this crate's classes.

fn main() {
    compiler::precompile::ruby_halves();
}
