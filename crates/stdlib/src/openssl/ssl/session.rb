# OpenSSL::SSL::Session: a session that a later connection can resume. It exists only in this process.

module OpenSSL
  module SSL
    class Session
      attr_reader :time, :timeout

      # `Session.new(socket)`
      def initialize(socket)
        unless SSLSocket === socket
          if socket.respond_to?(:to_str) || socket.respond_to?(:read)
            raise NotImplementedError, "sessions cannot be loaded: rustls does not store them"
          end
          raise TypeError, "no implicit conversion of #{socket.class} into String"
        end
        @sessions = socket.__session or raise SessionError, "no session available"
        @id, @time, @timeout = Random.random_bytes(32), Time.now, socket.context.timeout || 300
      end

      def initialize_copy(other)
        @sessions, @id, @time, @timeout = other.__sessions, other.id, other.time, other.timeout
      end

      def id = @id.dup
      def ==(other) = Session === other && id == other.id

      def time=(time)
        @time = Time.at(Integer(time))
      end

      def timeout=(seconds)
        @timeout = Integer(seconds)
      end

      def to_der = raise(NotImplementedError, "sessions cannot be stored: rustls does not export them")
      alias to_pem to_der
      alias to_text to_der
      def __sessions = @sessions
    end
  end
end
