# The part of random programs that is about objects which live for a few instructions: points, instances of Struct and
# Data classes, small Arrays. Some are kept, seen by a binding, or compared by identity.

module Temporaries
  private

  def temporary_classes
    block("class Vector") do
      line "attr_accessor :x, :y"
      block("def initialize(x, y = x)") do
        line "@x = x"
        line "@y = y unless y.nil?"
      end
      line "def +(other) = Vector.new(@x + other.x, other.y)"
      line "def *(by) = Vector.new(@y, by)"
      line "def pair = [@x, @y]"
      line "def swap = (@x, @y = @y, @x; self)"
      line "def chosen = @x.is_a?(Float) ? self : Vector.new(2.5, @x)"
      line "def each_part = (yield @x; yield pair)"
      line "def nested = Vector.new(self, pair)"
      line "def seen = binding.local_variables.length"
    end
    line "Tuple = Struct.new(:x, :y) { def pair = [x, y]; def swap = Tuple.new(y, x); def chosen = dup }"
    line "Spot = Data.define(:x, :y) { def pair = [y, x]; def swap = Spot.new(x: y, y: x); def chosen = self }"
    line "def rest_of(first, *rest) = rest.empty? ? first : rest_of(*rest)"
    line "def counted(*all) = all.length + (all[0].is_a?(Array) ? 2 : 0)"
    line "def both(*all) = counted(1, *all)"
    line "KEPT = []"
    line "def keep(v)\n  KEPT.shift if KEPT.length > 20\n  KEPT << v\nend"
  end

  def made
    pick(["Vector.new(#{simple}, #{simple})", "Vector.new(#{simple})", "Tuple.new(#{simple}, #{simple})",
          "Tuple.new(#{simple})", "Spot.new(#{simple}, #{simple})", "Spot.new(y: #{simple}, x: #{simple})"])
  end

  def temporary(room)
    first, second = fresh, fresh
    line "#{first} = #{made}"
    line "#{second} = #{pick([first, first, made, "#{first}.swap", "#{first}.chosen"])}"
    (1 + roll(4)).times { line use_of(first, second) }
    if room > 0 && roll(2) == 0
      block("if #{condition}") { line use_of(second, first) }
      line use_of(first, second)
    end
    line "#{pick(@variables)} = #{pick([first, second])}.#{pick(%w[x y pair.length pair[0] pair[-1]])}"
  end

  def use_of(first, second)
    own = pick(@variables)
    pick(["#{second}.x = #{simple} rescue #{own} = 1", "#{own} = #{second}.x", "#{own} = #{first}.y || 2",
          "#{first} = Vector.new(1, #{simple}) + #{second}", "#{second} = #{second}.chosen",
          "keep(#{first}) if #{condition}",
          "#{own} = #{first}.equal?(#{second}) ? 1 : 2.5", "#{own} = #{first} == #{second} ? 1 : nil",
          "#{own}, #{pick(@variables)} = #{first}.pair", "#{own}, * = *#{second}.pair", "#{second} = #{first}.swap",
          "#{own} = rest_of(#{simple}, #{simple}, #{own})", "#{own} = both(#{first}.pair, #{simple})",
          "#{own} = Vector.new(#{first}, #{second}).x.y", "#{own} = Vector.new(#{simple}, 1).nested.y[0]",
          "Vector.new(#{simple}, 2).each_part { |p, q| #{own} = q || p }", "#{own} = Vector.new(1).seen",
          "#{first} = #{condition} ? #{first} : #{second}",
          "#{own} = Vector.new(#{simple}, 2) * #{simple}; #{own} = #{own}.x",
          "#{own} = (case #{first}.pair; in [Integer => p, q] then p; in [_, Float] then 1.5; in [*] then 3; end)",
          "#{own} = binding.local_variable_get(:#{first}).x if #{condition}", "#{own} = [#{simple}, #{first}.x][1]"])
  end
end
