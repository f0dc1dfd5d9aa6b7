module Process
  class Waiter < Thread
    def pid = self[:pid]
  end

  Tms = Struct.new(:utime, :stime, :cutime, :cstime)

  class << self
    def times = Tms.new(*__times)

    def wait(pid = -1, flags = 0) = __wait(pid || -1, flags || 0)

    def wait2(pid = -1, flags = 0)
      (pid = __wait(pid || -1, flags || 0)) && [pid, $?]
    end

    alias waitpid wait
    alias waitpid2 wait2

    def waitall
      __forget_status
      all = []
      begin
        while true
          all << [__wait(-1, 0), $?]
        end
      rescue Errno::ECHILD
        all
      end
    end

    def detach(pid)
      pid = Primitive.to_integer(pid)
      thread = Waiter.new do
        begin
          __wait(pid, 0)
          $?
        rescue Errno::ECHILD
          nil
        end
      end
      thread[:pid] = pid
      thread
    end

    def kill(signal, *pids)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2+)" if pids.empty?
      number = __signal_number(signal)
      at = 0
      while at < pids.length
        __kill(pids[at], number)
        at += 1
      end
      at
    end

    # The number of a signal given by number or name; negative for "-TERM", which means the process group.
    def __signal_number(signal)
      return signal if Primitive.is_integer(signal)
      name = Primitive.is_symbol(signal) ? signal.name :
        (String.try_convert(signal) or raise(ArgumentError, "bad signal type #{signal.class}"))
      negative = name.start_with?("-")
      short = name.delete_prefix("-").delete_prefix("SIG")
      number = Signal.list[short]
      raise ArgumentError, "unsupported signal 'SIG#{short}'" unless number && short != "EXIT"
      negative ? -number : number
    end

    def getrlimit(resource) = __getrlimit(__resource(resource))

    def setrlimit(resource, soft, hard = soft)
      __setrlimit(__resource(resource), __limit(soft), __limit(hard))
    end

    # A limit given by number or by its name without RLIM_.
    def __limit(limit)
      name = limit.is_a?(Symbol) ? limit.name : String.try_convert(limit)
      return limit unless name
      raise ArgumentError, "invalid resource value: #{name}" unless %w[INFINITY SAVED_MAX SAVED_CUR].include?(name)
      const_get("RLIM_#{name}")
    end

    # The number of a resource given by number or by its name without RLIMIT_.
    def __resource(resource)
      name = resource.is_a?(Symbol) ? resource.name : String.try_convert(resource)
      return Primitive.to_integer(resource) unless name
      unless name.ascii_only? && const_defined?("RLIMIT_#{name}")
        raise ArgumentError, "invalid resource name: #{name}"
      end
      const_get("RLIMIT_#{name}")
    end

    def spawn(*command, **options) = __start(*command, **options)

    def __start(*command, **options)
      opened = []
      __spawn(*__command(command, options, opened))
    ensure
      opened&.each { |file| Primitive.core(file).close }
    end

    def exec(*command, **options) = __replace(*command, **options)

    def __replace(*command, **options)
      opened = []
      __exec(*__command(command, options, opened))
    ensure
      opened&.each { |file| Primitive.core(file).close }
    end

    def daemon(keep_directory = nil, keep_descriptors = nil)
      Kernel.exit!(0) if Primitive.core(self).fork
      Primitive.core(self).setsid
      Dir.chdir("/") unless keep_directory
      unless keep_descriptors
        null = IO.__file("/dev/null", "r+")
        STDIN.reopen(null)
        STDOUT.reopen(null)
        STDERR.reopen(null)
      end
      0
    end

    # An option that is true, false or nil.
    def __switch(name, value)
      return value ? true : false if true == value || false == value || nil == value
      raise ArgumentError, "expected true or false as #{name}: #{value.inspect}"
    end

    # The arguments of spawn and exec in the form of __spawn. Files opened for redirects are added to `opened`.
    def __command(command, options, opened)
      command = command.dup
      environment = nil
      is_plain = ->(part) { String === part || Array === part }
      if !command.empty? && !is_plain.(command[0]) && (hash = Hash.try_convert(command[0]))
        environment = hash
        command.shift
      end
      if command.length > 1 && !is_plain.(command[-1]) && (hash = Hash.try_convert(command[-1]))
        options = hash.merge(options)
        command.pop
      elsif environment && command.length == 1 && !is_plain.(command[0]) && (hash = Hash.try_convert(command[0]))
        options = hash.merge(options)
        command.pop
      end
      raise ArgumentError, "wrong number of arguments (given 0, expected 1+)" if command.empty?
      if (pair = Array.try_convert(command[0]))
        raise ArgumentError, "wrong first argument" unless pair.length == 2
        command = [pair[0], *pair[1], *command[1..]]
      elsif command.length > 1
        command = [command[0], *command]
      end
      list = nil
      if environment || options[:unsetenv_others]
        list = [options[:unsetenv_others] ? true : false]
        environment&.each do |name, value|
          name = __string(name)
          raise ArgumentError, "environment name contains a equal : #{name}" if name.include?("=")
          list << name << value
        end
      end
      redirects = []
      seen = []
      children = []
      in_child = {}
      limits = []
      settings = [nil, nil, nil, false, children, limits]
      options.each do |key, value|
        case key
        when :chdir then settings[0] = value
        when :umask then settings[1] = value
        when :pgroup then settings[2] = value
        when :close_others
          settings[3] = __switch(key, value)
        when :gid then settings[7] = value.is_a?(String) ? Process::GID.from_name(value) : value
        when :uid then settings[8] = value.is_a?(String) ? Process::UID.from_name(value) : value
        when :unsetenv_others then __switch(key, value)
        when :exception
          __switch(key, value)
          raise ArgumentError, "exception option is not allowed"
        when :in, :out, :err, Integer, IO, Array
          targets = (key.is_a?(Array) ? key : [key]).map { |target| __descriptor(target) }
          source = nil
          targets.each do |target|
            raise ArgumentError, "fd #{target} specified twice" if seen.include?(target)
            seen << target
            if value == :close
              redirects << target << nil
            elsif value.is_a?(Array) && value[0] == :child
              in_child[target] = __descriptor(value[1])
            else
              unless source
                source = __source(value, target)
                opened << source if source.is_a?(File) && !value.is_a?(IO)
              end
              redirects << target << (source.is_a?(IO) ? Primitive.core(source).fileno : source)
            end
          end
        when Symbol
          raise ArgumentError, "wrong exec option symbol: #{key}" unless key.name.match?(/\Arlimit_[a-z]+\z/)
          list = Array.try_convert(value)
          raise ArgumentError, "wrong exec rlimit option" if list && !(1..2).cover?(list.length)
          soft, hard = list || [value, value]
          name = key.name.delete_prefix("rlimit_").upcase
          raise ArgumentError, "wrong exec option symbol: #{key}" unless const_defined?(:"RLIMIT_#{name}")
          limits << __resource(name) << soft << (hard || soft)
        else
          raise ArgumentError, "wrong exec option: #{key.class}" unless key.respond_to?(:to_io)
          redirects << key.to_io.fileno << __descriptor(value)
        end
      end
      # What refers to another redirection within the child gets the same source as that.
      in_child.each do |target, source|
        first = source
        steps = 0
        while in_child.key?(source)
          raise ArgumentError, "cyclic child fd redirection from #{first}" if (steps += 1) > in_child.size
          source = in_child.fetch(source)
        end
        closed = (index = redirects.each_slice(2).find_index { |to, _| to == source }) && redirects[2 * index + 1].nil?
        raise ArgumentError, "child fd #{first} is not redirected" if closed || !seen.include?(source)
        children << target << source
      end
      [list, command, redirects, settings]
    end

    def __string(value)
      String.try_convert(value) or
        raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String"
    end

    # The descriptor for the left side of a redirect.
    def __descriptor(value)
      case value
      when :in then 0
      when :out then 1
      when :err then 2
      when Integer
        raise ArgumentError, "negative file descriptor" if value < 0
        value
      when Symbol then raise ArgumentError, "wrong exec redirect symbol: #{value}"
      when IO
        raise ArgumentError, "duplex IO redirection" if value.__duplex?
        Primitive.core(value).fileno
      else
        raise ArgumentError, "wrong exec redirect action" unless value.respond_to?(:to_io)
        value.to_io.fileno
      end
    end

    # The stream or descriptor for the right side of a redirect; paths are opened.
    def __source(value, target)
      case value
      when String then IO.__file(value, target == 0 ? "r" : "w")
      when Array then IO.__file(*value)
      when Symbol, Integer, IO then __descriptor(value)
      else
        if (stream = IO.try_convert(value))
          __descriptor(stream)
        elsif value.respond_to?(:to_path)
          IO.__file(value.to_path, target == 0 ? "r" : "w")
        else
          __descriptor(value)
        end
      end
    end
  end
end

module Kernel
  def spawn(*command, **options) = Process.__start(*command, **options)
  def exec(*command, **options) = Process.__replace(*command, **options)

  def system(*command, exception: false, **options)
    unless exception == true || exception == false
      raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
    end
    begin
      pid = Process.__start(*command, **options)
    rescue SystemCallError
      raise if exception
      return nil
    end
    Process.__wait(pid, 0)
    status = $?
    if exception && !Primitive.core(status).success?
      raise "Command failed with #{status.to_s.sub(/\Apid \d+ /, "")}: #{command.find { |part| part.is_a?(String) }}"
    end
    Primitive.core(status).success? || false
  end

  def `(line)
    reader, writer = IO.pipe
    begin
      pid = Process.__start(line.to_str, out: writer)
      Primitive.core(writer).close
      text = Primitive.core(Primitive.core(reader).binmode).read
      Process.__wait(pid, 0)
      text.force_encoding(Encoding.default_external)
    ensure
      Primitive.core(reader).close
      Primitive.core(writer).close
    end
  end
  module_function :spawn, :exec, :system, :`
end
