# The cost of definitions for the rest of a program: requests that define singleton methods, constants, refinements and
# classes, as web frameworks do, compared with the same requests without the definitions.
#
#   beni bench/rows/definitions.rb                     the time of a request with and without, and the ratio
#   beni bench/rows/definitions.rb KIND COUNT          requests with or without them, or the definitions alone, to count
#                                                      instructions

Item = Struct.new(:name, :price, :count) do
  def total = price * count
  def to_row = "<tr><td>#{name}</td><td>#{total}</td></tr>"
end

module Escaping
  TABLE = {"&" => "&amp;", "<" => "&lt;"}.freeze
  def escape(text) = text.gsub(/[&<]/, TABLE)
end

class Page
  include Escaping
  TITLE = "Items"
  attr_reader :items

  def initialize(items)
    @items = items
  end

  def cheap = items.select { |item| item.price < 50 }.sort_by(&:total)
  def sum = items.sum(&:total)
  def by_count = items.group_by(&:count).transform_values(&:size)

  def render
    rows = cheap.map(&:to_row)
    "<h1>#{escape(TITLE)}</h1>#{rows.join("\n")}<b>#{sum}</b><i>#{by_count.keys.max}</i>"
  end
end

module Constants; end

ITEMS = Array.new(300) { |i| Item.new("item & #{i}", i * 7 % 100, i % 9) }

def define(number)
  helper = Object.new
  helper.define_singleton_method(:render) { "partial" }
  def helper.title = "title"
  helper.extend(Escaping)
  Constants.const_set(:"VALUE_#{number}", number)
  controller = Class.new(Page) { define_method(:title) { "title" } }
  refinement = Module.new { refine(controller) { def title = "refined" } }
  [helper.title, helper.render, controller.new(ITEMS).title, refinement.name].size
end

def request(number, defines)
  define(number) if defines
  page = Page.new(ITEMS)
  5.times.sum { page.render.size }
end

def requests(count, defines)
  count.times.sum { |number| request(number, defines) }
end

case ARGV
in []
  measure = lambda do |defines|
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    200.times { request($next = $next.to_i + 1, defines) }
    (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) / 200
  end
  2.times { measure[false] }
  rounds = Array.new(9) { [measure[false], measure[true]] }
  without, with = rounds.transpose.map { |times| times.sort[times.size / 2] }
  puts "request without definitions, ms\t#{(without * 1000).round(3)}"
  puts "request with definitions, ms\t#{(with * 1000).round(3)}"
  puts "with / without\t#{(with / without).round(3)}"
in ["alone", count]
  puts Integer(count).times.sum { |number| define(number) }
in ["with" | "without" => kind, count]
  puts requests(Integer(count), kind == "with")
end
