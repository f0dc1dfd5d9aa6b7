# ENV has the locale's encoding, whatever the default external one is, converted to the default internal one.
ENV["NOTE"] = "é"
def note = [ENV["NOTE"].dump, ENV["NOTE"].encoding, ENV.fetch("NOTE").frozen?, ENV.to_h["NOTE"].encoding]
p note
Encoding.default_external = "BINARY"
p note
Encoding.default_internal = "ISO-8859-1"
p note
ENV["NOTE"] = "あ"
p note
Encoding.default_internal = nil
p note
begin
  ENV.replace(Object.new)
rescue TypeError => error
  puts error.message
end
