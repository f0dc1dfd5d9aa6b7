# A server that works for many seconds: `soak.rb SECONDS`. Threads answer requests on sockets with JSON and templates;
# fibers, timeouts, exceptions, children and files are part of each round. At several points it measures its memory,
# descriptors and threads; it fails if they grow, or if an answer is wrong.
require "json"
require "erb"
require "socket"
require "timeout"
require "tempfile"
require "digest"

SECONDS = Integer(ARGV.fetch(0, "60"))
WORKERS = 4
TEMPLATE = ERB.new(<<~TEXT, trim_mode: "-")
  <ul>
  <%- items.each do |item| -%>
    <li class="<%= item["kind"] %>"><%= ERB::Util.h(item["text"]) %></li>
  <%- end -%>
  </ul>
TEXT

class Refused < StandardError; end

def page(items) = TEMPLATE.result_with_hash(items: items)

def numbers(count)
  fiber = Fiber.new do
    count.times { |i| Fiber.yield(i * i) }
    nil
  end
  sum = 0
  while (number = fiber.resume)
    sum += number
  end
  sum
end

def answer(request)
  case request["what"]
  when "page" then { "page" => page(request["items"]) }
  when "sum" then { "sum" => numbers(request["count"]) }
  when "digest" then { "digest" => Digest::SHA256.hexdigest(request["text"] * 100) }
  when "slow" then Timeout.timeout(0.01) { sleep }
  when "refuse" then raise Refused, "refused #{request["text"]}"
  when "enumerate" then { "list" => (1..).lazy.map { |n| n * 3 }.select(&:even?).first(request["count"]) }
  when "missing" then Object.new.public_send(:"unknown_#{request["count"]}")
  else { "error" => "unknown" }
  end
rescue Timeout::Error
  { "error" => "timeout" }
rescue Refused, NoMethodError => error
  { "error" => error.class.name, "text" => error.message[0, 40], "lines" => error.backtrace.length.positive? }
end

def serve(server, queue)
  loop do
    client = server.accept
    queue << client
  rescue IOError, Errno::EBADF
    break
  end
end

def work(queue)
  while (client = queue.pop)
    begin
      while (line = client.gets)
        client.puts(JSON.generate(answer(JSON.parse(line))))
      end
    ensure
      client.close
    end
  end
end

def ask(port, random)
  texts = ["a & b", "<tag>", "\u00e4\u6f22", "x" * 50]
  items = Array.new(5) { { "kind" => "k#{random.rand(3)}", "text" => texts.sample(random: random) } }
  count = random.rand(1..40)
  requests = [
    { "what" => "page", "items" => items }, { "what" => "sum", "count" => count },
    { "what" => "digest", "text" => texts.sample(random: random) }, { "what" => "refuse", "text" => "me" },
    { "what" => "enumerate", "count" => count }, { "what" => "missing", "count" => count % 7 }, { "what" => "other" }
  ]
  requests << { "what" => "slow" } if random.rand(10).zero?
  TCPSocket.open("127.0.0.1", port) do |socket|
    requests.each do |request|
      socket.puts(JSON.generate(request))
      got = JSON.parse(socket.gets)
      raise "wrong answer to #{request}: #{got}" unless right?(request, got)
    end
  end
  requests.length
end

def right?(request, got)
  case request["what"]
  when "page" then got["page"].scan("<li").length == request["items"].length
  when "sum" then got["sum"] == (0...request["count"]).sum { |i| i * i }
  when "digest" then got["digest"].length == 64
  when "enumerate" then got["list"].length == request["count"] && got["list"].all? { |n| (n % 6).zero? }
  when "slow" then got["error"] == "timeout"
  when "refuse" then got.values_at("error", "text", "lines") == ["Refused", "refused me", true]
  when "missing" then got["error"] == "NoMethodError"
  else got["error"] == "unknown"
  end
end

def files_and_children(round)
  Tempfile.create("soak") do |file|
    file.puts(JSON.pretty_generate("round" => round))
    file.flush
    raise "wrong file" unless JSON.parse(File.read(file.path))["round"] == round
  end
  raise "wrong child" unless IO.popen(["cat"], "r+") { |io| io.write("child"); io.close_write; io.read } == "child"
  pid = fork { exit!(round % 3) }
  raise "wrong status" unless Process.wait2(pid)[1].exitstatus == round % 3
  thread = Thread.new { Thread.stop }
  Thread.pass until thread.stop?
  thread.kill.join
end

# What must not grow.
def measured
  3.times { GC.start }
  status = File.read("/proc/self/status")
  { memory: status[/^VmRSS:\s+(\d+)/, 1].to_i, threads: status[/^Threads:\s+(\d+)/, 1].to_i,
    descriptors: Dir.children("/proc/self/fd").length, objects: GC.stat(:heap_live_slots) }
end

server = TCPServer.new("127.0.0.1", 0)
port = server.local_address.ip_port
queue = Thread::Queue.new
threads = [Thread.new { serve(server, queue) }, *Array.new(WORKERS) { Thread.new { work(queue) } }]
threads.each { |thread| thread.report_on_exception = true }

began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
elapsed = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) - began }
random = Random.new(1)
requests = rounds = 0
points = []
# The first quarter warms up: compiled code, pools of stacks, the allocator's arenas.
POINTS = 8
next_point = SECONDS / 4.0
while elapsed.() < SECONDS
  clients = Array.new(3) { |i| Thread.new { Array.new(5) { ask(port, Random.new(rounds * 3 + i)) }.sum } }
  requests += clients.sum(&:value)
  files_and_children(rounds) if (rounds % 4).zero?
  rounds += 1
  if elapsed.() >= next_point
    points << measured
    next_point += SECONDS * 0.75 / POINTS
  end
end
points << measured
server.close
WORKERS.times { queue << nil }
threads.each(&:join)

puts "#{requests} requests in #{rounds} rounds"
points.each { |point| puts point.map { |name, value| "#{name} #{value}" }.join(", ") }
first, last = points[0], points[-1]
grown = []
grown << :threads if last[:threads] > first[:threads]
grown << :descriptors if last[:descriptors] > first[:descriptors]
grown << :memory if last[:memory] > first[:memory] * 1.1 + 8_000
grown << :objects if last[:objects] > first[:objects] * 1.1 + 5_000
abort "grows: #{grown.join(", ")}" unless grown.empty?
puts "constant"
