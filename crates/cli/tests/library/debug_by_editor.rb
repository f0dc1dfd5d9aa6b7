# An editor drives `rdbg --open=vscode` by the Debug Adapter Protocol: breakpoints, variables, steps, evaluation.
require "json"
require "rbconfig"
require "socket"
require "tmpdir"

class Editor
  def initialize(socket) = (@socket, @count, @waiting = socket, 0, [])

  # The body of the answer to a request; what the program sends before it is kept.
  def ask(command, **arguments)
    text = JSON.dump(seq: @count += 1, type: "request", command:, arguments:)
    @socket.write("Content-Length: #{text.bytesize}\r\n\r\n#{text}")
    answer = wait { _1["request_seq"] == @count && _1["type"] == "response" }
    answer["success"] ? answer["body"] : answer["message"]
  end

  def event(name) = wait { _1["event"] == name }["body"]

  private

  def wait
    until (index = @waiting.index { |message| yield message })
      length = @socket.gets[/\d+/].to_i
      @socket.gets
      @waiting << JSON.parse(@socket.read(length))
    end
    @waiting.delete_at(index)
  end
end

folder = Dir.mktmpdir
program = File.join(folder, "debugged.rb")
File.write(program, <<~RUBY)
  def twice(number)
    result = number * 2
    result
  end
  list = [1, twice(2)]
  list.each do |item|
    twice(item)
  end
  raise IndexError, "last" if list.empty?
  $stdout.puts "done \#{list}"
RUBY
File.write(File.join(folder, "code"), "#!/bin/sh\n", perm: 0o755) # the editor's command
Dir.mkdir(File.join(folder, ".vscode"))
at_exit { system("rm", "-r", folder) }
rdbg = $LOAD_PATH.resolve_feature_path("debug")[1].sub(%r{lib/debug\.rb\z}, "exe/rdbg")
path = File.join(folder, "socket")
environment = { "RUBY_DEBUG_SOCK_PATH" => path, "PATH" => "#{folder}:#{ENV["PATH"]}", "RUBY_DEBUG_NO_COLOR" => "1" }
command = [environment, RbConfig.ruby, rdbg, "--open=vscode", program, { chdir: folder, err: File::NULL }]
debugged = IO.popen(command)
sleep 0.01 until File.exist?(path)
socket = UNIXSocket.new(path)
editor = Editor.new(socket)

p editor.ask("initialize", clientID: "vscode", adapterID: "rdbg")["supportsConfigurationDoneRequest"]
editor.event("initialized")
editor.ask("attach", localfs: true)
points = editor.ask("setBreakpoints", source: { path: program }, breakpoints: [{ line: 3, condition: "number == 2" }])
p points["breakpoints"].map { it["verified"] }
editor.ask("configurationDone")
p editor.event("stopped")["reason"]
editor.ask("continue", threadId: 1)
stop = editor.event("stopped")
p stop["reason"]
frames = editor.ask("stackTrace", threadId: stop["threadId"])["stackFrames"]
p(frames.map { |frame| [frame["name"], frame["line"], File.basename(frame["source"]["path"])] })
scopes = editor.ask("scopes", frameId: frames[0]["id"])["scopes"]
variables = editor.ask("variables", variablesReference: scopes[0]["variablesReference"])["variables"]
p(variables.map { |variable| variable.values_at("name", "value", "type") })
p editor.ask("evaluate", expression: "result + number", frameId: frames[0]["id"], context: "watch")["result"]
editor.ask("setBreakpoints", source: { path: program }, breakpoints: [])
editor.ask("stepOut", threadId: stop["threadId"])
editor.event("stopped")
editor.ask("next", threadId: stop["threadId"])
editor.event("stopped")
frames = editor.ask("stackTrace", threadId: stop["threadId"])["stackFrames"]
p(frames.map { |frame| frame["line"] })
list = editor.ask("evaluate", expression: "list", frameId: frames[0]["id"], context: "repl")
p list["result"]
parts = editor.ask("variables", variablesReference: list["variablesReference"], filter: "indexed", start: 0, count: 2)
p(parts["variables"].map { |variable| variable.values_at("name", "value") })
editor.ask("continue", threadId: stop["threadId"])
puts debugged.read
socket.close
