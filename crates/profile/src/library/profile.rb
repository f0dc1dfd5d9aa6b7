# Where a program's time goes; see docs/profiling.md.
module Beni
  class Profile
    # A line's seconds: in itself, with the native methods that it calls, and with all that it calls.
    Line = Data.define(:path, :line, :method, :own, :total, :source)

    # A method's seconds. `kind` is :ruby, :core or :native; :collector, :compiler, :waiting and :lock are no methods.
    Method = Data.define(:name, :path, :line, :kind, :own, :total)

    # What a thread did `time` seconds after the beginning, for `weight` seconds: the frames, innermost first.
    Sample = Data.define(:time, :weight, :thread, :frames)
    Frame = Data.define(:name, :path, :line, :kind, :compiled)

    # What a line allocated; `classes` are objects by class, "" for buffers. `survived` are the objects that outlived
    # the first collection after they were made.
    AllocatingLine = Data.define(:path, :line, :objects, :bytes, :survived, :classes)

    # Objects of a class; `lines` are objects by place.
    AllocatedClass = Data.define(:name, :objects, :bytes, :survived, :lines)

    Allocations = Data.define(:by_line, :by_class) do
      def objects = by_line.sum(&:objects)
      def bytes = by_line.sum(&:bytes)
      def inspect = "#<Beni::Profile::Allocations #{objects} objects, #{bytes} bytes>"
    end

    class << self
      # Counts what the block allocates, in all threads: every object, or with `sample` one allocation in so many bytes,
      # buffers included, from which the numbers are estimated.
      def allocations(sample: nil)
        __start_allocations(sample)
        begin
          yield
        ensure
          lines, classes = __stop_allocations
        end
        by_line = lines.map { |path, line, *counts, parts| AllocatingLine.new(path, line, *counts, parts.to_h) }
        by_class = classes.map { |name, _, *counts, parts| AllocatedClass.new(name, *counts, parts.to_h) }
        Allocations.new(by_line:, by_class:)
      end

      # Profiles the block: `mode` :cpu (processor time) or :wall, a sample each `interval` microseconds.
      def run(mode: :cpu, interval: 1000)
        start(mode:, interval:)
        begin
          yield
        ensure
          profile = stop
        end
        profile
      end

      # Begins to profile all threads.
      def start(mode: :cpu, interval: 1000) = __start(mode, interval)

      # Ends it and gives the profile.
      def stop = __stop || Kernel.raise("no profile is being taken")
    end

    # The lines that cost something, the dearest first.
    def by_line = __lines.map { |row| Line.new(*row) }

    # The methods that cost something, the dearest first.
    def by_method = __methods.map { |row| Method.new(*row) }

    def samples
      frames = {}
      __samples.map do |time, weight, thread, chain|
        Sample.new(time, weight, thread, chain.map { |frame| frames[frame] ||= Frame.new(*frame) })
      end
    end

    # Writes it to a file, in the format of its extension: .html, .json (speedscope), .firefox.json,
    # .pb.gz (pprof), .txt (collapsed stacks).
    def write(file)
      __write(file.respond_to?(:to_path) ? file.to_path : String(file))
      self
    end

    def inspect = "#<Beni::Profile #{mode} #{total.round(3)} s>"
  end
end
