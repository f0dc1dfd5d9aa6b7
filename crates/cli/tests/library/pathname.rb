# Recorded from CRuby 3.4.11.
require "pathname"
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t { Pathname("a.b/").sub_ext(".rb") }; t { Pathname("/x/.bashrc").sub_ext(".rb") }
t { Pathname("long/a.tar.gz//").sub_ext(".x") }; t { Pathname("a/").sub_ext(".x") }
t { Pathname("a") <=> 1 }; t { Pathname("a") <=> Pathname("b") }; t { Pathname("a/b") <=> Pathname("a.b") };
t { Pathname("a") + "../b" }; t { Pathname("/a").join("b", "/c", "d") }; t { Pathname("a//b/../c").cleanpath }; t { Pathname("/a/b").relative_path_from("/a/c/d") }
t { Pathname("a").frozen? }; t { Pathname("a").freeze.to_s.frozen? }; t { Pathname("a").hash == Pathname("a").hash }; t { Pathname("a").eql?("a") }
t { Pathname("/a/b").each_filename.to_a }; t { Pathname("/a/b").ascend.map(&:to_s) }; t { Pathname("x/y.z").split }; t { Pathname("y.z").extname }
t { Pathname("/").root? }
