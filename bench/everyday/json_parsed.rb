# Parses a large JSON document and searches it.
require "json"
users = Array.new(6_000) do |i|
  { id: i, name: "User #{i}", email: "user#{i}@example.com", active: i.even?, score: i * 1.5, tags: ["a#{i % 7}",
      "b#{i % 11}"],
    address: { street: "#{i} Main St", city: %w[Paris Rome Köln][i % 3], zip: nil, geo: [i / 100.0, -i / 50.0] } }
end
document = JSON.generate(users:)

found = nil
8.times do
  data = JSON.parse(document)
  found = data["users"].select { |user| user["active"] && user["address"]["city"] == "Rome" }
end
puts document.bytesize, found.size, found.sum { |user| user["score"] }, found.last["tags"].inspect
