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
    # Tokens between those of the tree, whose values nothing asks for again.
    BETWEEN = %i[on_sp on_ignored_nl on_nl on_comma on_semicolon].freeze
    ENDS = %i[
      on_sp on_ignored_nl on_words_sep on_embdoc_beg on_embdoc on_embdoc_end on_comment on_nl on_semicolon
    ].freeze
    # Errors whose methods replace a node of the tree.
    REFUSALS = %i[on_alias_error on_assign_error].freeze
    HANDLERS = [:warn, :warning, *PARSER_EVENT_TABLE.keys.map { |event| :"on_#{event}" }].freeze
    private_constant :CLOSERS, :BETWEEN, :ENDS, :HANDLERS, :REFUSALS

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
      return if @tokens
      @source = read_all unless String === @source
      @tokens, @errors, @encoding = Tokens.of(@source, @first_line)
      @size = @tokens.size
      @values = []
      @at = 0
      @error = !@errors.empty?
      # An error that concerns only the context still has a tree.
      return rest unless tree? && @errors.all? { |error| error[5] }
      require "beni/ripper_tree"
      tree = Tree.new(@target, self, @source, @filename, @first_line)
      return rest if @error && !tree.whole?
      @refused, @errors = @errors.partition { |error| REFUSALS.include?(error[1]) }
      tree.parse
    end

    # Reports all remaining tokens and returns nil.
    def rest = advance(@size)

    # Reports the tokens before the index `place`.
    def advance(place)
      while (at = @at) < place
        read(at)
        tell(at, @tokens.event(at), @token = @tokens.text(at))
        width = @tokens.width(at) unless @tree
        @target.__send__(:on_heredoc_dedent, nil, width) if width
      end
      report(nil, nil) if @at == @size && !@errors.empty?
    end

    # Reports the tokens that end at or before an offset. Returns whether the last one is a terminator.
    def advance_to(offset)
      advance(@tokens.beyond(@at, offset))
      place = last
      place ? CLOSERS.include?(@tokens.text(place)) : false
    end

    # Reports the next significant token after an offset.
    def look_beyond(offset)
      place = @at - 1
      while place >= 0 && @tokens.ends_beyond?(place, offset)
        return if @tokens.counts?(place)
        place -= 1
      end
      advance_one
    end

    # The message of an error with that event at a token that was reported; returned only once.
    def refusal(event)
      @refused.shift[2] if @refused[0] && @refused[0][1] == event && @refused[0][0] < @at
    end

    # Whether the end of a line or a statement was just reported.
    def at_line_end?
      place = last
      place ? ENDS.include?(@tokens.event(place)) : false
    end

    # Reports the next significant token, and the one after it if it is a parenthesis.
    def look_into_parenthesis
      advance_one
      advance_one if @tokens.event(@at - 1) == :on_lparen
    end

    # If a line or statement has just ended, reports the following ends and the first other token.
    def look_beyond_lines
      return unless at_line_end?
      place = @at
      place += 1 while place < @size && ENDS.include?(@tokens.event(place))
      advance([place + 1, @size].min)
    end

    # Reports the next significant token.
    def advance_one
      place = @tokens.significant_from(@at) + 1
      advance(place < @size ? place : @size)
    end

    # Reports all tokens up to the end of a quoted text.
    def advance_to_closing
      advance_one until @at == @size || (place = last) && %i[on_tstring_end on_label_end].include?(@tokens.event(place))
    end

    # The end of the construct opened by the parenthesis before an offset; the offset if there is none.
    def closing(offset) = @tokens.closing(offset) || offset

    # The result of the method for a token; the tokens before it are reported first. `token` may be another form of it.
    def value(offset, event, token)
      place = @tokens.at(offset)
      return lone(offset, event, token) unless place
      return @values[place] if place < @at
      advance(place)
      read(place)
      @token = token
      # The name that a refused assignment assigns to is no identifier.
      event = @tokens.event(place) if event == :on_ident || event == :on_gvar
      tell(place, event, token)
    end

    private

    def read(place)
      @lineno = @tokens.lineno(place)
      @column = @tokens.column(place)
      @state = @tokens.state(place)
    end

    # All lines of an IO or of another object with `gets`.
    def read_all
      text = +""
      while (line = @source.gets)
        raise TypeError, "gets returned #{line.class} (expected String or nil)" unless String === line
        text << line
      end
      text
    end

    # A token that is not in the token list.
    def lone(offset, event, token)
      @lineno, @column = @tokens.position(offset)
      @token = token
      @target.__send__(event, token)
    end

    def tell(place, event, token)
      @at = place + 1
      @end_seen = true if event == :on___end__
      value = @target.__send__(event, token)
      @values[place] = value if @tree && !BETWEEN.include?(event)
      report(place, value) if @errors[0] && @errors[0][0] == place
      value
    end

    # Reports the errors at a token with the result of its method; with nil, those of a source without tokens.
    def report(place, value)
      while (error = @errors[0]) && error[0] == place
        _, event, message, lineno, column, _, token = @errors.shift
        position = [@lineno, @column, @token]
        if token || place.nil?
          @lineno, @column, @token = lineno, column, token || ""
        end
        if event == :on_parse_error || event == :compile_error
          @target.__send__(event, message)
        else
          @target.__send__(event, message, value)
        end
        @lineno, @column, @token = position
      end
    end

    # The place of the last significant token that was reported.
    def last = @tokens.significant_before(@at)

    # Whether the class handles tree events or warnings, which come from the tree.
    def tree?
      own = [Ripper, (Lexer if Ripper.const_defined?(:Lexer, false))]
      @tree = Ripper.__handled?(@target, HANDLERS, own)
    end
  end
  private_constant :Scan, :Tokens
end
