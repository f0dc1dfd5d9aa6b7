module Process
  @__maxgroups = 65536

  class << self
    def uid=(id)
      __set_users(__user(id), -1, -1)
    end

    def euid=(id)
      __set_users(-1, __user(id), -1)
    end

    def gid=(id)
      __set_groups(__group(id), -1, -1)
    end

    def egid=(id)
      __set_groups(-1, __group(id), -1)
    end

    def maxgroups = @__maxgroups

    def maxgroups=(count)
      count = Primitive.to_integer(count)
      raise ArgumentError, "maxgroups #{count} should be positive" unless count > 0
      @__maxgroups = count > 65536 ? 65536 : count
    end

    def setpgrp = setpgid(0, 0)
  end

  module UID
    class << self
      def rid = Process.uid
      def eid = Process.euid
      def from_name(name) = Process.__user(name.to_str)

      def change_privilege(id)
        id = Process.__user(id)
        Process.__set_users(id, id, id)
        id
      end

      def grant_privilege(id)
        id = Process.__user(id)
        Process.__set_users(-1, id, -1)
        id
      end
      alias_method :eid=, :grant_privilege

      def re_exchange
        real, effective = rid, eid
        Process.__set_users(effective, real, real)
        real
      end

      def re_exchangeable? = true
      def sid_available? = true

      def switch
        real, effective = rid, eid
        raise Errno::EPERM if real == effective
        Process.__set_users(-1, real, -1)
        return effective unless block_given?
        begin
          yield
        ensure
          Process.__set_users(-1, effective, -1)
        end
      end
    end
  end

  module GID
    class << self
      def rid = Process.gid
      def eid = Process.egid
      def from_name(name) = Process.__group(name.to_str)

      def change_privilege(id)
        id = Process.__group(id)
        Process.__set_groups(id, id, id)
        id
      end

      def grant_privilege(id)
        id = Process.__group(id)
        Process.__set_groups(-1, id, -1)
        id
      end
      alias_method :eid=, :grant_privilege

      def re_exchange
        real, effective = rid, eid
        Process.__set_groups(effective, real, real)
        real
      end

      def re_exchangeable? = true
      def sid_available? = true

      def switch
        real, effective = rid, eid
        raise Errno::EPERM if real == effective
        Process.__set_groups(-1, real, -1)
        return effective unless block_given?
        begin
          yield
        ensure
          Process.__set_groups(-1, effective, -1)
        end
      end
    end
  end

  module Sys
    class << self
      def getuid = Process.uid
      def geteuid = Process.euid
      def getgid = Process.gid
      def getegid = Process.egid

      def setuid(id)
        Process.__set_user(id)
        nil
      end

      def setgid(id)
        Process.__set_group(id)
        nil
      end

      def seteuid(id)
        Process.__set_users(-1, id, -1)
        nil
      end

      def setegid(id)
        Process.__set_groups(-1, id, -1)
        nil
      end

      def setreuid(real, effective)
        Process.__set_users(real, effective, -1)
        nil
      end

      def setregid(real, effective)
        Process.__set_groups(real, effective, -1)
        nil
      end

      def setresuid(real, effective, saved)
        Process.__set_users(real, effective, saved)
        nil
      end

      def setresgid(real, effective, saved)
        Process.__set_groups(real, effective, saved)
        nil
      end

      def setruid(id) = raise(NotImplementedError, "setruid() function is unimplemented on this machine")
      def setrgid(id) = raise(NotImplementedError, "setrgid() function is unimplemented on this machine")
      def issetugid = raise(NotImplementedError, "issetugid() function is unimplemented on this machine")
    end
  end
end
