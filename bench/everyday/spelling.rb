# Finds the nearest word of a list by edit distance.
def distance(a, b)
  previous = (0..b.size).to_a
  a.each_char.with_index(1) do |x, i|
    current = [i]
    b.each_char.with_index(1) do |y, j|
      current << [previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (x == y ? 0 : 1)].min
    end
    previous = current
  end
  previous.last
end
list = %w[receive believe necessary separate definitely occurrence embarrass accommodate government environment calendar
          maintenance publicly rhythm privilege conscience weird wherever which tomorrow tongue truly until happened]
typed = %w[recieve beleive neccessary seperate definately occurence embarass acomodate goverment enviroment calender]
fixed = nil
12.times { fixed = typed.map { |word| list.min_by { |known| distance(word, known) } } }
puts fixed.join(" "), distance("kitten" * 20, "sitting" * 20)
