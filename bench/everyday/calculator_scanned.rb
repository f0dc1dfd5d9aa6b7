# A calculator: splits text into tokens with StringScanner and evaluates them by recursive descent.
require "strscan"
class Calculator
  def initialize(text) = (@tokens = tokens(StringScanner.new(text)))

  def tokens(scanner)
    list = []
    until scanner.eos?
      if scanner.skip(/\s+/) then next
      elsif (number = scanner.scan(/\d+(?:\.\d+)?/)) then list << number.to_f
      elsif (operator = scanner.scan(%r{[-+*/()]})) then list << operator
      else raise "unexpected #{scanner.getch} at #{scanner.pos}"
      end
    end
    list
  end

  def sum
    value = product
    while %w[+ -].include?(@tokens.first)
      value = @tokens.shift == "+" ? value + product : value - product
    end
    value
  end

  def product
    value = factor
    while %w[* /].include?(@tokens.first)
      value = @tokens.shift == "*" ? value * factor : value / factor
    end
    value
  end

  def factor
    token = @tokens.shift
    return token unless token == "("
    sum.tap { @tokens.shift }
  end
end
total = 0.0
12_000.times { |i| total += Calculator.new("(#{i} + 4.5) * 2 - 3 / (1 + #{i % 7}) + 12 * (2 - 0.25)").sum }
puts total.round(4)
