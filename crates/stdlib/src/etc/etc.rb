module Etc
  VERSION = "1.4.6"
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  class << Passwd
    include Enumerable

    def each
      return to_enum(:each) unless defined?(yield)
      list = Etc.__send__(:__users)
      i = 0
      while i < list.size
        yield new(*list[i])
        i += 1
      end
      self
    end
  end

  class << Group
    include Enumerable

    def each
      return to_enum(:each) unless defined?(yield)
      list = Etc.__send__(:__groups)
      i = 0
      while i < list.size
        yield new(*list[i])
        i += 1
      end
      self
    end
  end

  class << self
    def getpwuid(id = Process.uid)
      row = __user(Primitive.to_integer(id))
      raise ArgumentError, "can't find user for #{id}" unless row
      Passwd.new(*row)
    end

    def getpwnam(name)
      name = String.try_convert(name) || raise(TypeError, "no implicit conversion of #{name.class} into String")
      row = __user(name)
      raise ArgumentError, "can't find user for #{name}" unless row
      Passwd.new(*row)
    end

    def getgrgid(id = Process.gid)
      row = __group(Primitive.to_integer(id))
      raise ArgumentError, "can't find group for #{id}" unless row
      Group.new(*row)
    end

    def getgrnam(name)
      name = String.try_convert(name) || raise(TypeError, "no implicit conversion of #{name.class} into String")
      row = __group(name)
      raise ArgumentError, "can't find group for #{name}" unless row
      Group.new(*row)
    end

    def passwd(&block)
      __of_main_ractor
      return getpwent unless block
      raise RuntimeError, "parallel passwd iteration" if @__users_under_way
      @__users_under_way = true
      begin
        Passwd.each(&block)
      ensure
        @__users_under_way = false
      end
      nil
    end

    def group(&block)
      __of_main_ractor
      return getgrent unless block
      raise RuntimeError, "parallel group iteration" if @__groups_under_way
      @__groups_under_way = true
      begin
        Group.each(&block)
      ensure
        @__groups_under_way = false
      end
      nil
    end

    def setpwent
      __of_main_ractor
      @__user_list = nil
    end

    def endpwent
      __of_main_ractor
      @__user_list = nil
    end

    def setgrent
      __of_main_ractor
      @__group_list = nil
    end

    def endgrent
      __of_main_ractor
      @__group_list = nil
    end

    def getpwent
      __of_main_ractor
      row = (@__user_list ||= __users).shift
      row && Passwd.new(*row)
    end

    def getgrent
      __of_main_ractor
      row = (@__group_list ||= __groups).shift
      row && Group.new(*row)
    end

    # The place in the list of users or groups belongs to the process.
    private def __of_main_ractor
      return if Ractor.main?
      raise Ractor::UnsafeError, "ractor unsafe method called from not main ractor"
    end

    def systmpdir = "/tmp"
    def sysconfdir = "/etc"
  end
end
