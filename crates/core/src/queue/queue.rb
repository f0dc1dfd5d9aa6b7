# The methods with keywords: compiled code passes these without a Hash.
class Thread::Queue
  def pop(non_block = false, timeout: nil)
    __pop(non_block, timeout)
  end
end

class Thread::SizedQueue
  def push(item, non_block = false, timeout: nil)
    __push(item, non_block, timeout)
  end
end
