# Digests of many small texts and a few large ones; finds duplicates.
require "digest"
texts = Array.new(50_000) { |i| "content of file #{i % 40_000}" }
groups = texts.group_by { |text| Digest::SHA256.hexdigest(text) }
short = texts.map { |text| Digest::MD5.hexdigest(text)[0, 4] }.uniq.size
large = Digest::SHA1.new
2_000.times { |i| large << "block #{i}" * 100 }
puts groups.count { |_, same| same.size > 1 }, short, large.hexdigest, Digest::SHA256.base64digest("é"),
     texts.first.hash == texts[40_000].hash
