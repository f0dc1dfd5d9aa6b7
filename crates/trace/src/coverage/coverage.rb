# The states of a measurement, and the shape of its results.

module Coverage
  @state = :idle

  # The possible targets.
  TARGETS = %i[lines oneshot_lines branches methods eval].freeze
  private_constant :TARGETS

  def self.supported?(target)
    raise TypeError, "wrong argument type #{target.class} (expected Symbol)" unless Symbol === target
    TARGETS.include?(target)
  end

  class << self
    private

    # The requested targets; none selects the legacy mode, whose results are lines only.
    def __targets(options)
      return %i[lines branches methods eval] if options == :all
      hash = Hash.try_convert(options) or raise TypeError, "no implicit conversion of #{options.class} into Hash"
      targets = TARGETS.select { |target| hash[target] }
      if targets.include?(:lines) && targets.include?(:oneshot_lines)
        raise "cannot enable lines and oneshot_lines simultaneously"
      end
      targets
    end

    def __results
      files = __files.to_h do |path, lines|
        lines.freeze
        next [path, lines] if @targets.empty?
        row = {}
        row[:lines] = lines if @targets.include?(:lines)
        row[:oneshot_lines] = lines if @targets.include?(:oneshot_lines)
        row[:branches] = {} if @targets.include?(:branches)
        row[:methods] = {} if @targets.include?(:methods)
        [path, row]
      end
      if @targets.include?(:branches)
        __branches.each { |path, branch_points| __number(branch_points, files[path][:branches]) }
      end
      __methods.each do |path, *key, calls|
        methods = files.dig(path, :methods) or next
        methods[key] = methods.fetch(key, 0) + calls
      end
      files.freeze
    end

    # Branch points and their branches are numbered in one sequence.
    def __number(branch_points, result)
      number = -1
      branch_points.each do |kind, *place, branches|
        counts = result[[kind, number += 1, *place]] = {}
        branches.each { |name, *place, count| counts[[name, number += 1, *place]] = count }
      end
    end
  end

  module_function

  def setup(*options)
    raise ArgumentError, "wrong number of arguments (given #{options.size}, expected 0..1)" if options.size > 1
    Coverage.instance_exec do
      raise "coverage measurement is already setup" unless @state == :idle
      @targets = options.empty? ? [] : __targets(options[0])
      lines = @targets.empty? || @targets.include?(:lines) || @targets.include?(:oneshot_lines)
      __begin(lines, @targets.include?(:oneshot_lines), @targets.include?(:methods), @targets.include?(:eval),
        @targets.include?(:branches))
      @state = :suspended
    end
    nil
  end

  def start(*options)
    Coverage.setup(*options)
    Coverage.resume
  end

  def resume
    Coverage.instance_exec do
      raise "coverage measurement is not set up yet" if @state == :idle
      raise "coverage measurement is already running" if @state == :running
      @state = :running
      __count(true)
    end
    nil
  end

  def suspend
    Coverage.instance_exec do
      raise "coverage measurement is not running" unless @state == :running
      __count(false)
      @state = :suspended
    end
    nil
  end

  def peek_result
    Coverage.instance_exec do
      raise "coverage measurement is not enabled" if @state == :idle
      __results
    end
  end

  def result(*options)
    raise ArgumentError, "wrong number of arguments (given #{options.size}, expected 0..1)" if options.size > 1
    Coverage.instance_exec do
      raise "coverage measurement is not enabled" if @state == :idle
      stop = clear = true
      unless options.empty?
        hash = Hash.try_convert(options[0]) or raise TypeError,
          "no implicit conversion of #{options[0].class} into Hash"
        stop, clear = hash[:stop], hash[:clear]
      end
      found = __results
      if stop && !clear
        warn("stop implies clear", uplevel: 0)
        clear = true
      end
      __clear if clear
      if stop
        __count(false) if @state == :running
        __end
        @state = :idle
      end
      found
    end
  end

  def state = Coverage.instance_exec { @state }
  def running? = Coverage.state == :running
end
