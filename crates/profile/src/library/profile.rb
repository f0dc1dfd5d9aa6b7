# Profiles of a program; see docs/profiling.md.
module Beni
  class Profile
    # The seconds of a line: `own` includes the native methods that it calls, `total` everything that it calls.
    Line = Data.define(:path, :line, :method, :own, :total, :source)

    # The seconds of a method. `kind` is :ruby, :core or :native, or for time outside of methods :collector, :compiler,
    # :waiting or :lock.
    Method = Data.define(:name, :path, :line, :kind, :own, :total)

    # What a thread did `time` seconds after the start, for `weight` seconds: the frames, innermost first.
    Sample = Data.define(:time, :weight, :thread, :frames)
    Frame = Data.define(:name, :path, :line, :kind, :compiled)

    # The allocations of a line; `classes` are objects by class, "" for buffers. `survived` counts the objects that
    # outlived the first collection after their allocation.
    AllocatingLine = Data.define(:path, :line, :objects, :bytes, :survived, :classes)

    # The objects of a class; `lines` are objects by allocation site.
    AllocatedClass = Data.define(:name, :objects, :bytes, :survived, :lines)

    # What a block allocated; see `allocations`.
    class Allocations
      # The lines that allocate most objects, first.
      def by_line
        @by_line ||= __lines.map { |path, line, *counts, parts| AllocatingLine.new(path, line, *counts, parts.to_h) }
      end

      # The classes with the most objects first.
      def by_class
        @by_class ||= __classes.map { |name, _, *counts, parts| AllocatedClass.new(name, *counts, parts.to_h) }
      end

      def objects = by_line.sum(&:objects)
      def bytes = by_line.sum(&:bytes)

      # Writes a page (.html) or collapsed stacks (.txt).
      def write(file)
        __write(file.respond_to?(:to_path) ? file.to_path : String(file))
        self
      end

      def inspect = "#<Beni::Profile::Allocations #{objects} objects, #{bytes} bytes>"
    end

    class << self
      # Counts the allocations of the block, in all threads: every object, or with `sample` one allocation per this many
      # bytes, buffers included, from which the numbers are estimated.
      def allocations(sample: nil)
        __start_allocations(sample)
        begin
          yield
        ensure
          counted = __stop_allocations(Allocations)
        end
        counted
      end

      # Profiles the block: `mode` is :cpu (processor time) or :wall; one sample every `interval` microseconds.
      def run(mode: :cpu, interval: 1000)
        start(mode:, interval:)
        begin
          yield
        ensure
          profile = stop
        end
        profile
      end

      # Starts profiling all threads.
      def start(mode: :cpu, interval: 1000) = __start(mode, interval)

      # Stops profiling and returns the profile.
      def stop = __stop || Kernel.raise("no profile is being taken")
    end

    # The lines by cost, the largest first.
    def by_line = __lines.map { |row| Line.new(*row) }

    # The methods by cost, the largest first.
    def by_method = __methods.map { |row| Method.new(*row) }

    def samples
      frames = {}
      __samples.map do |time, weight, thread, chain|
        Sample.new(time, weight, thread, chain.map { |frame| frames[frame] ||= Frame.new(*frame) })
      end
    end

    # Writes the profile to a file, in the format of its extension: .html, .json (speedscope), .firefox.json, .pb.gz
    # (pprof), .txt (collapsed stacks).
    def write(file)
      __write(file.respond_to?(:to_path) ? file.to_path : String(file))
      self
    end

    def inspect = "#<Beni::Profile #{mode} #{total.round(3)} s>"
  end
end
