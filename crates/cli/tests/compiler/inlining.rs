//! Methods and blocks that are compiled into their callers.

use super::check;

#[test]
fn blocks_are_inlined_with_their_method() {
    let point = "class P\n attr_reader :x\n def initialize(x) = @x = x\n def twice = @x * 2\nend\n\
                 A = (1..40).map { |i| P.new(i) }\n";
    check(&format!("{point}def f = A.sum {{ |e| e.twice }}\n60.times {{ f }}\np f"), "1640\n");
    check(&format!("{point}def f\n s = 0\n A.each {{ |e| s += e.twice }}\n s\nend\n60.times {{ f }}\np f"), "1640\n");
    check(
        "def f(n)\n t = 0\n n.times { |i| n.times { |j| t += i * j } }\n t\nend\n60.times { f(9) }\np f(9)",
        "1296\n",
    );
    check("def f(n) = n.times { |i| yield i }\ns = 0\n60.times { f(5) { |i| s += i } }\np s", "600\n");
}

#[test]
fn what_leaves_an_inlined_block_goes_where_it_would() {
    let list = "A = (1..40).to_a\n";
    check(&format!("{list}def f = A.each {{ |e| break e if e > 20 }}\n60.times {{ f }}\np f"), "21\n");
    check(&format!("{list}def f\n A.each {{ |e| return e if e > 20 }}\n 0\nend\n60.times {{ f }}\np f"), "21\n");
    check(&format!("{list}def f = A.map {{ |e| next 0 if e > 2; e }}\n60.times {{ f }}\np f.sum"), "3\n");
    check(
        &format!(
            "{list}def f\n A.each {{ |e| begin; return e if e > 5; ensure; $n += 1; end }}\nend\n$n = 0\n\
             60.times {{ f }}\np f, $n"
        ),
        "6\n366\n",
    );
}

#[test]
fn core_classes_make_their_instances_with_a_block() {
    check("def f(n) = Array.new(n) { |i| i * n }\n60.times { f(3) }\np f(3)", "[0, 3, 6]\n");
    check("def f(n) = Array.new(n) { |i| break :out if i == 2; i }\n60.times { f(5) }\np f(5), f(2)", ":out\n[0, 1]\n");
    // An `initialize` that is too large to be inlined.
    let many: String = (0..90).map(|n| format!(" @i{n} = n\n")).collect();
    check(
        &format!(
            "class C\n def initialize(n)\n{many} yield n\n end\nend\n\
             def f(n) = C.new(n) {{ |i| break :out if i == 2; i }}\n60.times {{ f(5) }}\np f(2), f(5).class"
        ),
        ":out\nC\n",
    );
    check(
        "def f = Array.new(-1) { 0 }\n60.times { f rescue 0 }\nbegin; f; rescue => e; puts e.message; end",
        "negative array size\n",
    );
    check("class L < Array; end\ndef f(n) = L.new(n) { |i| i }\n60.times { f(2) }\np f(2), f(2).class", "[0, 1]\nL\n");
}

#[test]
fn an_exception_in_an_inlined_body_shows_all_frames() {
    check(
        "def low(n) = n == 30 ? raise('x') : n\ndef mid(n) = low(n)\ndef top = 40.times { |n| mid(n) }\n\
         60.times { begin; top; rescue; end }\nbegin; top; rescue => e; puts e.backtrace; end",
        "-e:1:in 'Object#low'\n-e:2:in 'Object#mid'\n-e:3:in 'block in Object#top'\n-e:3:in 'Integer#times'\n\
         -e:3:in 'Object#top'\n-e:5:in '<main>'\n",
    );
}

#[test]
fn variables_of_an_inlined_body_are_kept_when_something_holds_on_to_them() {
    check("def keep(x) = -> { x += 1 }\nl = nil\n60.times { |i| l = keep(i) }\np l.call, l.call", "60\n61\n");
    check(
        "def b(x)\n y = x * 2\n binding\nend\nr = nil\n60.times { |i| r = b(i) }\np r.local_variable_get(:y)",
        "118\n",
    );
    check("def f(s)\n s =~ /b(.)/\n $1\nend\nr = nil\n60.times { |i| r = f(\"ab#{i}\") }\np r, $~", "\"5\"\nnil\n");
    check(
        "def each2 = yield\ndef f\n ps = []\n 3.times { |i| each2 { ps << -> { i } } }\n ps.map(&:call)\nend\n\
         60.times { f }\np f",
        "[0, 1, 2]\n",
    );
}

