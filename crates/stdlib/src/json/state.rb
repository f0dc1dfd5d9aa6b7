class JSON::Ext::Generator::State
  def initialize(options = nil)
    configure(options) if options && !options.empty?
  end

  def configure(options)
    unless Hash === options
      if options.respond_to?(:to_hash)
        options = options.to_hash
      elsif options.respond_to?(:to_h)
        options = options.to_h
      else
        raise TypeError, "can't convert #{options.class} into Hash"
      end
    end
    _configure(options)
  end
  alias_method :merge, :configure

  def to_h
    result = {
      indent:, space:, space_before:, object_nl:, array_nl:, as_json:, allow_nan: allow_nan?, ascii_only: ascii_only?,
      max_nesting:,
      script_safe: script_safe?, strict: strict?, depth:, buffer_initial_length:,
    }
    allowed = allow_duplicate_key?
    result[:allow_duplicate_key] = allowed unless allowed.nil?
    instance_variables.each { |variable| result[variable[1..].to_sym] = instance_variable_get(variable) }
    result
  end
  alias_method :to_hash, :to_h

  def [](name)
    JSON.deprecation_warning("JSON::State#[] is deprecated and will be removed in json 3.0.0")
    return __send__(name) if respond_to?(name)
    variable = :"@#{name}"
    instance_variable_get(variable) if instance_variable_defined?(variable)
  end

  def []=(name, value)
    JSON.deprecation_warning("JSON::State#[]= is deprecated and will be removed in json 3.0.0")
    respond_to?("#{name}=") ? __send__("#{name}=", value) : instance_variable_set(:"@#{name}", value)
  end
end
