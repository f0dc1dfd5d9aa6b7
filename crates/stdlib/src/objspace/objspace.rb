module ObjectSpace
  # dump(object, output: :string) → String, File, nil or the IO
  def self.dump(object, output: :string)
    result = _dump(object, __output(output, "rubyobj"))
    output == :stdout ? nil : result
  end

  # dump_all(output: :file, full: false, since: nil, shapes: true): the heap, one line of JSON per object.
  def self.dump_all(output: :file, full: false, since: nil, shapes: true)
    shapes = 0 if shapes == true
    result = _dump_all(__output(output, "rubyheap"), full, since, shapes)
    output == :stdout ? nil : result
  end

  # dump_shapes(output: :file, since: 0): the shapes from number `since` on.
  def self.dump_shapes(output: :file, since: 0)
    result = _dump_shapes(__output(output, "rubyshapes"), since)
    output == :stdout ? nil : result
  end

  def self.__output(output, name)
    case output
    when :file, nil
      require "tempfile"
      Tempfile.create([name, ".json"])
    when :stdout then STDOUT
    when :string then +""
    when IO then output
    else raise ArgumentError, "wrong output option: #{output.inspect}"
    end
  end
  private_class_method :__output
end
