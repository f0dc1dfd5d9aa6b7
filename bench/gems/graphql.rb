# Executes a query with 300 objects.
require_relative "harness"
require "ostruct"
require "graphql"

class Item < GraphQL::Schema::Object
  field :id, Int, null: false
  field :name, String, null: false
  field :kids, [Item], null: false
end

Record = Struct.new(:id, :name, :kids)

class Query < GraphQL::Schema::Object
  field :items, [Item], null: false do
    argument :n, Int, required: true
  end

  def items(n:) = (1..n).map { |i| Record.new(i, "n#{i}", [Record.new(1, "k", []), Record.new(2, "l", [])]) }
end

class Schema < GraphQL::Schema
  query Query
end

TEXT = <<~GRAPHQL
  query Items($n: Int!) { items(n: $n) { id name kids { id name ...F } } }
  fragment F on Item { id name }
GRAPHQL

measure { Schema.execute(TEXT, variables: {"n" => 100}).to_h["data"]["items"].size }
