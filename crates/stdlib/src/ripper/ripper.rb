class Ripper
  Version = "0.1.0".freeze

  STATES = %i[BEG END ENDARG ENDFN ARG CMDARG MID FNAME DOT CLASS LABEL LABELED FITEM].freeze
  private_constant :STATES

  EXPR_NONE = 0
  STATES.each_with_index { |name, bit| const_set(:"EXPR_#{name}", 1 << bit) }
  EXPR_VALUE = EXPR_BEG
  EXPR_BEG_ANY = EXPR_BEG | EXPR_MID | EXPR_CLASS
  EXPR_ARG_ANY = EXPR_ARG | EXPR_CMDARG
  EXPR_END_ANY = EXPR_END | EXPR_ENDARG | EXPR_ENDFN

  def self.lex_state_name(state)
    state = Integer(state)
    names = STATES.select.with_index { |_, bit| state[bit] == 1 }
    names.empty? ? "NONE" : names.join("|")
  end

  # Removes up to `width` columns of indentation from a string; returns the number of bytes removed.
  def self.dedent_string(string, width)
    string = String.try_convert(string) or raise TypeError, "no implicit conversion of #{string.class} into String"
    width = Integer(width)
    column = count = 0
    while column < width && (byte = string.getbyte(count))
      if byte == 0x20
        column += 1
      elsif byte == 0x09
        stop = (column / 8 + 1) * 8
        break if stop > width
        column = stop
      else
        break
      end
      count += 1
    end
    string.bytesplice(0, count, "") if count > 0
    count
  end

  def initialize(source, filename = "(ripper)", lineno = 1)
    unless String === source || source.respond_to?(:gets)
      text = String.try_convert(source)
      raise TypeError, "no implicit conversion of #{source.class} into String" unless text
      source = text
    end
    filename = (filename && String.try_convert(filename)&.dup) || "(ripper)"
    __attach(Scan.new(self, source, filename.freeze, Integer(lineno)))
  end

  # Lexes and calls the methods `on_…`; also parses if a subclass overrides a tree event.
  def parse = __scan.parse

  def lineno = __scan.lineno
  def column = __scan.column
  def state = __scan.state
  def token = __scan.token
  def filename = __scan.filename
  def encoding = __scan.encoding
  def end_seen? = __scan.end_seen
  def error? = __scan.error?
  def debug_output = __scan.debug_output
  def debug_output=(io)
    __scan.debug_output = io
  end
  def yydebug = __scan.yydebug
  def yydebug=(flag)
    __scan.yydebug = flag ? true : false
  end

  private

  def dedent_string(string, width) = Ripper.dedent_string(string, width)

  # The state of a Ripper object: its source, tokens and progress.
  class Scan
    CLOSERS = [")", "]", "}", "end"].freeze
    SPACE = %i[on_sp on_ignored_nl on_words_sep on_embdoc_beg on_embdoc on_embdoc_end].freeze
    ENDS = [*SPACE, :on_comment, :on_nl, :on_semicolon].freeze
    COLUMN_BITS = 31
    HANDLERS = PARSER_EVENT_TABLE.keys.map { |event| :"on_#{event}" }.freeze
    private_constant :CLOSERS, :SPACE, :ENDS, :COLUMN_BITS, :HANDLERS

    attr_reader :lineno, :column, :state, :token, :filename, :encoding, :end_seen
    attr_accessor :debug_output, :yydebug

    def initialize(target, source, filename, first_line)
      @target, @source, @filename, @first_line = target, source, filename, first_line
      @encoding = String === source ? source.encoding : Encoding::UTF_8
      @end_seen = @error = @yydebug = false
      @debug_output = nil
    end

    def error? = @error

    def parse
      return if @elements
      @source = read unless String === @source
      @elements, @errors, @encoding = Ripper.__elements(@source, @first_line)
      @values = []
      @at = 0
      @error = !@errors.empty?
      # An error that concerns only the context still has a tree.
      return rest unless tree? && @errors.all? { |error| error[5] }
      @refused, @errors = @errors.partition { |error| error[1] == :on_assign_error }
      require "beni/ripper_tree"
      Tree.new(@target, self, @source, @filename, @first_line).parse
    end

    # Reports all remaining tokens and returns nil.
    def rest = advance(@elements.size)

    # Reports the tokens before the index `place`.
    def advance(place)
      while @at < place
        @lineno, @column, event, @token, @state, width = @elements[@at]
        tell(@at, event, @token)
        @target.__send__(:on_heredoc_dedent, nil, width) if width && !@tree
      end
      report(nil) if @at == @elements.size && !@errors.empty?
    end

    # Reports the tokens that end at or before an offset. Returns whether the last one is a terminator.
    def advance_to(offset)
      place = @at
      place += 1 while place < @elements.size && @elements[place][6] <= offset
      advance(place)
      CLOSERS.include?(last&.at(3))
    end

    # Reports the next significant token after an offset.
    def look_beyond(offset)
      place = @at
      while place > 0 && (element = @elements[place - 1])[6] > offset
        return if counts?(element)
        place -= 1
      end
      advance_one
    end

    # The message about an invalid assignment that was reported; returned only once.
    def refusal
      @refused.shift[2] if @refused[0] && @refused[0][0] < @at
    end

    # Whether the end of a line or a statement was just reported.
    def at_line_end? = ENDS.include?(last&.at(2))

    # Reports the next significant token, and the one after it if it is a parenthesis.
    def look_into_parenthesis
      advance_one
      advance_one if @elements[@at - 1][2] == :on_lparen
    end

    # If a line or statement has just ended, reports the following ends and the first other token.
    def look_beyond_lines
      return unless at_line_end?
      place = @at
      place += 1 while place < @elements.size && ENDS.include?(@elements[place][2])
      advance([place + 1, @elements.size].min)
    end

    # Reports the next significant token.
    def advance_one
      place = @at
      place += 1 while place < @elements.size && !counts?(@elements[place])
      advance([place + 1, @elements.size].min)
    end

    # Reports all tokens up to the end of a quoted text.
    def advance_to_closing
      advance_one until @at == @elements.size || %i[on_tstring_end on_label_end].include?(last&.at(2))
    end

    # The end of the construct opened by the parenthesis before an offset; the offset if there is none.
    def closing(offset) = closings[offset] || offset

    # The result of the method for a token; the tokens before it are reported first. `token` may be another form of it.
    def value(lineno, column, event, token)
      place = places[lineno << COLUMN_BITS | column]
      return lone(lineno, column, event, token) unless place
      return @values[place] if place < @at
      advance(place)
      @lineno, @column, _, _, @state, = @elements[place]
      @token = token
      tell(place, event, token)
    end

    private

    # All lines of an IO or of another object with `gets`.
    def read
      text = +""
      while (line = @source.gets)
        raise TypeError, "gets returned #{line.class} (expected String or nil)" unless String === line
        text << line
      end
      text
    end

    # A token that is not in the token list.
    def lone(lineno, column, event, token)
      @lineno, @column, @token = lineno, column, token
      @target.__send__(event, token)
    end

    def tell(place, event, token)
      @at = place + 1
      @end_seen = true if event == :on___end__
      value = @values[place] = @target.__send__(event, token)
      report(place) if @errors[0] && @errors[0][0] == place
      value
    end

    # Reports the errors at a token; with nil, those of a source without tokens.
    def report(place)
      while (error = @errors[0]) && error[0] == place
        _, event, message, lineno, column, _, token = @errors.shift
        position = [@lineno, @column, @token]
        if token || place.nil?
          @lineno, @column, @token = lineno, column, token || ""
        end
        if event == :on_parse_error || event == :compile_error
          @target.__send__(event, message)
        else
          @target.__send__(event, message, place && @values[place])
        end
        @lineno, @column, @token = position
      end
    end

    # The last significant token that was reported.
    def last
      place = @at - 1
      place -= 1 while place >= 0 && !counts?(@elements[place])
      @elements[place] if place >= 0
    end

    # Whether a token is significant. A comment is, if the line end that it includes ends a statement.
    def counts?((_, _, event, _, state))
      event == :on_comment ? state.to_i & (EXPR_BEG | EXPR_CLASS | EXPR_FNAME | EXPR_DOT) == 0 : !SPACE.include?(event)
    end

    def closings
      @closings ||= begin
        open = []
        @elements.each_with_object({}) do |(_, _, event, _, _, _, offset), closings|
          case event
          when :on_lparen then open << offset
          when :on_rparen then closings[open.pop] = offset
          end
        end
      end
    end

    # The places of the tokens by line and column, which are one number: a pair would be an object for each token.
    def places
      @places ||= begin
        places = {}
        @elements.each_with_index { |(lineno, column), place| places[lineno << COLUMN_BITS | column] = place }
        places
      end
    end

    # Whether the class handles tree events.
    def tree?
      own = [Ripper, (Lexer if Ripper.const_defined?(:Lexer, false))]
      @tree = Ripper.__handled?(@target, HANDLERS, own)
    end
  end
  private_constant :Scan
end
