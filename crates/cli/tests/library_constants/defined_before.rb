# Each constant that a built-in library defines, up to two levels deep, is 1 before the library is loaded: `require`
# succeeds or raises an error that names the constant. The arguments are the libraries.

def in_child
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    $stderr.reopen(writer)
    text = begin
      yield
    rescue Exception => e
      "#{e.class}: #{e.message}"
    end
    writer.write(Marshal.dump(text))
    writer.close
    exit!(0)
  end
  writer.close
  text = reader.read
  Process.wait(pid)
  $?.success? ? (Marshal.load(text) rescue "printed #{text}") : "died: #{$?} #{text}"
end

def defined_by(library)
  in_child do
    before = Object.constants
    require library
    outer = Object.constants - before
    outer.reject! { |name| Object.autoload?(name) }
    outer.flat_map do |name|
      value = Object.const_get(name)
      next [[name]] unless value.is_a?(Module)
      kind = value.is_a?(Class) ? value.superclass.name : nil
      kind = :gone if kind && !before.include?(kind.to_sym)
      inner = kind == :gone ? [] : value.constants(false).reject { |inner| value.autoload?(inner) }
      [[name], *inner.map { |inner_name| [name, inner_name, kind] }]
    end
  end
end

def load_after(library, name, inner = nil, kind = nil)
  in_child do
    $VERBOSE = nil
    if inner
      outer = kind ? Class.new(Object.const_get(kind)) : Module.new
      Object.const_set(name, outer).const_set(inner, 1)
    else
      Object.const_set(name, 1)
    end
    begin
      require library
      :loaded
    rescue Exception => e
      e.class == TypeError && e.message.match?(/\b#{inner || name}\b/) ? :refused : "#{e.class}: #{e.message}"
    end
  end
end

bad = 0
seen = 0
ARGV.each do |library|
  found = defined_by(library)
  next unless found.is_a?(Array)
  found.each do |path|
    seen += 1
    outcome = load_after(library, *path)
    next if outcome == :loaded || outcome == :refused
    bad += 1
    puts "#{library}: #{path.first(2).join("::")}: #{outcome}"
  end
end
puts "#{bad} bad of more than 300" if seen > 300
