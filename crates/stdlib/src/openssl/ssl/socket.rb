# OpenSSL::SSL::SSLSocket: a connection over an IO. It moves bytes between both; the IO does the waiting, so that other
# threads run meanwhile.
#
# shareable_constant_value: experimental_everything

module OpenSSL
  module SSL
    class SSLSocket
      CHUNK = 16384
      private_constant :CHUNK

      undef_method :initialize_copy

      # `SSLSocket.new(io, context = SSLContext.new, sync_close: false)`
      def initialize(io, context = SSLContext.new, sync_close: false)
        raise TypeError, "wrong argument type #{context.class} (expected OpenSSL/SSL/CTX)" unless SSLContext === context
        @context = context
        context.setup
        io.nonblock = true if io.respond_to?(:nonblock=)
        raise TypeError, "wrong argument type #{io.class} (expected File)" unless ::IO === io
        @io = io
        @out, @verify_result = "".b, X509::V_OK
        @out_lock = Thread::Mutex.new
        super()
        self.sync_close = sync_close
      end

      def hostname=(name)
        @hostname = name.nil? ? nil : OpenSSL.__text(name).dup
      end

      def connect = __start(true, false, true)
      def accept = __start(false, false, true)
      def connect_nonblock(exception: true) = __start(true, true, exception)
      def accept_nonblock(exception: true) = __start(false, true, exception)

      def sysread(length, buffer = nil) = __read(length, buffer, false, true)
      def syswrite(string) = __write(string, false, true)

      def cert = @context.cert

      def peer_cert
        chain = __peer
        chain && X509::Certificate.new(chain[0])
      end

      # On a server, OpenSSL's chain does not include the client's own certificate.
      def peer_cert_chain
        chain = __peer or return
        chain.drop(@client ? 0 : 1).map { |der| X509::Certificate.new(der) }
      end

      def ssl_version = __fact(0)&.dup
      def cipher = __fact(1)&.dup
      def alpn_protocol = __fact(2)
      def npn_protocol = nil
      def session_reused? = !!__fact(3)
      def pending = @connection ? SSL.__send__(:__pending, @connection) : 0
      def state = @established ? "SSLOK " : @connection ? "PINIT " : "PINIT "

      # The names of the authorities that the server wants a certificate of.
      def client_ca = @connection &&
        @client ? SSL.__send__(:__authorities, @connection).map { |der| X509::Name.new(der) } : nil

      def finished_message = raise(NotImplementedError, "rustls does not report finished messages")
      def peer_finished_message = raise(NotImplementedError, "rustls does not report finished messages")
      def tmp_key = raise(NotImplementedError, "rustls does not report the temporary key")

      # The result of verifying the peer's certificates, even if verification was not requested.
      def verify_result
        if @verify_result.nil?
          chain = __peer.map { |der| X509::Certificate.new(der) }
          __verify(chain)
        end
        @verify_result
      end

      def export_keying_material(label, length, context = nil)
        made = @connection && SSL.__send__(:__export, @connection, label, length, context)
        made or raise SSLError, "SSL_export_keying_material"
      end

      # The session of an earlier connection, to be set before this one begins.
      def session=(session)
        unless Session === session
          raise TypeError, "wrong argument type #{session.class} (expected OpenSSL/SSL/Session)"
        end
        @taken_up = session
      end

      def __session = @established ? (@sessions ||= SSL.__send__(:__store, false)) : nil
      def __session_id = (@session_id ||= Random.random_bytes(32)).dup
      def __established? = @established

      private

      def sysread_nonblock(length, buffer = nil, exception: true) = __read(length, buffer, true, exception)
      def syswrite_nonblock(string, exception: true) = __write(string, true, exception)

      # Tells the peer that the stream ends, without waiting for its answer.
      def stop
        return unless @established && !@stopped
        @stopped = true
        SSL.__send__(:__close, @connection)
        __flush(true)
        nil
      rescue SystemCallError, IOError
        nil
      end

      def __peer = @connection && SSL.__send__(:__peer, @connection)
      def __fact(i) = @connection && SSL.__send__(:__facts, @connection)&.[](i)

      def __start(client, nonblock, exception)
        return self if @established
        name = client ? "SSL_connect" : "SSL_accept"
        @client = client if @connection.nil?
        @connection ||= client ? __connect(name) : SSL.__send__(:__acceptor)
        loop do
          waiting = __flush(nonblock)
          return __blocked(waiting, exception) if waiting
          break unless SSL.__send__(:__handshaking, @connection)
          bytes = __receive(nonblock, name)
          return __blocked(bytes, exception) if Symbol === bytes
          __fail(name, "unexpected eof while reading") if bytes.nil?
          __take_in(bytes, name)
        end
        @established = true
        __log_keys
        @context.__connected if @client
        __keep_session
        self
      end

      # The client's handshake, with a session of an earlier connection.
      def __connect(name)
        @sessions = @taken_up&.__sessions || SSL.__send__(:__store, false)
        pairs = nil
        if @context.client_cert_cb
          # As with OpenSSL, no certificate is sent if the callback raises.
          certificate, key =
            begin
              @context.client_cert_cb.call(self)
            rescue ::Exception
              nil
            end
          pairs = certificate ? [@context.__pair([certificate], key)] : []
        end
        SSL.__send__(:__client, @hostname, @context.__settings(pairs, @context.alpn_protocols, 0), @sessions)
      rescue SSLError => error
        __fail(name, error.message)
      end

      def __take_in(bytes, name)
        problem = SSL.__send__(:__feed, @connection, bytes)
        if problem.nil? && (hello = SSL.__send__(:__hello, @connection))
          problem = begin
            __settings_for(*hello)
          rescue Exception
            __alert(@greeting == :name ? 112 : 120)
            raise
          end
        end
        if problem
          __flush(true)
          __fail(name, problem)
        end
        __check_peer(name)
      end

      # The settings for the client's request.
      def __settings_for(server_name, protocols)
        context, @greeting = @context, :name
        if context.servername_cb && server_name
          chosen = context.servername_cb.call([self, server_name])
          if SSLContext === chosen
            chosen.setup
            @context = context = chosen
          elsif !chosen.nil?
            raise ArgumentError, "SSL Servername Callback must return an SSLContext object or nil"
          end
        end
        chosen, @greeting = [], :protocol
        if context.alpn_select_cb && protocols
          protocol = context.alpn_select_cb.call(protocols)
          unless protocol.respond_to?(:to_str)
            raise TypeError, "no implicit conversion of #{protocol.nil? ? "nil" : protocol.class} into String"
          end
          unless protocols.include?(OpenSSL.__text(protocol))
            raise SSLError, "ALPN select callback selected unknown protocol"
          end
          chosen = [OpenSSL.__text(protocol)]
        end
        asking = @context.verify_mode.to_i & VERIFY_PEER == 0 ? 0 :
          @context.verify_mode & VERIFY_FAIL_IF_NO_PEER_CERT == 0 ? 1 : 2
        begin
          SSL.__send__(:__serve, @connection, context.__settings(nil, chosen, asking), context.__sessions)
        rescue SSLError => error
          error.message
        end
      end

      # Verifies the peer as soon as its certificates arrive, before anything is sent that they protect.
      def __check_peer(name)
        return if @checked || (chain = __peer).nil?
        @checked = true
        return @verify_result = nil if @context.verify_mode.to_i & VERIFY_PEER == 0
        return if __verify(chain.map { |der| X509::Certificate.new(der) })
        __refuse
        __fail(name, "certificate verify failed (#{X509.__code_text(@verify_result)})")
      end

      def __verify(chain)
        leaf, *rest = chain
        context = X509::StoreContext.new(@context.__trusted, leaf, rest)
        context.purpose = @client ? X509::PURPOSE_SSL_SERVER : X509::PURPOSE_SSL_CLIENT
        callback = @context.verify_callback
        context.__callback = lambda do |fine, store|
          if fine && @client && @context.verify_hostname && @hostname && store.error_depth == 0 &&
            !SSL.verify_certificate_identity(store.current_cert, @hostname)
            fine = false
            store.error = X509::V_ERR_HOSTNAME_MISMATCH
          end
          callback ? callback.call(fine, store) : fine
        end
        fine = context.verify
        if fine && @context.verify_depth && context.chain.size > @context.verify_depth + 2
          context.error = X509::V_ERR_CERT_CHAIN_TOO_LONG
          fine = false
        end
        @verify_result = context.error
        fine
      end

      ALERTS = { 9 => 42, 10 => 45, 23 => 44, 1 => 46, 26 => 43, 50 => 40, 2 => 48, 18 => 48, 19 => 48, 20 => 48,
        21 => 48, 22 => 48, 79 => 48, 25 => 48, 7 => 51 }.freeze
      private_constant :ALERTS

      # A client has encrypted nothing yet, and sends its alert in the clear.
      def __refuse
        return unless @client
        SSL.__send__(:__take, @connection)
        @out.clear
        __alert(ALERTS.fetch(@verify_result, 42))
      end

      # The final alert, before encryption starts.
      def __alert(number)
        @io.write_nonblock([21, 3, 3, 0, 2, 2, number].pack("C*"), exception: false)
      rescue SystemCallError, IOError
        nil
      end

      def __log_keys
        return unless @context.keylog_cb
        SSL.__send__(:__key_log, @connection).each { |line| @context.keylog_cb.call(self, line) }
      end

      # Tells the context of the sessions that have arrived.
      def __keep_session
        return if !@client || @context.session_cache_mode & SSLContext::SESSION_CACHE_CLIENT == 0
        count = SSL.__send__(:__session_count, @sessions)
        return if count == @kept_sessions.to_i
        @kept_sessions = count
        session = Session.new(self)
        @context.session_add(session)
        @context.session_new_cb&.call([self, session])
      end

      def __fail(name, message)
        address = begin
          ip = @io.remote_address
          "#{ip.ip_address}:#{ip.ip_port}"
        rescue StandardError
          "(null)"
        end
        raise SSLError, "#{name} returned=1 errno=0 peeraddr=#{address} state=error: #{message}"
      end

      # The result for a non-blocking operation that would block.
      def __blocked(kind, exception)
        return kind unless exception
        raise SSLErrorWaitReadable, "read would block" if kind == :wait_readable
        raise SSLErrorWaitWritable, "write would block"
      end

      # Sends pending bytes; nil if all were sent, otherwise the event to wait for.
      def __flush(nonblock)
        @out_lock.synchronize do
          @out << SSL.__send__(:__take, @connection)
          until @out.empty?
            count = @io.write_nonblock(@out, exception: false)
            if count == :wait_writable
              return count if nonblock
              __wait(:wait_writable)
            else
              @out = @out.byteslice(count..)
            end
          end
        end
        nil
      end

      def __wait(kind)
        limit = @io.timeout if @io.respond_to?(:timeout)
        return if @io.__send__(kind, *limit)
        raise IO::TimeoutError, "Timed out while waiting to become #{kind == :wait_readable ? "readable" : "writable"}!"
      end

      # Bytes from the network: nil at its end, a Symbol if it would block.
      def __receive(nonblock, name)
        loop do
          bytes = @io.read_nonblock(CHUNK, exception: false)
          return bytes unless bytes == :wait_readable
          return bytes if nonblock
          __wait(:wait_readable)
        end
      rescue EOFError
        nil
      rescue SystemCallError => error
        raise error.class, name
      end

      def __ready
        @established or raise SSLError, "SSL session is not started yet"
        raise IOError, "closed stream" if @io.closed?
      end

      def __read(length, buffer, nonblock, exception)
        __ready
        length = Integer(length)
        raise ArgumentError, "negative string size (or size too big)" if length < 0
        if length == 0
          return "".b unless buffer
          return buffer.clear
        end
        if buffer.frozen? && buffer
          raise FrozenError.new("can't modify frozen String: #{buffer.inspect}", receiver: buffer)
        end
        loop do
          bytes = SSL.__send__(:__plain, @connection, length)
          return buffer ? buffer.replace(bytes) : bytes if bytes
          if bytes == false
            return nil unless exception
            raise EOFError, "end of file reached"
          end
          __flush(true)
          bytes = __receive(nonblock, "SSL_read")
          return __blocked(bytes, exception) if Symbol === bytes
          if bytes.nil?
            return nil if !exception && @context.options & OP_IGNORE_UNEXPECTED_EOF != 0
            raise EOFError, "end of file reached" if @context.options & OP_IGNORE_UNEXPECTED_EOF != 0
            raise SSLError, "SSL_read: unexpected eof while reading"
          end
          problem = SSL.__send__(:__feed, @connection, bytes)
          __keep_session
          next unless problem
          __flush(true)
          raise SSLError, "SSL_read: #{problem}"
        end
      end

      def __write(string, nonblock, exception)
        __ready
        string = OpenSSL.__text(string)
        return 0 if string.empty?
        raise SSLError, "SSL_write: protocol is shutdown" if @stopped
        # A partial write is in progress: the program passes the same data again, and this call completes it.
        raise SSLError, "SSL_write: bad write retry" if @underway && string.bytesize < @underway
        unless @underway
          string = string.byteslice(0, CHUNK) if nonblock && string.bytesize > CHUNK
          @underway = SSL.__send__(:__send, @connection, string)
        end
        waiting = __flush(nonblock)
        return __blocked(waiting, exception) if waiting
        count, @underway = @underway, nil
        count
      end
    end
  end
end
