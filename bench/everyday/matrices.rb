# Matrices as arrays of arrays: products, transposition, sums of rows and columns.
n = 90
a = Array.new(n) { |i| Array.new(n) { |j| (i * j) % 7 } }
b = Array.new(n) { |i| Array.new(n) { |j| (i + j) % 5 - 1.5 } }
columns = b.transpose
product = a.map { |row| columns.map { |column| row.zip(column).sum { |x, y| x * y } } }
square = a.map { |row| a.transpose.map { |column| row.each_with_index.sum { |x, i| x * column[i] } } } .first(20)
require "matrix"
m = Matrix.build(40) { |i, j| (i * j + i + 1) % 11 }
power = m * m * m
puts product.flatten.sum, square.flatten.max, power[3, 4], power.trace, a.transpose.map(&:sum).max, m.first(3).inspect
