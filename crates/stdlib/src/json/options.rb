module JSON
  # Options that the parser does not implement itself, as a Proc that converts each value.
  module ParserOptions
    class << self
      def prepare(options)
        if options[:object_class] || options[:array_class]
          options = options.dup
          on_load = options[:on_load]
          on_load = filling_objects(options[:object_class], on_load) if options[:object_class]
          on_load = filling_arrays(options[:array_class], on_load) if options[:array_class]
          options[:on_load] = on_load
        end
        options.fetch(:create_additions, false) == false ? options : with_additions(options)
      end

      private

      # Hashes are converted to `maker` with the same contents.
      def filling_objects(maker, on_load)
        lambda do |value|
          if Hash === value
            made = maker.new
            value.each { |key, element| made[key] = element }
            value = made
          end
          on_load ? on_load.call(value) : value
        end
      end

      def filling_arrays(maker, on_load)
        lambda do |value|
          if Array === value
            made = maker.new
            value.each { |element| made << element }
            value = made
          end
          on_load ? on_load.call(value) : value
        end
      end

      def with_additions(options)
        if options[:symbolize_names]
          raise ArgumentError, "options :symbolize_names and :create_additions cannot be  used in conjunction"
        end
        options = options.dup
        implicit = options[:create_additions].nil?
        patterns, on_load, kind = options[:match_string], options[:on_load], options[:object_class] || Hash
        options[:on_load] = lambda do |value|
          case value
          when String
            pattern, maker = patterns&.find { |pattern, _| pattern.match(value) }
            value = create(maker, value, implicit) if pattern
          when kind
            if (path = value[JSON.create_id])
              maker = constant(path)
              value = create(maker, value, implicit) if creates?(maker)
            end
          end
          on_load ? on_load.call(value) : value
        end
        options
      end

      def constant(path)
        Object.const_get(path)
      rescue NameError => error
        raise ArgumentError, "can't get const #{path}: #{error}"
      end

      def creates?(maker) =
        maker.respond_to?(:json_creatable?) ? maker.json_creatable? : maker.respond_to?(:json_create)

      def create(maker, value, implicit)
        if implicit
          JSON.deprecation_warning "JSON.load implicit support for `create_additions: true` is deprecated " \
            "and will be removed in 3.0, use JSON.unsafe_load or explicitly pass `create_additions: true`"
        end
        maker.json_create(value)
      end
    end
  end
end
