# Pattern matching over immutable values.

Circle = Data.define(:radius)
Rectangle = Data.define(:width, :height)
Group = Data.define(:name, :shapes)

def area(shape)
  case shape
  in Circle[radius] then Math::PI * radius**2
  in Rectangle[width:, height:] if width == height then width**2
  in Rectangle[width:, height:] then width * height
  in Group[shapes:] then shapes.sum { area(it) }
  end
end

def describe(shape)
  case shape
  in Group[name:, shapes: []] then "#{name}, which is empty"
  in Group[name:, shapes: [first, *rest]] then "#{name}: #{describe(first)} and #{rest.size} more"
  in Rectangle[width, ^width] then "a square of #{width}"
  in Rectangle[width, height] then "#{width} by #{height}"
  in Circle(radius: Integer | Float => radius) then "a circle of #{radius}"
  end
end

shapes = [
  Circle.new(radius: 2),
  Rectangle.new(width: 3, height: 3),
  Group.new(name: "a pair", shapes: [Rectangle.new(width: 2, height: 5), Circle.new(radius: 1)]),
  Group.new(name: "a box", shapes: []),
]

shapes.each { |shape| puts format("%8.2f  %s", area(shape), describe(shape)) }
