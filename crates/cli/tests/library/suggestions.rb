# did_you_mean for misspelt constants and features.
module Shop
  module Cart; end
  Crate = Cart
  class Till; def open = Drwer; end
  class Drawer; end
  private_constant :Drawer
end

def shown
  yield
rescue NameError, LoadError => error
  puts error.detailed_message(highlight: false).lines.grep_v(/^\s*\^|^\s*$|^shown/)
end

shown { Shop::Crt }
shown { Shop::Till.new.open }
shown { Strng }
shown { Shop::Strng }
shown { require "jsn" }
shown { require "net/proto" }
shown { require "no/such/thing/at/all" }

# ErrorHighlight reports the marked columns, also for other frames.
def misses(receiver) = receiver.missing(1)
begin
  misses(nil)
rescue NoMethodError => e
  p ErrorHighlight.spot(e).values_at(:first_column, :last_column, :snippet)
  p ErrorHighlight.spot(e)[:script_lines] == File.readlines(__FILE__)
  place = e.backtrace_locations[0]
  p ErrorHighlight.spot(e, backtrace_location: place)[:first_lineno] == place.lineno
end
p ErrorHighlight.spot(RuntimeError.new("never raised"))
p [ErrorHighlight::VERSION, DidYouMean::VERSION].all? { |version| Gem::Version.correct?(version) }

class Corrected < StandardError
  include DidYouMean::Correctable
  def corrections = ["abc"]
end
puts Corrected.new("x").detailed_message(highlight: false), DidYouMean::Jaro.distance("abc", "abd").round(3)
