class Monitor
  def synchronize
    __enter
    begin
      yield
    ensure
      __exit
    end
  end

  # Waits for the condition. Returns true if it was signalled, false if the timeout was over first.
  def wait_for_cond(condition, timeout)
    count = __give_up
    begin
      condition.wait(__mutex, timeout) ? true : false
    ensure
      __regain(count)
    end
  end

  def new_cond = ::MonitorMixin::ConditionVariable.new(self)

  alias try_mon_enter try_enter
  alias mon_try_enter try_enter
  alias mon_enter enter
  alias mon_exit exit
  alias mon_synchronize synchronize
end

module MonitorMixin
  class ConditionVariable
    def wait(timeout = nil)
      @monitor.mon_check_owner
      @monitor.wait_for_cond(@cond, timeout)
    end

    def wait_while
      wait while yield
    end

    def wait_until
      wait until yield
    end

    def signal
      @monitor.mon_check_owner
      @cond.signal
    end

    def broadcast
      @monitor.mon_check_owner
      @cond.broadcast
    end

    private

    def initialize(monitor)
      @monitor = monitor
      @cond = Thread::ConditionVariable.new
    end
  end

  def self.extend_object(object)
    super
    object.__send__(:mon_initialize)
  end

  def mon_try_enter = @__monitor.try_enter
  alias_method :try_mon_enter, :mon_try_enter

  def mon_enter = @__monitor.enter

  def mon_exit
    mon_check_owner
    @__monitor.exit
  end

  def mon_locked? = @__monitor.mon_locked?

  def mon_owned? = @__monitor.mon_owned?

  def mon_synchronize(&block) = @__monitor.synchronize(&block)
  alias_method :synchronize, :mon_synchronize

  def new_cond
    unless @__monitor
      mon_initialize
      @__monitor_by_condition = true
    end
    ConditionVariable.new(@__monitor)
  end

  private

  def initialize(...)
    super
    mon_initialize
  end

  def mon_initialize
    if @__monitor
      return if @__monitor_by_condition
      raise ThreadError, "already initialized" if @__monitor_of == object_id
    end
    @__monitor = ::Monitor.new
    @__monitor_of = object_id
  end

  def mon_check_owner = @__monitor.mon_check_owner
end
