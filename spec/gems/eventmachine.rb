# Recorded from CRuby 4.1dev.
require "eventmachine"
module Echo
  def receive_data(data)
    send_data(data.upcase)
    close_connection_after_writing
  end
end
class Client < EM::Connection
  def post_init = send_data("hello")
  def receive_data(data) = p(data)
  def unbind = EM.stop
end
EM.run do
  server = EM.start_server("127.0.0.1", 0, Echo)
  port = Socket.unpack_sockaddr_in(EM.get_sockname(server)).first
  EM.add_timer(0.01) { EM.connect("127.0.0.1", port, Client) }
end
EM.run { EM.defer(-> { 6 * 7 }, ->(result) { p result; EM.stop }) }
p((EM.run { raise "out of it" } rescue $!.message))
