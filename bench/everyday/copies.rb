# Copies objects deeply through Marshal, freezes and compares them.
Item = Struct.new(:id, :tags, :parent)
class Order
  attr_accessor :items, :total
  def ==(other) = other.is_a?(Order) && items == other.items && total == other.total
end
orders = Array.new(1_500) do |i|
  Order.new.tap do |order|
    order.items = Array.new(4) { |j| Item.new(i * j, ["t#{j}", :sym, 1.5], nil) }
    order.total = { sum: i * 2.5, "n" => i**5, range: 1..i }
  end
end
copies = nil
8.times { copies = Marshal.load(Marshal.dump(orders)) }
copies[7].items[0].tags << "new"
frozen = orders.map { |order| order.dup.freeze }.count(&:frozen?)
puts Marshal.dump(orders).bytesize, copies.zip(orders).count { |a, b| a == b }, copies[3].total.inspect, frozen,
     copies[0].items.inspect
