//! Full case mappings of one Unicode character, independent of its neighbours (a final sigma stays σ).

use super::CaseOptions;

/// A character maps to at most three.
pub(super) type Mapped = ([char; 3], usize);

fn one(char: char) -> Mapped {
    ([char, '\0', '\0'], 1)
}

fn two(first: char, second: char) -> Mapped {
    ([first, second, '\0'], 2)
}

fn collect(chars: impl Iterator<Item = char>) -> Mapped {
    let (mut out, mut count) = (['\0'; 3], 0);
    for (slot, char) in out.iter_mut().zip(chars) {
        *slot = char;
        count += 1;
    }
    (out, count)
}

/// Upper case.
pub(super) fn upper(char: char, options: CaseOptions) -> Mapped {
    match char {
        'i' if options.turkic => one('İ'),
        'a'..='z' => one(char.to_ascii_uppercase()),
        // In Latin-1, capitals are 32 code points before the small letters.
        'à'..='ö' | 'ø'..='þ' => offset(char, -32),
        'À'..='Ö' | 'Ø'..='Þ' => one(char),
        _ => collect(char.to_uppercase()),
    }
}

/// Lower case, or the fold that the options ask for.
pub(super) fn lower(char: char, options: CaseOptions) -> Mapped {
    match char {
        'I' if options.turkic => one('ı'),
        'İ' if options.turkic => one('i'),
        'A'..='Z' => one(char.to_ascii_lowercase()),
        'À'..='Ö' | 'Ø'..='Þ' => offset(char, 32),
        'à'..='ö' | 'ø'..='þ' => one(char),
        _ if options.fold => fold(char),
        _ => collect(char.to_lowercase()),
    }
}

/// Full case folding: the lower case of the upper case, except for scripts that had lower case first (Cherokee) and
/// characters whose mapping cannot be reversed.
fn fold(char: char) -> Mapped {
    match char {
        'ı' => one(char),
        'ẞ' => two('s', 's'),
        '\u{13A0}'..='\u{13F5}' => one(char),
        '\u{13F8}'..='\u{13FD}' | '\u{AB70}'..='\u{ABBF}' => collect(char.to_uppercase()),
        _ => collect(char.to_uppercase().flat_map(char::to_lowercase)),
    }
}

/// Title case, for the first character of `capitalize`.
pub(super) fn title(char: char, options: CaseOptions) -> Mapped {
    match char {
        'Ǆ'..='ǆ' => one('ǅ'),
        'Ǉ'..='ǉ' => one('ǈ'),
        'Ǌ'..='ǌ' => one('ǋ'),
        'Ǳ'..='ǳ' => one('ǲ'),
        // Georgian has capitals, but does not use them as title case.
        'ა'..='ჿ' => one(char),
        '\u{1C90}'..='\u{1CBA}' | '\u{1CBD}'..='\u{1CBF}' => offset(char, -0xBC0),
        // Greek vowels with an iota subscript have title-case characters of their own.
        '\u{1F80}'..='\u{1FAF}' => offset(char, 8 - (char as i32 & 8)),
        'ᾳ' | 'ῃ' | 'ῳ' => offset(char, 9),
        'ᾼ' | 'ῌ' | 'ῼ' => one(char),
        'ŉ' => collect(char.to_uppercase()),
        _ => {
            let (mut chars, count) = upper(char, options);
            for rest in &mut chars[1..count] {
                *rest = match rest {
                    'Ι' => '\u{345}',
                    _ => rest.to_lowercase().next().unwrap_or(*rest),
                };
            }
            (chars, count)
        }
    }
}

/// Swaps upper and lower case; a title-case character is decomposed.
pub(super) fn swap(char: char, options: CaseOptions) -> Mapped {
    match char {
        'ǅ' => two('d', 'Ž'),
        'ǈ' => two('l', 'J'),
        'ǋ' => two('n', 'J'),
        'ǲ' => two('d', 'Z'),
        '\u{1F88}'..='\u{1F8F}' | '\u{1F98}'..='\u{1F9F}' | '\u{1FA8}'..='\u{1FAF}' | 'ᾼ' | 'ῌ' | 'ῼ' => {
            two(fold(char).0[0], 'Ι')
        }
        _ => {
            let raised = upper(char, options);
            if raised == one(char) { lower(char, options) } else { raised }
        }
    }
}

fn offset(char: char, by: i32) -> Mapped {
    let code = (char as u32).checked_add_signed(by);
    one(code.and_then(char::from_u32).unwrap_or(char))
}
