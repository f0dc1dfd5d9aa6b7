# String#tr with sets of ASCII characters, which are translated in a copy or in place, and with others.
SETS = ["a", "a-c", "a-", "a-c-e", "aa", "^", "^a", "z-a", "a\\-c", "à-é", ""].freeze
TEXTS = ["hello-world_^abc\\", "hällo ça", "", "\xff\xfeabc".b, "abc".encode("utf-16le"), "\xe9abc".b,
         "\xe9abc".dup.force_encoding("iso-8859-1"), "abc".dup.force_encoding("us-ascii"), "b\xffc"].freeze
TEXTS.each do |text|
  rows = SETS.product(SETS).map do |from, to|
    # CRuby 4.1dev takes the result of this for ASCII.
    next [] if from == "^a" && !to.ascii_only?
    copy = text.dup
    [(text.tr(from, to) rescue $!.class), (copy.tr!(from, to).nil? rescue $!.class),
     (text.tr_s(from, to) rescue $!.class),
     copy == (text.tr(from, to) rescue text), copy.encoding == (text.tr(from, to).encoding rescue copy.encoding)]
  end
  rows.each_slice(SETS.size) do |slice|
    puts slice.map { |row| row.map { |x| x.is_a?(String) ? x.b.dump : x }.join(" ") }.join(" | ")
  end
end
frozen = "abc".freeze
p frozen.tr("a", "b"), (frozen.tr!("a", "b") rescue $!.class), (frozen.tr!("z", "b") rescue $!.class)
p frozen.tr("z", "y").frozen?, frozen.tr("a", "x").frozen?, Class.new(String).new("abc").tr("a", "b").class
long = "a" * 5000
copy = long.dup
p copy.tr!("a", "b").count("b"), long.count("a"), long.tr("a", "c").count("c"), copy.ascii_only?
p long.tr("a", "é").ascii_only?
p "aaa".tr!("a", "a"), "bbb".tr!("a", "a"), "ab".tr("ab", "ba"), "hello".tr("el", "ip"), "hello".tr("a-y", "b-z")
p "déjà".tr("a-j", "A-J"), "déjà".dup.tr!("d", "D").valid_encoding?, "été".tr("t", "T").hash == "éTé".hash
