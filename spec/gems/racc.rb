# Recorded from CRuby 4.1dev.
require "racc/parser"
p Racc::Parser::Racc_Runtime_Type, Racc::Parser::Racc_Runtime_Core_Version_C
# The tables of `list: list WORD | WORD`.
class Words < Racc::Parser
  Racc_arg = [
    [3, 4, 2, 2], [0, 1, 0, 2], [0, 1, nil, nil], [nil, 1, nil, nil], [1], [0], [nil], [1],
    [0, 0, :racc_error, 2, 4, :accept, 1, 4, :read], {false => 0, :error => 1, :WORD => 2}, 3, 3, true,
  ].freeze
  def accept(values, *) = values
end
p Words.instance_method(:do_parse).owner, (Words.new.__send__(:yyerror) rescue $!.class)
