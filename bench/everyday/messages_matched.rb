# Destructures the messages of a chat server by pattern matching.
messages = Array.new(150_000) do |i|
  [{ type: "say", room: "r#{i % 9}", text: "hello #{i}" }, { type: "join", user: { name: "u#{i % 100}", age: i % 60 } },
   [:ping, i], { type: "move", to: [i % 7, i % 5] }, "quit", nil][i % 6]
end
counts = Hash.new(0)
sum = 0
messages.each do |message|
  case message
  in { type: "say", room:, text: /9\z/ } then counts[room] += 1
  in { type: "say" } then counts[:other] += 1
  in { type: "join", user: { name: String => name, age: 18.. } } then counts[name] += 1
  in { type: "move", to: [x, y] } then sum += x * y
  in [:ping, Integer => id] then sum += id & 3
  in "quit" | nil then counts[:quiet] += 1
  else counts[:unknown] += 1
  end
end
puts counts.size, counts[:quiet], counts[:unknown], counts["u50"], sum
