# Builds SQL, without a database.
require_relative "harness"
require "sequel"

DB = Sequel.mock(host: :postgres)

measure do
  300.times do |i|
    joined = DB[:items].join(:cats, id: :cat_id).where(Sequel[:price] > i).where(name: %w[a b]).exclude(x: nil)
    grouped = joined.order(Sequel.desc(:id)).group(:a).having { count(:b) > 2 }
    grouped.select(:a, Sequel.function(:max, :b).as(:m)).limit(10, 20).sql
    DB[:items].insert_sql(a: i, b: "x'y", c: Time.at(i))
  end
end
