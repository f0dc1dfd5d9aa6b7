# Requests that sometimes fail: custom errors, retries, logging, cleanup in ensure.
class RequestError < StandardError
  attr_reader :code
  def initialize(message, code:) = (super(message); @code = code)
end
class TimedOut < RequestError; end

def request(i, attempt)
  raise TimedOut.new("no answer for #{i}", code: 504) if (i + attempt) % 3 == 0
  raise RequestError.new("refused #{i}", code: 403) if i % 50 == 7
  i * 2
end

closed = 0
log = Hash.new(0)
results = Array.new(60_000) do |i|
  attempts = 0
  begin
    attempts += 1
    request(i, attempts)
  rescue TimedOut => error
    log[error.message[0, 9]] += 1
    retry if attempts < 3
    nil
  rescue RequestError => error
    log[error.code] += 1
    error.full_message(highlight: false).size > 0 ? -1 : nil
  ensure
    closed += 1
  end
end
puts results.compact.sum, log.inspect, closed
