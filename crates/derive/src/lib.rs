//! `#[derive(Trace)]` generates the function that reports a type's references to the collector, from its fields.
//!
//! Each field is traced, so each field's type must implement `heap::Trace`; a field that is added later cannot be
//! forgotten. Attributes mark exceptions:
//!
//! - `#[trace(skip)]` on a field: its type holds no `Value` and comes from a crate that does not know the trait, or the
//!   references are traced elsewhere, which a comment then states. A type that names `Value` or a handle is refused
//!   unless the reason is given: `#[trace(skip = "traced by its owner")]`.
//! - `#[trace(with = path)]` on a field: `path(&mut field, marker)` traces it.
//! - `#[trace(also = path)]` on the type: `path(self, marker)` runs after the fields, for data that is not a field.

#![forbid(unsafe_code)]

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Field, Fields, Path, parse_macro_input, spanned::Spanned};

/// Names of types that refer to objects.
const REFERENCES: [&str; 6] = ["Value", "Sym", "Str", "Arr", "HashRef", "RootValue"];

/// See the crate's documentation.
#[proc_macro_derive(Trace, attributes(trace))]
pub fn trace(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implementation(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let body = match &input.data {
        Data::Struct(data) => {
            let (pattern, statements) = fields(&data.fields)?;
            quote! { let #name #pattern = self; #statements }
        }
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let (pattern, statements) = fields(&variant.fields)?;
                let variant = &variant.ident;
                Ok(quote! { #name::#variant #pattern => { #statements } })
            });
            let arms = arms.collect::<syn::Result<Vec<_>>>()?;
            quote! { match self { #(#arms)* } }
        }
        Data::Union(_) => return Err(Error::new(name.span(), "a union does not tell which field it holds")),
    };
    let mut also = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("trace")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("also") {
                return Err(meta.error("a type's attribute is `also = path`"));
            }
            also = Some(meta.value()?.parse::<Path>()?);
            Ok(())
        })?;
    }
    let also = also.map(|path| quote! { #path(self, marker); });
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    Ok(quote! {
        impl #generics ::heap::Trace for #name #arguments #conditions {
            #[allow(unused_variables)]
            fn trace(&mut self, marker: &mut ::heap::Marker) {
                #body
                #also
            }
        }
    })
}

/// How a field is traced.
enum Tracing {
    Trace,
    Skip,
    With(Path),
}

/// The pattern that binds the traced fields, and the statements that trace them.
fn fields(fields: &Fields) -> syn::Result<(TokenStream, TokenStream)> {
    let (mut bindings, mut statements) = (Vec::new(), Vec::new());
    for (i, field) in fields.iter().enumerate() {
        let bound = format_ident!("field_{i}", span = field.ty.span());
        let binding = match tracing_of(field)? {
            Tracing::Skip => quote! { _ },
            Tracing::Trace => {
                // With the span of the field, the error for a type that does not implement the trait points to the
                // field.
                let span = field.ty.span();
                statements.push(quote_spanned! { span=> ::heap::Trace::trace(#bound, marker); });
                quote! { #bound }
            }
            Tracing::With(path) => {
                statements.push(quote! { #path(#bound, marker); });
                quote! { #bound }
            }
        };
        bindings.push(match &field.ident {
            Some(name) => quote! { #name: #binding },
            None => binding,
        });
    }
    let pattern = match fields {
        Fields::Named(_) => quote! { { #(#bindings),* } },
        Fields::Unnamed(_) => quote! { ( #(#bindings),* ) },
        Fields::Unit => quote! {},
    };
    Ok((pattern, quote! { #(#statements)* }))
}

fn tracing_of(field: &Field) -> syn::Result<Tracing> {
    let mut tracing = Tracing::Trace;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("trace")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("with") {
                tracing = Tracing::With(meta.value()?.parse()?);
            } else if meta.path.is_ident("skip") {
                let has_reason = meta.input.peek(syn::Token![=]);
                if has_reason {
                    meta.value()?.parse::<syn::LitStr>()?;
                } else if let Some(name) = reference_in(&field.ty) {
                    let text = format!("the type names `{name}`, which refers to objects: skip = \"why\"");
                    return Err(Error::new(field.ty.span(), text));
                }
                tracing = Tracing::Skip;
            } else {
                return Err(meta.error("a field's attribute is `skip`, `skip = \"why\"` or `with = path`"));
            }
            Ok(())
        })?;
    }
    Ok(tracing)
}

/// The first name of a reference type that occurs in the type.
fn reference_in(kind: &syn::Type) -> Option<String> {
    fn search(tokens: TokenStream) -> Option<String> {
        tokens.into_iter().find_map(|token| match token {
            proc_macro2::TokenTree::Ident(name) => Some(name.to_string()).filter(|n| REFERENCES.contains(&n.as_str())),
            proc_macro2::TokenTree::Group(group) => search(group.stream()),
            _ => None,
        })
    }
    search(quote! { #kind })
}
