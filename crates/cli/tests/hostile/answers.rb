# Runs each place where the core classes and libraries call methods of a program's object, with objects that return
# unexpected values. A row is Ruby source: `o` responds to every method in NAMES with the hostile answer; `s`, `a`, `h`
# and `n` are a String, Array, Hash and Numeric of subclasses that do so too; `r` marks the object that an answer may
# change. Any outcome of a row is accepted except a crash, an internal error of Beni, or an endless loop.

NAMES = %i[
  to_s to_str to_sym to_a to_ary to_h to_hash to_proc to_io to_path to_open to_int to_i to_f to_r to_c to_json to_regexp to_set
  inspect encode read gets getc getbyte readpartial write << each each_pair <=> == eql? === =~ hash coerce call succ
  begin end exclude_end? first last size length bytesize message detailed_message full_message backtrace exception cause
  name path fileno close closed? eof? pos seek rewind lineno sync tty? rand bytes [] key? keys values fetch min max
  floor ceil round truncate abs div divmod modulo + - * / % ** -@ +@ < > <= >= & | ^ ~ nonzero? zero? negative?
  integer? finite? infinite? real? numerator denominator utc_to_local local_to_utc dump load marshal_dump marshal_load
  _dump deconstruct deconstruct_keys freeze dup initialize_copy next peek empty? include? force_encoding encoding
  valid_encoding? unpack sum digest update resume wait new allocate tag string options depth
]

ANSWERS = {
  five: -> { 5 }, nil: -> { nil }, object: -> { Object.new }, text: -> { "x\0\xff".b }, list: -> { [1, "a", nil] },
  raises: -> { raise "hostile" }, throws: -> { throw :hostile },
  changes: -> {
    case $r
    when String then $r.frozen? || $r.replace("")
    when Array, Hash then $r.frozen? || $r.clear
    when IO then $r.close
    end
    1
  },
  freezes: -> { $r.freeze; 1 },
  collects: -> { GC.start; "1" },
  compacts: -> { GC.start; GC.compact; "1" },
}

def r(receiver) = $r = receiver
def answers(kind, names = NAMES)
  Class.new(kind) { names.each { |name| define_method(name) { |*, **, &_| $answer.call } } }
end

Hostile = answers(Object)
HostileString = answers(String, NAMES - %i[to_s dup freeze])
HostileArray = answers(Array, NAMES - %i[freeze])
HostileHash = answers(Hash, NAMES - %i[freeze])
HostileNumber = answers(Numeric)
HostileError = answers(RuntimeError, NAMES - %i[exception])

MESSAGE = Exception.instance_method(:message)

# `show` prints which place is running.
SHOWN = ARGV.include?("show")
LIBRARIES = %w[stringio strscan json date bigdecimal digest zlib set socket psych openssl].select do |library|
  require library
rescue LoadError
  false
end

rows = File.readlines("#{__dir__}/places.txt", chomp: true).reject { |line| line.empty? || line.start_with?("#") }
rows = rows.each_slice(7).map(&:first) if ARGV.include?("sample")
bad = []
rows.each do |row|
  library, source = row.match?(/\A\w+: /) ? row.split(": ", 2) : [nil, row]
  next if library && !LIBRARIES.include?(library)
  place = eval("->(o, s, a, h, n) { #{source} }")
  $stderr.syswrite("#{row}\n") if SHOWN
  ANSWERS.each do |kind, answer|
    $answer = answer
    $r = +""
    begin
      objects = [Hostile.new, HostileString.new("a b").encode!("UTF-16LE"), HostileArray[1, 2], HostileHash[1, 2], HostileNumber.new]
      catch(:hostile) { place.call(*objects) }
    rescue SystemExit, NoMemoryError => e
      bad << "#{kind}: #{row}: #{e.class}"
    rescue Exception => e
      text = catch(:hostile) { MESSAGE.bind_call(e) } rescue nil
      bad << "#{kind}: #{row}: #{text}" if text.is_a?(String) && text.include?("[BUG]")
    end
  end
end
$stdout.syswrite(bad.map { |line| "#{line}\n" }.join)
$stdout.syswrite("#{bad.size} of #{rows.size} places failed\n")
Process.exit!(bad.empty?)
