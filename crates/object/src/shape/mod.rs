//! Shapes: a class together with the layout of instance variables, one number in an object's header.

pub mod by_name;
pub mod ivars;
pub mod recent_places;
pub mod table;

pub use table::{Shape, ShapeTable};
