# Recorded from CRuby 4.1dev.
require "sqlite3"
db = SQLite3::Database.new(":memory:")
db.execute("create table people (id integer primary key, name text, weight real, photo blob)")
insert = db.prepare("insert into people (name, weight, photo) values (?, ?, ?)")
[["Ann", 61.5, SQLite3::Blob.new("\0\xff")], ["Béla", nil, nil], [nil, 2**40, "x"]].each { |row| insert.execute(*row) }
p db.execute("select * from people"), db.last_insert_row_id, db.total_changes
p db.query("select name from people where id > ?", [1]).map { |row| row.first&.encoding }
begin
  db.transaction { db.execute("delete from people"); raise "undone" }
rescue => e
  p e.message, db.get_first_value("select count(*) from people")
end
db.create_function("shout", 1) { |function, text| function.result = text.to_s.upcase + "!" }
p db.execute("select shout(name) from people order by id")
db.define_function("twice") { |n| n * 2 }
p db.get_first_value("select twice(21)")
["select", "insert into people (id) values (1)"].each { |sql| db.execute(sql) rescue p $!.class }
db.results_as_hash = true
p db.execute("select id, weight from people limit 1"), db.prepare("select 1 as a, 'b'").columns
p db.close.class, db.closed?, (db.execute("select 1") rescue $!.class)
