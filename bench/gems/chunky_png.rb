# Draws an image, encodes and decodes it, and makes it smaller.
require_relative "harness"
require "chunky_png"

measure do
  image = ChunkyPNG::Image.new(150, 150, ChunkyPNG::Color::TRANSPARENT)
  150.times { |y| 150.times { |x| image[x, y] = ChunkyPNG::Color.rgba(x, y, (x * y) % 256, 200) } }
  image.circle(75, 75, 40, 0xff0000ff)
  ChunkyPNG::Image.from_blob(image.to_blob).resample_nearest_neighbor(100, 100).width
end
