//! The table of functions, `functions.txt`, for the build script and the tests.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// How a function is implemented.
pub enum Form {
    /// A Rust function that may raise.
    Rust,
    /// A Rust function that neither raises nor runs Ruby.
    Plain,
    /// A Rust function that neither raises nor runs Ruby, without a context parameter.
    Pure,
    C,
    /// A method of the first argument.
    Send(String),
    /// A method of a constant.
    On(String, String),
}

pub struct Type(String);

pub struct Function {
    pub section: String,
    pub name: String,
    pub result: Type,
    pub parameters: Vec<Type>,
    pub variadic: bool,
    pub form: Form,
    #[allow(dead_code)]
    pub noreturn: bool,
    /// A function of the same name with the prefix `quick_` handles the frequent cases.
    #[allow(dead_code)]
    pub quick: bool,
    /// Its Rust function exists.
    pub present: bool,
}

pub struct Table {
    pub functions: Vec<Function>,
    /// Names that Beni lacks, with the reasons.
    #[allow(dead_code)]
    pub missing: Vec<(String, String)>,
}

impl Table {
    pub fn read(root: &Path) -> Table {
        let text = fs::read_to_string(root.join("functions.txt")).unwrap();
        let mut table = Table { functions: Vec::new(), missing: Vec::new() };
        let mut section = String::new();
        let mut defined = HashSet::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name.to_string();
                defined = defined_in(&root.join("src"), name);
            } else if let Some(missing) = line.strip_prefix("missing ") {
                let (name, reason) = missing.split_once(": ").unwrap();
                table.missing.push((name.to_string(), reason.to_string()));
            } else {
                let mut f = parse(&section, line);
                f.present = !matches!(f.form, Form::Rust | Form::Plain | Form::Pure) || defined.contains(&f.name);
                table.functions.push(f);
            }
        }
        table
    }

    pub fn present(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|f| f.present)
    }
}

/// The names of public functions in the module of a section, which is a file or a folder.
fn defined_in(src: &Path, section: &str) -> HashSet<String> {
    let mut files = vec![src.join(format!("{section}.rs"))];
    files.extend(fs::read_dir(src.join(section)).into_iter().flatten().flatten().map(|entry| entry.path()));
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    let mut names = HashSet::new();
    for text in texts {
        for line in text.lines() {
            if let Some(rest) = line.trim_start().strip_prefix("pub fn ") {
                names.insert(rest.split(['(', '<']).next().unwrap().to_string());
            }
        }
    }
    names
}

fn parse(section: &str, line: &str) -> Function {
    let open = line.find('(').unwrap_or_else(|| panic!("no parameters: {line}"));
    let close = line.rfind(')').unwrap();
    let (head, flags) = (&line[..open], line[close + 1..].trim());
    let at = head.rfind([' ', '*']).unwrap() + 1;
    let (result, name) = (head[..at].trim(), &head[at..]);
    let mut parameters: Vec<&str> = line[open + 1..close].split(',').map(str::trim).collect();
    if parameters == ["void"] || parameters == [""] {
        parameters.clear();
    }
    let variadic = parameters.last() == Some(&"...");
    let mut words: Vec<&str> = flags.split_whitespace().collect();
    let noreturn = words.contains(&"noreturn");
    let quick = words.contains(&"quick");
    words.retain(|word| *word != "quick");
    let form = match words.as_slice() {
        ["send", method] => Form::Send(method.to_string()),
        ["on", constant, method] => Form::On(constant.to_string(), method.to_string()),
        words if words.contains(&"c") => Form::C,
        words if words.contains(&"plain") => Form::Plain,
        words if words.contains(&"pure") => Form::Pure,
        _ => Form::Rust,
    };
    let parameters = parameters.into_iter().filter(|p| *p != "...").map(Type::new).collect();
    let (section, name) = (section.to_string(), name.to_string());
    Function { section, name, result: Type::new(result), parameters, variadic, form, noreturn, quick, present: true }
}

impl Function {
    pub fn prototype(&self) -> String {
        let mut list: Vec<String> = self.parameters.iter().map(Type::c_type).collect();
        if self.variadic {
            list.push("...".into());
        }
        let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
        let result = self.result.c_type();
        let space = if result.ends_with('*') { "" } else { " " };
        format!("{result}{space}{}({list})", self.name)
    }
}

impl Type {
    fn new(text: &str) -> Type {
        // A parameter declared as an array is a pointer.
        Type(match text.find('[') {
            Some(at) => format!("{} *", text[..at].trim()),
            None => text.to_string(),
        })
    }

    pub fn c_type(&self) -> String {
        self.0.clone()
    }

    #[allow(dead_code)]
    pub fn rust_type(&self) -> String {
        let text = self.0.replace("volatile ", "");
        let stars = text.matches('*').count();
        let is_const = text.starts_with("const ");
        let base = text.replace('*', " ").replace("const ", " ").replace("struct ", " ").replace("enum ", " ");
        let base = base.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = match base.as_str() {
            "VALUE" => "Value",
            "ID" | "st_data_t" | "st_index_t" | "unsigned long" | "unsigned LONG_LONG" => "u64",
            "long" | "off_t" | "rb_off_t" | "LONG_LONG" | "intptr_t" | "SIGNED_VALUE" | "time_t" => "i64",
            "uintptr_t" => "u64",
            "int" | "pid_t" | "rb_pid_t" | "rb_warning_category_t" | "rb_internal_thread_specific_key_t" => "i32",
            "unsigned int" | "rb_postponed_job_handle_t" | "mode_t" | "rb_event_flag_t" | "uint32_t" => "u32",
            "rb_econv_result_t" | "rb_io_buffer_flags" | "rb_event_hook_flag_t" => "i32",
            "uint8_t" | "unsigned char" => "u8",
            "short" => "i16",
            "unsigned short" => "u16",
            "uint64_t" => "u64",
            "size_t" => "usize",
            "ssize_t" => "isize",
            "double" => "f64",
            "bool" => "bool",
            "char" => "c_char",
            "void" if stars == 0 => "()",
            "timeval" => "crate::time::Timeval",
            "timespec" => "crate::time::Timespec",
            "rb_data_type_t" => "crate::data::DataType",
            "rb_encoding" => "crate::encoding::CEncoding",
            "st_table" => "crate::st::Table",
            "fd_set" => "c_void",
            "st_hash_type" => "crate::st::HashType",
            "rb_ractor_local_key_t" => return "*mut c_void".into(),
            _ if stars > 0 => "c_void",
            // Function types.
            _ => return "*const c_void".into(),
        };
        match (stars, is_const) {
            (0, _) => plain.into(),
            (1, true) => format!("*const {plain}"),
            (1, false) => format!("*mut {plain}"),
            (_, true) if text.contains("*const") => format!("*const *const {plain}"),
            (_, true) => format!("*mut *const {plain}"),
            (_, false) => format!("*mut *mut {plain}"),
        }
    }
}
