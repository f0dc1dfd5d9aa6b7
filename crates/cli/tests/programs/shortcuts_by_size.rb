# Methods whose work depends on what is asked for: the first clusters, a known key, leading numbers, skipped characters.
text = "ab\u0301c\u{1F1E6}\u{1F1E7}\u{1F1E8}\r\n" * 40
clusters = text.grapheme_clusters
p clusters.size, text.each_grapheme_cluster.first(3), text.each_grapheme_cluster.to_a == clusters
p text.encode("UTF-16LE").each_grapheme_cluster.map(&:bytesize) == clusters.map { |c| c.encode("UTF-16LE").bytesize }
p "".each_grapheme_cluster.to_a
("a".."z").to_a.join.each_grapheme_cluster.with_index { |c, i| print c if i % 8 == 7 }
puts

keys = { "a" => 1, :b => 2, 3 => 4, 1.0 => 5, nil => 6 }
p keys.assoc("a"), keys.assoc(:b), keys.assoc(3), keys.assoc(1), keys.assoc(nil), keys.assoc("zz"), keys.assoc(:zz)
many = (0...50).to_h { |i| ["key#{i}", i] }
p many.assoc("key33"), many.assoc("none")
same = {}.compare_by_identity
same["x".dup] = 1
p same.assoc("x")

p [1, 2, 3].sum(0.0), [0.1, 0.2, 0.3].sum(0.0), [1, 2, 0.1, 3].sum(0.5), [].sum(-0.0), [0].sum(-0.0), [2**53, 1, 1].sum(0.0)
p [1, 2, 3].sum(0r), [1, 1/3r, 2].sum(0r), [1, 2**70, 3].sum(0.0), [1, 2**70, 3].sum(1r), [1, nil].sum(0.0) rescue p $!.class
p [3, 1i].sum(0.5), [2**62, 2**62].sum(0.0), [1, Float::INFINITY, 2].sum(0.0), [1e100, 1.0, -1e100].sum(0.0)

p "YWJj ZGVm".unpack1("m"), "YWJj\nZGVmZw==\n".unpack1("m"), "Y W-J.j".unpack1("m"), "YQ==YQ==".unpack1("m"), "Y".unpack1("m")
p (["any text that is longer than a line of base64, so that it takes more of them"] * 3).pack("m").unpack1("m").size
p "\x12\xF0".unpack("b*B*"), "\x12\xF0".unpack("b3"), "\x12\xF0".unpack("B13"), "".unpack("b*")
p "é€𝄞a\u3042".unpack("U*"), ("é" * 300).unpack("U*").sum, "\u00e9\xff".unpack("U") 
p "aé".encode("UTF-16").bytes, "".encode("UTF-16").bytes, "𝄞".encode("UTF-16").bytes, "ab".encode("UTF-16").encode("UTF-8")
p "héllo wörld".succ, "wörlz".succ, "é9".succ, "Zé".succ, "éa9z".succ, "\xffa".succ, "é".succ
p "Àÿ\u00ad\u0378\u3041漢字가\u{E000}".inspect, "1+2i\0x".to_c, "3\0".to_c, " 4@2".to_c
p Set.new(0...100) | Set.new(50...150) == Set.new(0...150), (Set.new(0...100) ^ Set.new(50...150)).sum, (Set.new(0...100) | Set.new(0...60)).size
copy = (0...1000).to_h { |i| ["k#{i}", [i]] }.dup
GC.start
p copy.sum { |_, v| v[0] }
p [10**17, 0.5, 0.25].sum(0.1), [3, 2**70, 0.1].sum(0.3), [1, 1/3r, 0.1].sum(0.7), [2**53, 1, 0.1].sum(0.1), [7, 0.1, 0.2, 0.3].sum(0.4)
