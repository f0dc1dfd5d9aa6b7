# Parses a settings file with sections by StringScanner with captures.
require "strscan"
text = Array.new(1_500) { |i| "[section#{i}]\n; a comment\nname = \"Value #{i}\"\ncount=#{i}\nflag = true\n\n" }.join
config = {}
6.times do
  scanner = StringScanner.new(text)
  section = nil
  until scanner.eos?
    if scanner.scan(/\[(\w+)\]\s*/) then section = config[scanner[1]] = {}
    elsif scanner.scan(/(?<key>\w+)\s*=\s*(?:"(?<text>[^"]*)"|(?<word>\S+))\s*/)
      section[scanner[:key]] = scanner[:text] || scanner[:word]
    elsif scanner.check(/;/) then scanner.skip_until(/\n/)
    else scanner.getch
    end
  end
end
puts config.size, config["section77"].inspect, config.sum { |_, values| values["count"].to_i }
