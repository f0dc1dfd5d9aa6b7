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
