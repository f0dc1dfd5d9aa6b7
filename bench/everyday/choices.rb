# Permutations, combinations, products; a knapsack problem.
teams = (1..20).to_a.combination(5).count { |team| team.sum == 50 }
words = %w[a b c d e f g h].permutation.count { |letters| letters.first < letters.last && letters[3] == "d" }
dice = [1, 2, 3, 4, 5, 6].product([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])
items = (1..16).map { |i| [i * 3 % 11 + 1, i * 7 % 13 + 2] }
best = (0..items.size).flat_map { |k| items.combination(k).select { |set| set.sum(&:first) <= 30 }.map { |set|
  set.sum(&:last) } }.max
pairs = (1..300).each_cons(2).to_a.repeated_combination(2).first(20_000).size
puts teams, words, dice.map(&:sum).tally.max_by(&:last).inspect, best, pairs, [1, 2, 2, 3].permutation.to_a.uniq.size
