module PTY
  class ChildExited < StandardError
    def initialize(message = nil, status = nil)
      super(message)
      @status = status
    end

    def status = @status

  end

  class << self
    def open
      pair = __open
      return pair unless block_given?
      begin
        yield pair
      ensure
        pair.each(&:close)
      end
    end

    def spawn(*command)
      command = [__shell] if command.empty?
      reader, writer, slave = __terminal
      opened = []
      begin
        list = Process.__send__(:__command, command, { 0 => slave.fileno, 1 => slave.fileno, 2 => slave.fileno },
          opened)
        list[3] << slave.fileno
        pid = Process.__send__(:__spawn, *list)
      rescue SystemCallError
        reader.close
        writer.close
        raise
      ensure
        slave.close
        opened.each(&:close)
      end
      ports = [reader, writer, pid]
      return ports unless block_given?
      begin
        yield ports
      ensure
        __reap(pid)
      end
      nil
    end
    alias getpty spawn

    def check(pid, raise = false)
      begin
        changed = Process.wait(pid, Process::WNOHANG | Process::WUNTRACED)
      rescue Errno::ECHILD
        return
      end
      return unless changed
      status = $?
      return status unless raise
      state = status.stopped? ? "stopped" : (__alive?(changed) ? "changed" : "exited")
      ::Kernel.raise ChildExited.new("pty - #{state}: #{changed}", status)
    end

    private

    def __alive?(pid)
      Process.kill(0, pid)
      true
    rescue SystemCallError
      false
    end

    # Collects the status of the process if it has ended, otherwise in a thread when it ends.
    def __reap(pid)
      Process.wait(pid, Process::WNOHANG) || Process.detach(pid)
    rescue Errno::ECHILD
      nil
    end

    def __shell
      return ENV["SHELL"] if ENV["SHELL"]
      require "etc"
      name = ENV["USER"] || Etc.getlogin
      shell = name && Etc.getpwnam(name).shell
      shell && !shell.empty? ? shell : "/bin/sh"
    rescue ArgumentError
      "/bin/sh"
    end
  end
end
