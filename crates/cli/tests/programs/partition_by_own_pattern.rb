class S < String; end
p "attc".partition(S.new("tt")).map(&:class), "attc".rpartition(S.new("tt")).map(&:class)
s = +","
p "a,b".partition(s)[1].equal?(s), "a,b".rpartition(s)[1].equal?(s)
300.times { "a,b".partition(",")[1] << "x"; "a,b".rpartition(",")[1] << "x" }
p "a,b".partition(",")
