# Recorded from CRuby 4.1dev.
# What exceptions know besides their message is dumped with them, except for receivers of NameErrors and FrozenErrors.

def show(*readers)
  begin
    yield
  rescue Exception => error
  end
  copy = Marshal.load(Marshal.dump(error))
  read = lambda do |from|
    readers.map { |reader| from.public_send(reader) rescue "#{$!.class}: #{$!.message}" }
  end
  puts "#{error.class} #{error.instance_variables} #{read[error]}"
  puts "  #{copy.instance_variables} #{read[copy] == read[error] ? "the same" : read[copy]}"
end

def block_of(&block) = block
def returning = proc { return 7 }

show(:message, :reason, :exit_value) { block_of { break 5 }.call }
show(:message, :reason, :exit_value) { returning.call }
show(:reason, :exit_value) { Class.new { def none = yield }.new.none }
show(:reason) { raise LocalJumpError }
invalid = %i[error_bytes readagain_bytes incomplete_input? source_encoding_name destination_encoding_name
  source_encoding destination_encoding]
show(*invalid) { "\xFFa".encode("UTF-16LE") }
show(*invalid) { "\xE3a".encode("EUC-JP", "UTF-8") }
show(*invalid) { "\xE3".encode("EUC-JP", "UTF-8") }
show(:error_char, *invalid.last(4)) { "\u{3042}".encode("ISO-8859-1") }
show(:path) { require "/nonexistent/file" }
show(:path) { eval "1 +", nil, "source.rb" }
show(:path) { raise LoadError }
show(:receiver, :key) { { a: 1 }.fetch(:b) }
show(:receiver, :key) { raise KeyError }
show(:matchee, :key) { case { a: 1 }; in { b: } then b; end }
show(:name, :receiver) { BasicObject.const_get(:Missing) }
show(:name, :args, :private_call?, :receiver) { 1.missing(2) }
show(:receiver) { "a".freeze << "b" }
show(:result) { [].each.next }
show(:message, :tag, :value) { throw :x, 5 }
show(:status, :success?) { exit 3 }
show(:signo, :signm) { raise SignalException, "TERM" }
show(:errno) { File.read("/nonexistent/file") }
show(:cause) { begin; raise "a"; rescue; raise "b"; end }
