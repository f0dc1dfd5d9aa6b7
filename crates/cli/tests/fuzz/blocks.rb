# Prints a random program of methods that pass blocks on, call them in blocks of their own, and change variables of all
# scopes around them. Usage: beni blocks.rb SEED

class Blocks
  def initialize(seed)
    @random = Random.new(seed)
    @count = 4 + @random.rand(5)
  end

  def program
    [*(0...@count).map { |number| method(number) }, MAIN].join("\n")
  end

  private

  # What a method does with its number `n` and its block `b`, and with variables of its own.
  def step(number)
    later = [*number + 1...@count]
    return ["yield n", "b ? b.call(n) : 0", "yield(n, n + 1)"].sample(random: @random) if later.empty?
    first, second = Array.new(2) { "m#{later.sample(random: @random)}" }
    [
      "yield n", "#{first}(n + 1, &b)", "#{first}(n + 1) { |x| yield x }",
      "v = n; #{first}(n + 1) { |x| v = x; yield x }; w += v",
      "v = 0; #{first}(n + 1) { |x| v += 1; #{second}(x, &b) }; w += v",
      "[n, n + 2].each { |e| #{first}(e, &b); w += e }",
      "#{first}(n) { |x, y| #{second}(x) { |z| w += z; yield z } }",
      "w += n; #{first}(n + 1) { |x| w -= 1; next yield(x) }",
      "#{first}(n + 1) { |x| break w = x if x > 3; #{second}(x, &b) }",
      "v = #{first}(n + 1) { |x| w = x; yield x }; w = v if Integer === v",
      "p1 = proc { |x| w += 1; #{first}(x, &b) }; p1.call(n)",
      "begin; #{first}(n, &b); ensure; w += 1; end",
      "2.times { |t| #{first}(n + t) { |x| w += x; yield x } }",
    ].sample(random: @random)
  end

  def method(number)
    steps = Array.new(1 + @random.rand(3)) do
      @random.rand(5) < 3 ? step(number) : "if n.odd? then #{step(number)} else #{step(number)} end"
    end
    ["def m#{number}(n, &b)", "  w = 0", *steps.map { |step| "  #{step}" }, "  w", "end"].join("\n")
  end

  MAIN = <<~'RUBY'
    def run(n)
      r, s, u = nil, 0, 0
      t = m0(n) { |x| r = x; s += 1; x }
      q = r
      m1(n) { |x| u += r || 0; r = x }
      [t, q, r, s, u]
    end

    def top(n)
      a = nil
      m1(n) { |x| a = run(x) }
      a
    end

    all = Array.new(120) { |i| [(run(i % 7) rescue $!.class), (top(i % 5) rescue $!.class)] }
    all.each { |result| p result }
  RUBY
end

puts Blocks.new(ARGV.fetch(0).to_i).program
