module JSON
  @load_default_options = { allow_nan: true, allow_blank: true, create_additions: nil }
  @unsafe_load_default_options = { max_nesting: false, allow_nan: true, allow_blank: true, create_additions: true }
  @dump_default_options = { max_nesting: false, allow_nan: true }

  class << self
    %i[load_default_options unsafe_load_default_options dump_default_options].each do |name|
      variable = :"@#{name}"
      define_method(name) do
        JSON.deprecation_warning("JSON.#{name} is deprecated and will be removed in json 3.0.0")
        instance_variable_get(variable)
      end
      define_method(:"#{name}=") do |options|
        JSON.deprecation_warning("JSON.#{name}= is deprecated and will be removed in json 3.0.0")
        instance_variable_set(variable, options)
      end
      define_method(:"_#{name}") { instance_variable_get(variable) }
    end

    private

    def const_missing(name)
      return super unless name == :PRETTY_STATE_PROTOTYPE
      JSON.deprecation_warning(
        "JSON::PRETTY_STATE_PROTOTYPE is deprecated and will be removed in json 3.0.0, just use JSON.pretty_generate")
      state.new(PRETTY)
    end
  end

  module_function

  { fast_generate: :generate, unparse: :generate, fast_unparse: :generate, pretty_unparse: :pretty_generate,
    restore: :load }.each do |old, new|
    define_method(old) do |*arguments|
      JSON.deprecation_warning("JSON.#{old} is deprecated and will be removed in json 3.0.0, just use JSON.#{new}")
      JSON.__send__(new, *arguments)
    end
    module_function old
  end
end

module Kernel
  private

  def j(*objects)
    JSON.deprecation_warning("Kernel#j is deprecated and will be removed in json 3.0.0")
    objects.each { |object| puts JSON.generate(object, allow_nan: true, max_nesting: false) }
    nil
  end

  def jj(*objects)
    JSON.deprecation_warning("Kernel#jj is deprecated and will be removed in json 3.0.0")
    objects.each { |object| puts JSON.pretty_generate(object, allow_nan: true, max_nesting: false) }
    nil
  end

  def JSON(object, options = nil) = JSON[object, options]
end
