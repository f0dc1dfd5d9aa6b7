# Deflate and Inflate, on top of their native streams.

module Zlib
  class Error < StandardError
  end

  class StreamEnd < Error
  end

  class NeedDict < Error
  end

  class DataError < Error
  end

  class StreamError < Error
  end

  class MemError < Error
  end

  class BufError < Error
  end

  class VersionError < Error
  end

  class InProgressError < Error
  end

  CHUNK = 16384
  private_constant :CHUNK

  def self.zlib_version = ZLIB_VERSION
  def self.deflate(string, level = DEFAULT_COMPRESSION, &block) = Deflate.__deflated(string, level, &block)
  def self.inflate(string, &block) = Inflate.__inflated(string, &block)

  class ZStream
    def flush_next_out(&block) = __output(&block)

    def finish(&block)
      __run("", FINISH)
      __output(&block)
    end

    private

    # A stream does one thing at a time: other threads wait, and reentrancy from a block raises a ThreadError.
    def __mutex = @__mutex ||= Thread::Mutex.new

    # The output: all of it, or in chunks for the block.
    def __output
      return __take(nil) unless block_given?
      until (chunk = __take(CHUNK)).empty?
        yield chunk
      end
      nil
    end

    # The full chunks of the output, as long as more data follows.
    def __full_chunks
      pending = __take(nil)
      at = 0
      while pending.bytesize - at >= CHUNK
        chunk = pending.byteslice(at, CHUNK)
        at += CHUNK
        kept = true
        begin
          yield chunk
          kept = false
        ensure
          __give(pending.byteslice(at..)) if kept
        end
      end
      __give(pending.byteslice(at..))
      nil
    end
  end

  class Deflate < ZStream
    def self.deflate(string, level = DEFAULT_COMPRESSION, &block) = __deflated(string, level, &block)

    def self.__deflated(string, level, &block)
      raise TypeError, "no implicit conversion of nil into String" if string.nil?
      stream = new(level)
      begin
        stream.deflate(string, FINISH, &block)
      ensure
        stream.close
      end
    end

    def deflate(string, flush = NO_FLUSH, &block)
      __mutex.synchronize do
        raise StreamError, "stream error" if finished? && string && !string.empty?
        __run(string, string.nil? ? FINISH : flush) if string.nil? || flush != NO_FLUSH || !string.empty?
        next __output unless block
        flush == NO_FLUSH && !finished? ? __full_chunks(&block) : __output(&block)
      end
    end

    def <<(string)
      __mutex.synchronize { __run(string, NO_FLUSH) }
      self
    end

    def flush(flush = SYNC_FLUSH, &block)
      __run("", flush) if flush != NO_FLUSH
      __output(&block)
    end

    def params(level, strategy)
      __run("", SYNC_FLUSH) if total_in > 0 && !finished?
      __params(level, strategy)
    end

    def initialize_copy(_)
      raise NotImplementedError, "a Deflate stream can't be copied"
    end
  end

  class Inflate < ZStream
    def self.inflate(string, &block) = __inflated(string, &block)

    # Data after the stream's end is ignored.
    def self.__inflated(string, &block)
      raise TypeError, "no implicit conversion of nil into String" if string.nil?
      stream = new
      begin
        stream.__send__(:__read, string, FINISH)
        stream.__send__(:__output, &block)
      ensure
        stream.close
      end
    end

    def initialize(window_bits = nil)
      @dictionaries = {}
      __start(window_bits)
    end

    def add_dictionary(dictionary)
      @dictionaries[Zlib.adler32(dictionary)] = dictionary
      self
    end

    # With a buffer, the block gets each chunk in it.
    def inflate(string, buffer: nil, &consumer)
      block = buffer && consumer ? ->(chunk) { consumer.call(buffer.replace(chunk)) } : consumer
      __mutex.synchronize do
        if finished?
          unless string.nil?
            __give(string)
            next buffer ? buffer.clear : "".b
          end
        elsif string.nil?
          __read("", FINISH)
        else
          __read(string, SYNC_FLUSH) unless string.empty? && avail_in == 0
        end
        out = block && !finished? ? __full_chunks(&block) : __output(&block)
        __give(flush_next_in) if finished?
        buffer && !block ? buffer.replace(out) : out
      end
    end

    def <<(string)
      if finished?
        __give(string) unless string.nil?
      else
        string.nil? ? __read("", FINISH) : __read(string, SYNC_FLUSH)
      end
      __give(flush_next_in) if finished?
      self
    end

    def finish(&block)
      __read("", FINISH) unless finished?
      __output(&block)
    end

    def initialize_copy(_)
      raise NotImplementedError, "an Inflate stream can't be copied"
    end

    private

    # Inflates with the dictionary that the stream requires, if it was added.
    def __read(string, flush)
      while (needed = __run(string, flush))
        dictionary = @dictionaries[needed[0]] or raise(NeedDict, "need dictionary")
        set_dictionary(dictionary)
        string = nil
      end
    end
  end
end
