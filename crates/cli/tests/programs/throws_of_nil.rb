# A throw of nil is not caught by a catch that has no tag.
def attempt
  p yield
rescue UncaughtThrowError
  p $!, $!.tag
end
attempt { catch { throw nil } }
attempt { catch { |tag| catch { throw tag, 1 }; 2 } }
attempt { catch(nil) { catch { throw nil, 3 } } }
attempt { throw nil }
attempt { catch { Fiber.new { throw nil }.resume } }
