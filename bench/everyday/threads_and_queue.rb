# Distributes work to threads by a queue, and collects results under a lock.
jobs = Queue.new
60_000.times { |i| jobs << i }
jobs.close
sums = Hash.new(0)
lock = Mutex.new
workers = 8.times.map do |id|
  Thread.new do
    done = 0
    while (job = jobs.pop)
      value = job.digits.sum
      lock.synchronize { sums[value] += 1 }
      done += 1
    end
    done
  end
end
total = workers.sum(&:value)
pages = 2_000.times.map { |i| Thread.new(i) { |n| n * n } }.sum(&:value)
puts total, sums.size, sums[20], pages