#[test]
fn optional_parameters_of_an_inlined_method_get_their_defaults() {
    check(
        "def g(a, b = a + 1, c = b * 2)\n d = nil\n [a, b, c, d]\nend\ndef f = [g(1), g(1, 5), g(1, 5, 0)]\n\
           60.times { f }\np f",
        "[[1, 2, 4, nil], [1, 5, 10, nil], [1, 5, 0, nil]]\n",
    );
}

#[test]
fn a_trace_point_on_an_inlined_method_fires() {
    check(
        "def low(n)\n n + 1\nend\ndef top(n) = low(n) + low(n)\n60.times { |i| top(i) }\nlines = []\n\
         t = TracePoint.new(:line) { |tp| lines << tp.lineno }\nt.enable(target: method(:low)) { top(1) }\n\
         60.times { |i| top(i) }\np lines",
        "[2, 2]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn a_unit_learns_further_blocks() {
    check(
        r##"s = []
6.times { |n| 300.times { |i| s << n if i == 299 } }
300.times { |i| s << :a if i == 299 }
300.times { |i| s << :b if i == 299 }
300.times { |i| s << :c if i == 299; next if i.odd? }
def each_twice(&b) = 2.times(&b)
each_twice { |i| s << i }
p s, 300.times { |i| break i if i == 250 }"##,
        "[0, 1, 2, 3, 4, 5, :a, :b, :c, 0, 1]\n\
         250\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn an_exception_of_a_method_without_a_frame_shows_it() {
    check(
        r##"def f(x) = x.floor
def g(a) = a.push(1)
60.times { f(1.5); g([]) }
begin; f(Float::NAN); rescue => e; puts e.message, e.backtrace_locations.first(2).map(&:label); end
begin; g([].freeze); rescue => e; puts e.message, e.backtrace_locations.first(2).map(&:label); end
seen = []
TracePoint.new(:raise) { |t| seen << t.raised_exception.class }.enable { f(Float::INFINITY) rescue 0 }
p seen"##,
        "NaN\n\
         Float#floor\n\
         Object#f\n\
         can't modify frozen Array: []\n\
         Array#push\n\
         Object#g\n\
         [FloatDomainError]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn block_parameters_and_lambdas_stay_compiled() {
    check(
        r##"def m(&b) = b.call(1)
def pass(&b) = [1, 2].map(&b)
def make(n) = ->(x) { x + n }
r = nil
60.times { |i| r = [m { |v| v + i }, pass { |v| v * i }, make(i).(1), "lit".freeze.frozen?, -"x"] }
p r
class K; @@n = 0; def up = @@n += 1; end
60.times { K.new.up }
p K.new.up, (1 <=> 2), 5.succ, -(2**62).succ, [3, 1, 2].sort { |a, b| b <=> a }"##,
        "[60, [59, 118], 60, true, \"x\"]\n\
         61\n\
         -1\n\
         6\n\
         -4611686018427387905\n\
         [3, 2, 1]\n",
    );
}

#[test]
fn natives_that_run_ruby_leave_the_registers_of_inlined_blocks_alone() {
    // Integer#& calls `coerce` of a Float, and so needs the frames of the bodies whose registers lie above. Recorded
    // from CRuby 4.1dev.
    check(
        "def f(a, b)\n 0.upto(3) do |n|\n  begin\n   1\n  rescue NoMethodError\n   a = 1\n  end\n  \
         b, b = (a & b), 1e18\n end\n b\nend\nr = []\n64.times { |i|\n \
         r << (begin; f(i - 20, 255); rescue => e; e.class; end)\n}\np r.tally",
        "{TypeError => 64}\n",
    );
}
