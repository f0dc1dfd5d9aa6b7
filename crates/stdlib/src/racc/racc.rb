# racc/cparse: what runs the tables of parsers that racc has generated.

module Racc
  class Parser
    Racc_Runtime_Core_Version_C = "1.8.1"
    Racc_Runtime_Core_Id_C = "$originalId: cparse #{Racc_Runtime_Core_Version_C} $"

    private

    # Parses the tokens that `next_token` returns.
    def _racc_do_parse_c(arg, _)
      parse = CparseParams.__send__(:new, self, arg, nil)
      parse.__run
      parse.__result
    end

    # Parses the tokens that a method of the lexer yields.
    def _racc_yyparse_c(lexer, name, arg, _)
      raise TypeError, "not symbol" unless Primitive.is_symbol(name)
      parse = CparseParams.__send__(:new, self, arg, name)
      parse.__run
      lexer.__send__(name) do |*given|
        raise ArgumentError, "extra token after EndOfToken" if parse.__end
        parse.__take(given[0])
        parse.__run
        break if parse.__end == :failed
      end
      raise ArgumentError, "#{name}() is finished before EndOfToken" unless parse.__end
      parse.__result
    end
  end

  # One parse: an LALR automaton, whose tables are compressed (Aho, Sethi, Ullman: Compilers, 1986, section 4.7). The
  # action for a state and a token is in the action table, at the sum of the state's pointer and the token's number, if
  # the check table has the state at the same index; otherwise the state's default is the action. The state that
  # follows a reduction is found in the same way, by the nonterminal and the state.
  class CparseParams
    class << self
      private :new
    end

    # Numbers of tokens.
    END_OF_INPUT = 0
    ERROR = 1
    private_constant :END_OF_INPUT, :ERROR

    # How a parse has ended, nil before: :accepted or :failed.
    def __end = @__end

    # The value of the whole input.
    def __result = @__result

    # `lexer` is the name of the method that yields the tokens, nil if the parser's `next_token` returns them.
    def initialize(parser, arg, lexer)
      __require(arg, Array)
      raise "[Racc Bug] wrong arg.size #{arg.size}" unless arg.size == 13 || arg.size == 14
      @__parser = parser
      @__lexer = lexer
      arg.first(8).each { |table| __require(table, Array) }
      __require(arg[9], Array)
      __require(arg[10], Hash)
      @__actions, @__action_checks, @__action_defaults, @__action_pointers = arg
      _, _, _, _, @__gotos, @__goto_checks, @__goto_defaults, @__goto_pointers = arg
      @__first_nonterminal = Primitive.to_long(arg[8])
      @__rules = arg[9]
      @__token_numbers = arg[10]
      @__accept = Primitive.to_long(arg[11])
      @__fail = -Primitive.to_long(arg[12])
      @__passes_result = arg.size == 13 || arg[13]

      @__states = [0]
      @__values = []
      @__is_traced = parser.instance_variable_get(:@yydebug) ? true : false
      @__tokens = @__is_traced ? [] : nil
      # The current state. While an action runs, it is the one before the reduction.
      @__state = 0
      @__token = ERROR
      @__value = nil
      @__is_token_used = true
      @__end = nil
      @__result = nil
      parser.instance_variable_set(:@racc_error_status, 0)
      parser.instance_variable_set(:@vstack, @__values)
      parser.instance_variable_set(:@tstack, @__tokens)
    end

    # Makes a pair the next token: what the lexer gave, nil at the end of the input.
    def __take(pair)
      if pair.nil?
        name = false
        value = "$"
      else
        raise TypeError, "#{__giver} #{pair.class} (must be Array[2])" unless Primitive.is_array(pair)
        raise ArgumentError, "#{__giver} wrong size of array (#{pair.size} for 2)" if pair.size != 2
        name = pair[0]
        value = pair[1]
      end
      number = @__token_numbers[name]
      number = ERROR if number.nil?
      @__token = number
      @__value = value
      @__is_token_used = false
      @__parser.__send__(:racc_read_token, number, name, value) if @__is_traced
    end

    # Goes on until the end of the parse, or until the next token of a lexer that yields is needed.
    def __run
      has_failed = false
      while true
        code = __catch(:racc_jump) do
          __steps(has_failed)
          0
        end
        code = Primitive.to_long(code)
        return if code == 0
        return __accept if code == 2 # yyaccept
        has_failed = code == 1 # yyerror
      end
    end

    private

    def __require(table, type)
      return if Primitive.is_kind_of(table, type)
      given = table.nil? || table == true || table == false ? table.inspect : table.class
      raise TypeError, "wrong argument type #{given} (expected #{type})"
    end

    def __giver = @__lexer ? "#{@__lexer}() yielded" : "next_token() returned"

    # The steps of the automaton. `has_failed`: an action has called `yyerror`.
    def __steps(has_failed)
      parser = @__parser
      states = @__states
      values = @__values
      actions = @__actions
      checks = @__action_checks
      defaults = @__action_defaults
      pointers = @__action_pointers
      state = @__state
      token = @__token
      errors = Primitive.to_long(parser.instance_variable_get(:@racc_error_status))
      while true
        if has_failed
          @__state = state
          action = __action_after_error(errors)
          return if action.nil?
          errors = 3
          state = @__state
        else
          action = nil
          index = pointers[state]
          unless index.nil?
            if @__is_token_used && token != END_OF_INPUT
              if @__lexer
                @__state = state
                return
              end
              __take(parser.__send__(:next_token))
              token = @__token
            end
            @__is_token_used = false
            index += token
            action = actions[index] if index >= 0
            action = nil if !action.nil? && checks[index] != state
          end
          action = defaults[state] if action.nil?
        end

        if action < 0 && action > @__fail
          @__state = state
          state = __reduce(action * -3)
          errors = Primitive.to_long(parser.instance_variable_get(:@racc_error_status))
        elsif action > 0 && action < @__accept
          if has_failed
            __shift(ERROR, action)
          else
            if errors > 0
              errors -= 1
              parser.instance_variable_set(:@racc_error_status, errors)
            end
            __shift(token, action)
            @__is_token_used = true
          end
          state = action
        elsif action == @__accept
          return __accept
        elsif action == @__fail && !has_failed
          parser.__send__(:on_error, token, @__value, values) if errors == 0
          has_failed = true
          next
        else
          raise "[Racc Bug] unknown act value #{action}"
        end
        has_failed = false
        parser.__send__(:racc_next_state, state, states) if @__is_traced
      end
    end

    def __shift(token, state)
      Primitive.array_push(@__values, @__value)
      if @__is_traced
        Primitive.array_push(@__tokens, token)
        @__parser.__send__(:racc_shift, token, @__tokens, @__values)
      end
      Primitive.array_push(@__states, state)
    end

    # Replaces the values of a rule's right side by the result of its action. Returns the state that follows.
    def __reduce(rule)
      rules = @__rules
      states = @__states
      values = @__values
      length = rules[rule]
      nonterminal = rules[rule + 1]
      action = rules[rule + 2]
      first = Primitive.array_length(values) - length
      depth = Primitive.array_length(states) - length
      if !Primitive.is_integer(length) || length < 0 || first < 0 || depth < 1
        raise "[Racc Bug] state stack unexpectedly empty"
      end
      tokens = @__tokens[first, length] if @__is_traced
      value = length == 0 ? nil : values[first]
      list = Primitive.array_slice(values, first, length) if action != :_reduce_none
      Primitive.array_truncate(values, first)
      Primitive.array_truncate(states, depth)
      Primitive.array_truncate(@__tokens, first) if @__is_traced
      if list
        value =
          if @__passes_result
            @__parser.__send__(action, list, values, value)
          else
            @__parser.__send__(action, list, values)
          end
      end
      Primitive.array_push(values, value)
      if @__is_traced
        Primitive.array_push(@__tokens, nonterminal)
        @__parser.__send__(:racc_reduce, tokens, nonterminal, @__tokens, values)
      end

      row = nonterminal - @__first_nonterminal
      index = @__goto_pointers[row]
      unless index.nil?
        index += states[-1]
        state = @__gotos[index] if index >= 0
        state = nil if !state.nil? && @__goto_checks[index] != row
      end
      state = @__goto_defaults[row] if state.nil?
      Primitive.array_push(states, state)
      state
    end

    # Ends the parse successfully.
    def __accept
      @__parser.__send__(:racc_accept) if @__is_traced
      @__result = @__values[0]
      @__end = :accepted
    end

    # Drops states until one has an action for the error token; returns it. Nil if the parse has ended, because there is
    # none, or because the end of the input follows an error immediately.
    def __action_after_error(errors)
      if errors == 3
        if @__token == END_OF_INPUT
          @__end = :failed
          return
        end
        @__is_token_used = true
      end
      @__parser.instance_variable_set(:@racc_error_status, 3)
      while true
        index = @__action_pointers[@__state]
        unless index.nil?
          index += ERROR
          if index >= 0 && @__action_checks[index] == @__state
            action = @__actions[index]
            return action unless action.nil?
          end
        end
        if @__states.size <= 1
          @__end = :failed
          return
        end
        @__states.pop
        @__values.pop
        @__state = @__states[-1]
        if @__is_traced
          @__tokens.pop
          @__parser.__send__(:racc_e_pop, @__states, @__tokens, @__values)
        end
      end
    end
  end
end
