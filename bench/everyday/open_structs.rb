# Settings as OpenStruct, observers of changes, a singleton object.
require "ostruct"
require "singleton"
require "delegate"
class Registry
  include Singleton
  def initialize = @listeners = Hash.new { |hash, event| hash[event] = [] }
  def on(event, &listener) = @listeners[event] << listener
  def fire(event, *values) = @listeners[event].each { |listener| listener.call(*values) }
end
class Decorated < SimpleDelegator
  def name = "Dr. #{super}"
end
heard = Hash.new(0)
Registry.instance.on(:saved) { |thing| heard[thing.kind] += 1 }
Registry.instance.on(:saved) { |thing, by = nil| heard[by] += 1 }
size = 0
10_000.times do |i|
  settings = OpenStruct.new(name: "n#{i}", kind: i % 3)
  settings.port = 80 + i
  settings[:host] = "h"
  size += settings.port + settings.to_h.size + (settings.respond_to?(:name) ? 1 : 0) + settings.missing.to_a.size
  size += Decorated.new(settings).name.size
  Registry.instance.fire(:saved, settings, :me)
end
puts size, heard.inspect, OpenStruct.new(a: 1) == OpenStruct.new(a: 1), OpenStruct.new(a: 1).inspect
