module Prism
  # The version of the library's Ruby files, which determines its classes; the parser is newer.
  VERSION = File.foreach($LOAD_PATH.resolve_feature_path("prism/serialize")[1])
    .lazy.filter_map { |line| line[/(?:MAJOR|MINOR|PATCH)_VERSION = (\d+)/, 1] }.first(3).join(".").freeze

  # Reads line by line, up to the end or to `__END__`.
  def self.parse_stream(stream, **options)
    source = "".b
    while (line = stream.gets)
      source << line.b
      break if line.b.match?(/\A__END__\r?\n?\z/)
    end
    parse(source, **options)
  end
end
