# net/imap, a bundled gem, whose settings are shareable Procs.
require "net/imap"

p Net::IMAP::Config.new(sasl_ir: false).sasl_ir
begin
  Net::IMAP::Config.new(responses_without_block: :never)
rescue ArgumentError => e
  puts e.message
end
