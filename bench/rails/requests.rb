# Processor time of requests to the application, by the number of requests before:
#
#     ruby bench/rails/requests.rb [COUNT [KIND]]
#
# Nine kinds of request take turns, or one of them is repeated (0 to 8). Prints the milliseconds of booting, those of a
# request in each part of the run, and the peak memory. `checked` instead of a count prints the answers' sizes.

def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

started = now
require_relative "application"
require "rack/mock"

site = Rack::MockRequest.new(BlogApplication)
comment = {comment: {author: "Me", text: "Yes"}}
requests = [
  -> { site.get("/posts") },
  -> { site.get("/posts/#{1 + rand(30)}") },
  -> { site.get("/posts/new") },
  -> { site.post("/posts/#{1 + rand(30)}/comments", params: comment) },
  -> { site.post("/posts/3", params: {_method: "patch", post: {title: "New #{rand(100)}", views: 7}}) },
  -> { site.post("/posts", params: {post: {title: "", body: "x"}}) },
  -> { site.get("/posts/7.json") },
  -> { site.get("/posts.json") },
  -> { site.get("/up") }
]
booted = now - started

srand 1
if ARGV[0] == "checked"
  requests.each { |request| request.call.then { |answer| puts "#{answer.status} #{answer.body.size}" } }
  exit
end
count = (ARGV[0] || 8000).to_i
requests = [requests.fetch(ARGV[1].to_i)] if ARGV[1]
print "boot #{(booted * 1000).round}"
done = 0
[200, 1000, 2000, 4000, 8000, 16_000].select { |mark| mark < count }.push(count).each do |mark|
  before = now
  (done...mark).each do |i|
    answer = requests[i % requests.size].call
    raise answer.body if answer.status >= 500
  end
  printf "  to %d: %.2f", mark, (now - before) * 1000 / (mark - done)
  done = mark
end
puts "  memory #{File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i / 1024} MB"
