# OpenSSL::SSL::Session: a session that a later connection can resume. What it resumes exists only in this process.

module OpenSSL
  module SSL
    class Session
      # The sessions that were exported: their bytes name them. Others are read, but never resumed.
      @exported = {}
      MOST_EXPORTED = 256
      TIME, TIMEOUT = 1, 2
      private_constant :MOST_EXPORTED, :TIME, :TIMEOUT

      class << self
        def __export(id, sessions)
          @exported.shift if @exported.size >= MOST_EXPORTED && !@exported.key?(id)
          @exported[id] = sessions
        end

        def __exported(id) = @exported[id]
      end

      attr_reader :time, :timeout

      # `Session.new(socket)`, or of the text that `to_der` or `to_pem` has made
      def initialize(source)
        return __load(source) unless SSLSocket === source
        @sessions = source.__session or raise SessionError, "no session available"
        @id, @time, @timeout = source.__session_id, Time.now, source.context.timeout || 300
        version = source.ssl_version == "TLSv1.3" ? 0x304 : 0x303
        @head = [ASN1.Integer(1), ASN1.Integer(version), ASN1.OctetString("\0\0"), ASN1.OctetString(@id),
          ASN1.OctetString("")]
        @rest = []
      end

      def initialize_copy(other)
        @sessions, @id, @time, @timeout, @head, @rest = other.__parts
      end

      def id = @id.dup
      def ==(other) = Session === other && id == other.id

      def time=(time)
        @time = Time.at(Integer(time))
      end

      def timeout=(seconds)
        raise TypeError, "can't convert #{seconds.class} into Integer" unless seconds.respond_to?(:to_int)
        @timeout = seconds.to_int
      end

      # SSL_SESSION of OpenSSL, without secrets: only this process can resume it.
      def to_der
        Session.__export(@id, @sessions) if @sessions
        times = { TIME => @time.to_i, TIMEOUT => @timeout }.map do |tag, number|
          ASN1::ASN1Data.new([ASN1.Integer(number)], tag, :CONTEXT_SPECIFIC)
        end
        ASN1.Sequence(@head + times + @rest).to_der
      end

      def to_pem
        "-----BEGIN SSL SESSION PARAMETERS-----\n#{[to_der].pack("m48")}-----END SSL SESSION PARAMETERS-----\n"
      end

      def to_text
        "SSL-Session:\n    Session-ID: #{@id.unpack1("H*").upcase}\n    Start Time: #{@time.to_i}\n" \
          "    Timeout   : #{@timeout} (sec)\n"
      end

      def __sessions = @sessions
      def __parts = [@sessions, @id, @time, @timeout, @head, @rest]

      private

      def __load(source)
        text = source.respond_to?(:read) ? source.read : OpenSSL.__text(source)
        pem = text[/-----BEGIN SSL SESSION PARAMETERS-----(.*?)-----END SSL SESSION PARAMETERS-----/m, 1]
        parts = ASN1.decode(pem ? pem.unpack1("m") : text).value
        @head, tagged = parts.partition { |part| part.tag_class == :UNIVERSAL }
        numbers, @rest = tagged.partition { |part| [TIME, TIMEOUT].include?(part.tag) }
        numbers = numbers.to_h { |part| [part.tag, part.value[0].value.to_i] }
        @id = @head.fetch(3).value.b
        @time, @timeout = Time.at(numbers.fetch(TIME, 0)), numbers.fetch(TIMEOUT, 300)
        @sessions = Session.__exported(@id)
      rescue ASN1::ASN1Error, NoMethodError, IndexError
        raise ArgumentError, "unknown type"
      end
    end
  end
end
