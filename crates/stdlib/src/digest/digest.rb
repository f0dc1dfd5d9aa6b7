# Digest::Instance and Digest::Class: the methods that all digests derive from `update`, `finish` and `reset`.

module Digest
  module Instance
    def update(_) = raise(RuntimeError, "#{self.class} does not implement update()")
    def <<(_) = raise(RuntimeError, "#{self.class} does not implement update()")
    def reset = raise(RuntimeError, "#{self.class} does not implement reset()")
    def block_length = raise(RuntimeError, "#{self.class} does not implement block_length()")
    def digest_length = clone.__send__(:finish).bytesize
    def length = digest_length
    def size = digest_length
    def new = clone.reset

    def digest(string = (none = true; nil))
      return clone.__send__(:finish) if none
      reset
      update(string)
      digest!
    end

    def digest!
      value = finish
      reset
      value
    end

    def hexdigest(*string) = Digest.hexencode(digest(*string))
    def hexdigest! = Digest.hexencode(digest!)
    def to_s = hexdigest
    def inspect = "#<#{self.class}: #{hexdigest}>".b

    def ==(other)
      return digest == other.digest if Instance === other
      string = String.try_convert(other)
      !string.nil? && to_s == string
    end

    private

    def finish = raise(RuntimeError, "#{self.class} does not implement finish()")
  end

  class Class
    include Instance

    def self.digest(*arguments)
      raise ArgumentError, "no data given" if arguments.empty?
      string, *rest = arguments
      new(*rest).digest(string)
    end

    def self.hexdigest(*arguments) = Digest.hexencode(digest(*arguments))

    def initialize
    end
  end
end
