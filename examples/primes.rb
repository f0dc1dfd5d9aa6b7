# An endless sequence whose elements are computed on demand.

primes = Enumerator.new do |found|
  composites = {}
  2.step do |number|
    if (factors = composites.delete(number))
      factors.each { |factor| (composites[number + factor] ||= []) << factor }
    else
      found << number
      composites[number * number] = [number]
    end
  end
end

puts "The first ten: #{primes.first(10).join(", ")}"
puts "Twins below 100: #{primes.lazy.take_while { _1 < 100 }.each_cons(2).select { |a, b| b - a == 2 }.to_a.inspect}"

3.times { primes.next }
puts "The fourth is #{primes.next}, then comes #{primes.peek}."
