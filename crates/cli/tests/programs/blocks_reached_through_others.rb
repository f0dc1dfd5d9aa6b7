# A block that is reached through the block of another method changes variables, which compiled code reads again.
class Document
  attr_accessor :spacing, :size
  def initialize = (@spacing = 0; @size = 1)
  def with_spacing(amount, &block)
    amount == spacing ? yield : restored(amount, &block)
  end
  def restored(amount)
    before, @spacing = @spacing, amount
    yield
    @spacing = before
  end
end

class Arranger
  def initialize(document) = @document = document
  def settings(n, &block)
    @document.with_spacing(n) do
      if n > 5
        @document.with_spacing(n + 1) { sized(n, &block) }
      else
        sized(n, &block)
      end
    end
  end
  def sized(n, &block)
    n == 3 ? @document.with_spacing(1, &block) : yield
  end
end

class Line
  def initialize(arranger) = @arranger = arranger
  def add(n)
    result = nil
    @arranger.settings(n) { result = n }
    result
  end
  def all(list)
    count = 0
    list.each { |n| break unless add(n); count += 1 }
    while (n = list[count - 1])
      add(n) or raise "#{n}"
      count -= 1
      return list if count == 0
    end
  end
end

line = Line.new(Arranger.new(Document.new))
list = [0, 1, 2, 3, 0, 6, 7, 0, 3, 9]
300.times { |i| line.all(list) == list or abort "#{i}" }
p line.all(list)
