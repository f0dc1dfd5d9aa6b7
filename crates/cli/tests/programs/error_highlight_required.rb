# The library error_highlight takes the place of the built-in highlighting: each snippet appears once.
def shown
  yield
rescue => e
  puts e.detailed_message.gsub(__FILE__, "program.rb")
end

def one(a) = a

require "error_highlight"
shown { nil.foo }
shown { [1].first("x") }
shown { one }
