//! Global variables.

use super::check;

// Recorded from CRuby 4.1dev.
#[test]
fn they_get_aliases_and_handlers_while_compiled_code_uses_them() {
    check(
        "$count = 0
$other = 5
def add = $count += 1
def read = [$count, $other]
60.times { add; read }
p read
alias $number $count
60.times { add }
p $number
$number = 7
add
p read
seen = []
trace_var(:$count) { |v| seen << v }
add
$number += 1
p seen
untrace_var(:$count)
add
p seen
alias $other $number
p read
$other = 1
p read",
        "[60, 5]\n120\n[8, 5]\n[9, 10]\n[9, 10]\n[11, 11]\n[1, 1]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn objects_in_them_survive_collections() {
    check(
        "def keep(v) = $kept = [v]
60.times { |i| keep(i); GC.start if i % 20 == 0 }
GC.start
p $kept",
        "[59]\n",
    );
}
