class Ripper
  # Events and the number of their arguments.
  PARSER_EVENT_TABLE = %w[
    BEGIN:1 END:1 alias:2 alias_error:2 aref:2 aref_field:2 arg_ambiguous:1 arg_paren:1 args_add:2 args_add_block:2
    args_add_star:2 args_forward:0 args_new:0 array:1 aryptn:4 assign:2 assign_error:2 assoc_new:2 assoc_splat:1
    assoclist_from_args:1 bare_assoc_hash:1 begin:1 binary:3 block_var:2 blockarg:1 bodystmt:4 brace_block:2 break:1
    call:3 case:2 class:3 class_name_error:2 command:2 command_call:4 const_path_field:2 const_path_ref:2 const_ref:1
    def:3 defined:1 defs:5 do_block:2 dot2:2 dot3:2 dyna_symbol:1 else:1 elsif:3 ensure:1 excessed_comma:0 fcall:1
    field:3 fndptn:4 for:3 hash:1 heredoc_dedent:2 hshptn:3 if:3 if_mod:2 ifop:3 in:3 kwrest_param:1 lambda:2
    magic_comment:2 massign:2 method_add_arg:2 method_add_block:2 mlhs_add:2 mlhs_add_post:2 mlhs_add_star:2
    mlhs_new:0 mlhs_paren:1 module:2 mrhs_add:2 mrhs_add_star:2 mrhs_new:0 mrhs_new_from_args:1 next:1 nokw_param:1
    opassign:3 operator_ambiguous:2 param_error:2 params:7 paren:1 parse_error:1 program:1 qsymbols_add:2
    qsymbols_new:0 qwords_add:2 qwords_new:0 redo:0 regexp_add:2 regexp_literal:2 regexp_new:0 rescue:4 rescue_mod:2
    rest_param:1 retry:0 return:1 return0:0 sclass:2 stmts_add:2 stmts_new:0 string_add:2 string_concat:2
    string_content:0 string_dvar:1 string_embexpr:1 string_literal:1 super:1 symbol:1 symbol_literal:1 symbols_add:2
    symbols_new:0 top_const_field:1 top_const_ref:1 unary:2 undef:1 unless:3 unless_mod:2 until:2 until_mod:2
    var_alias:2 var_field:1 var_ref:1 vcall:1 void_stmt:0 when:3 while:2 while_mod:2 word_add:2 word_new:0 words_add:2
    words_new:0 xstring_add:2 xstring_literal:1 xstring_new:0 yield:1
    yield0:0 zsuper:0
  ].to_h { |word| word.split(":").then { |event, arity| [event.to_sym, arity.to_i] } }

  SCANNER_EVENT_TABLE = %w[
    CHAR __end__ backref backtick comma comment const cvar embdoc embdoc_beg embdoc_end embexpr_beg
    embexpr_end embvar float gvar heredoc_beg heredoc_end ident ignored_nl imaginary int ivar kw label
    label_end lbrace lbracket lparen nl op period qsymbols_beg qwords_beg rational rbrace rbracket
    regexp_beg regexp_end rparen semicolon sp symbeg symbols_beg tlambda tlambeg tstring_beg tstring_content
    tstring_end words_beg words_sep
  ].to_h { |word| [word.to_sym, 1] }
end
