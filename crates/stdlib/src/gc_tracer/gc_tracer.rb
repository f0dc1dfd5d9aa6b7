module GC
  module Tracer
    EVENTS = %i[start end_mark end_sweep newobj freeobj enter exit].freeze
    TICKS = %i[none hw_counter time nano_time].freeze
    private_constant :EVENTS, :TICKS

    @events = %i[start end_mark end_sweep]
    @tick_type = :time
    @gc_stat = true
    @gc_latest_gc_info = true
    @rusage = false
    @fields = []
    @out = nil

    # start_logging(filename = nil, **settings) { } → the block's result, or nil
    #
    # Logs each of the events as a line: its name, a time, and the requested statistics, separated by tabs. The file's
    # name may have "%p" for the number of the process; without one it is that of GC_TRACER_LOGFILE, or the standard
    # error.
    def self.start_logging(file = nil, filename: nil, events: nil, tick_type: nil, gc_stat: nil, gc_latest_gc_info: nil,
      rusage: nil, custom_fields: nil)
      filename ||= file
      setup_logging_out(filename) if filename
      setup_logging_events(*events) if events
      setup_logging_tick_type(tick_type) if tick_type
      self.setup_logging_gc_stat = gc_stat unless gc_stat.nil?
      self.setup_logging_gc_latest_gc_info = gc_latest_gc_info unless gc_latest_gc_info.nil?
      self.setup_logging_rusage = rusage unless rusage.nil?
      setup_logging_custom_fields(custom_fields) if custom_fields
      out = @out || ENV["GC_TRACER_LOGFILE"]
      out = out.to_s.gsub("%p", Process.pid.to_s) if out
      __start(out, @events.map(&:to_s), TICKS.index(@tick_type), @gc_stat, @gc_latest_gc_info, @rusage,
        @fields.map(&:to_s))
      return unless block_given?
      begin
        yield
      ensure
        stop_logging
      end
    end

    def self.stop_logging = __stop
    def self.flush_logging = __flush

    def self.setup_logging_out(out)
      @out = out.respond_to?(:path) ? out.path : out
      nil
    end

    def self.setup_logging_events(*events)
      events = events.flatten
      unknown = events.find { |event| !EVENTS.include?(event) }
      raise ArgumentError, "unknown event: #{unknown.inspect}" if unknown
      @events = events
      nil
    end

    def self.setup_logging_tick_type(type)
      raise ArgumentError, "unknown tick type: #{type.inspect}" unless TICKS.include?(type)
      @tick_type = type
      nil
    end

    def self.setup_logging_gc_stat=(on)
      @gc_stat = on ? true : false
    end

    def self.setup_logging_gc_latest_gc_info=(on)
      @gc_latest_gc_info = on ? true : false
    end

    def self.setup_logging_rusage=(on)
      @rusage = on ? true : false
    end

    def self.setup_logging_custom_fields(names)
      @fields = names.map(&:to_sym)
      nil
    end

    # User-defined columns, by name or number, at the end of each line.
    def self.custom_field_increment(field) = __change(__field(field), 1)
    def self.custom_field_decrement(field) = __change(__field(field), -1)
    def self.custom_field_get(field) = __change(__field(field), 0)
    def self.custom_field_set(field, value) = __set(__field(field), Integer(value))

    # custom_event_logging(name): writes a line for an event of the program.
    def self.custom_event_logging(name) = __event(name.to_s)

    def self.__field(field)
      return field if Integer === field && field >= 0 && field < @fields.size
      @fields.index(field.to_s.to_sym) or raise ArgumentError, "unknown custom field: #{field.inspect}"
    end

    private_class_method :__field, :__start, :__stop, :__flush, :__change, :__set, :__event
  end
end
