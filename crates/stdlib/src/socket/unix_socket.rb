# UNIX sockets, which can also pass descriptors.

class UNIXSocket < BasicSocket
  class << self
    def socketpair(type = Socket::SOCK_STREAM, protocol = nil, &block) =
      __wrapped_pair(Socket::AF_UNIX, type, protocol, &block)
    alias pair socketpair
  end

  def initialize(path)
    __open_at(path) { |descriptor, address| BasicSocket.__send__(:__connect, descriptor, address, true, nil) }
  end

  def path = Socket.unpack_sockaddr_un(getsockname)
  def addr = ["AF_UNIX", path]
  def peeraddr = ["AF_UNIX", Socket.unpack_sockaddr_un(getpeername)]

  def recvfrom(*arguments)
    unless arguments.size.between?(1, 3)
      raise ArgumentError, "wrong number of arguments (given #{arguments.size}, expected 1..3)"
    end
    row = __receive(*arguments)
    row && [row[0], ["AF_UNIX", row[1].empty? ? "" : Socket.unpack_sockaddr_un(row[1])]]
  end

  def send_io(io)
    descriptor = IO === io ? io.fileno : io
    raise TypeError, "neither IO nor file descriptor" unless Integer === descriptor
    __os(:__send, "\0", 0, nil, [[Socket::SOL_SOCKET, Socket::SCM_RIGHTS, [descriptor].pack("i")]], true)
    nil
  end

  def recv_io(type = IO, mode = nil)
    descriptor = __received_descriptor
    return descriptor if type.nil?
    mode.nil? ? type.for_fd(descriptor) : type.for_fd(descriptor, mode)
  end

  private

  # Space for one descriptor; the system drops what does not fit.
  RIGHTS_ROOM = 24
  private_constant :RIGHTS_ROOM

  def __received_descriptor
    row = __os(:__receive_message, 1, 0, RIGHTS_ROOM, true)
    level, type, data = row && row[3][0]
    unless level
      raise SocketError, "file descriptor was not passed (msg_controllen=0 smaller than sizeof(struct cmsghdr)=16)"
    end
    if level != Socket::SOL_SOCKET
      raise SocketError, "file descriptor was not passed (cmsg_level=#{level}, #{Socket::SOL_SOCKET} expected)"
    elsif type != Socket::SCM_RIGHTS
      raise SocketError, "file descriptor was not passed (cmsg_type=#{type}, #{Socket::SCM_RIGHTS} expected)"
    elsif data.bytesize != 4
      data.unpack("i*").each { |descriptor| IO.for_fd(descriptor).close }
      raise SocketError, "file descriptor was not passed (cmsg_len=#{16 + data.bytesize}, 20 expected)"
    end
    data.unpack1("i")
  end

  def __open_at(path, shown = nil)
    path = path.to_path if path.respond_to?(:to_path)
    address = Socket.pack_sockaddr_un(path)
    raise ArgumentError, "path name contains null byte" if path.include?("\0") && !path.start_with?("\0")
    descriptor = BasicSocket.__send__(:__socket, Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      number = yield descriptor, address
      Socket.__send__(:__failed, number, "connect(2) for #{path}") unless number == 0
      done = true
    ensure
      IO.for_fd(descriptor).close unless done
    end
    __open(descriptor, shown && path)
  end
end

class UNIXServer < UNIXSocket
  def initialize(path)
    __open_at(path, true) do |descriptor, address|
      number = BasicSocket.__send__(:__bind, descriptor, address)
      number == 0 ? BasicSocket.__send__(:__listen, descriptor, Socket::SOMAXCONN) : number
    end
  end

  def accept = __accepted(*__os(:__accept, true))
  def sysaccept = __os(:__accept, true)[0]
  def listen(backlog) = __listen(backlog)

  private

  def __accepted(descriptor, _) = UNIXSocket.__send__(:__wrap, descriptor)
end
