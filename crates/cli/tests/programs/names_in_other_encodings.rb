# Names of constants and classes keep their encoding.
latin = "R\xE9sum\xE9".dup.force_encoding("ISO-8859-1")
made = Object.const_set(latin, Class.new { attr_accessor :inner })
p made.name, made.name.encoding, Marshal.load(Marshal.dump(made)).equal?(made)
copy = Marshal.load(Marshal.dump(made.new))
p copy.class.equal?(made)
nested = made.const_set(latin.swapcase.capitalize, Module.new)
p nested.name.encoding, Marshal.load(Marshal.dump(nested)).equal?(nested)

%w[Windows-31J EUC-JP].each do |encoding|
  ["\u{391}", "\u{ff21}", "\u{414}"].each do |letter|
    scope, name = Module.new, letter.encode(encoding)
    p scope.const_defined?(name), scope.const_set(name, 1), scope.const_get(name), scope.constants == [name.to_sym]
  end
  p((Object.const_set("\u{3b1}".encode(encoding), 1) rescue $!.class))
end
