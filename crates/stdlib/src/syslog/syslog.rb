# The log of this process, and checks that it is open where it must be.

module Syslog
  VERSION = "0.2.0"

  module Macros
    def self.included(target) = target.extend(self)

    def LOG_MASK(level) = 1 << level
    def LOG_UPTO(level) = (1 << level + 1) - 1
  end

  module Constants
    include Option
    include Facility
    include Level
    include Macros

    def self.included(target) = target.extend(Macros)
  end
  include Constants

  module_function

  def open(name = nil, options = nil, facility = nil)
    raise "syslog already open" if Syslog.opened?
    name = name.nil? ? $0 : String.try_convert(name) ||
      raise(TypeError, "no implicit conversion of #{name.class} into String")
    options = LOG_PID | LOG_CONS if options.nil?
    facility = LOG_USER if facility.nil?
    Syslog.instance_exec do
      __open(name, options, facility)
      @log = [name.dup.freeze, options.to_int, facility.to_int]
      @mask = __set_mask(0)
    end
    return Syslog unless block_given?
    begin
      yield Syslog
    ensure
      Syslog.close
    end
    Syslog
  end

  def reopen(...)
    Syslog.close
    Syslog.open(...)
  end

  def open!(...) = Syslog.reopen(...)

  def close
    raise "syslog not opened" unless Syslog.opened?
    Syslog.instance_exec do
      __close
      @log = nil
    end
    nil
  end

  def opened? = !Syslog.instance_variable_get(:@log).nil?
  def ident = Syslog.instance_variable_get(:@log)&.at(0)
  def options = Syslog.instance_variable_get(:@log)&.at(1)
  def facility = Syslog.instance_variable_get(:@log)&.at(2)
  def mask = Syslog.opened? ? Syslog.instance_variable_get(:@mask) : nil

  def mask=(mask)
    raise "must open syslog before setting log mask" unless Syslog.opened?
    Syslog.instance_exec do
      __set_mask(mask)
      @mask = mask.to_int
    end
  end

  def log(priority, *format)
    raise ArgumentError, "wrong number of arguments (given 1, expected 2+)" if format.empty?
    raise TypeError, "type mismatch: #{priority.class} given" unless Integer === priority
    raise "must open syslog before write" unless Syslog.opened?
    message = format(*format)
    Syslog.instance_exec { __write(priority, message) }
    Syslog
  end

  Level.constants.each do |level|
    name = level.to_s.delete_prefix("LOG_").downcase
    define_method(name) do |*format|
      raise ArgumentError, "no log message supplied" if format.empty?
      Syslog.log(Level.const_get(level), *format)
    end
    module_function name
  end

  def instance = Syslog

  def self.inspect
    return "<#Syslog: opened=false>" unless opened?
    "<#Syslog: opened=true, ident=#{ident.inspect}, options=#{options}, facility=#{facility}, mask=#{mask}>"
  end
end
