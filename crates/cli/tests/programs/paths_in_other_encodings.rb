# Paths keep their encoding in joined paths, in messages and in what inspect shows.
def try
  p yield
rescue SystemCallError, ArgumentError, EncodingError => error
  p [error.class, error.message, error.message.encoding]
end

try { File.join("a", "\xFF".b).encoding }
try { File.join("a".b, "a").encoding }
try { File.join("a".encode("EUC-JP"), ["\u3042"]).encoding }
try { File.join("\xFF".b, "\u3042") }
path = "/nowhere/\u3042".encode("Windows-31J")
try { Dir.open(path) }
try { File.open(path) }
try { File.open("/nowhere/\xFF") }
try { File.basename("a".encode("UTF-16LE")) }
require "tmpdir"
Dir.mktmpdir do |directory|
  Dir.chdir(directory) do
    name = "\u3042".encode("Windows-31J")
    File.open(name, "w") { |file| p file.inspect.encoding, file.inspect.valid_encoding? }
    Dir.mkdir("d".encode("Windows-31J") + name)
    Dir.open("d".encode("Windows-31J") + name) { |opened| p opened.inspect.encoding }
    %w[a b c].each { |letter| File.write(letter, "") }
    p Dir.glob("[abc/d]").sort
    p Dir.glob("a".encode("EUC-JP")).map(&:encoding)
    p Dir.new(directory).chdir { |*given| given }
  end
end
r, = IO.pipe
p File.realpath("/proc/self/fd/#{r.fileno}").end_with?("/fd/#{r.fileno}")
