class Thread::Mutex
  def synchronize
    Primitive.raise(ThreadError, "must be called with a block") unless defined?(yield)
    __lock
    begin
      yield
    ensure
      __unlock
    end
  end
end
