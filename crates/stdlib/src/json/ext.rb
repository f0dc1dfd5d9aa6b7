# Chooses the parser and the generator that are part of Beni.

module JSON
  Ext::Parser::Config = Ext::ParserConfig
  self.parser = Ext::Parser
  self.generator = Ext::Generator
  JSON_LOADED = true unless defined?(JSON_LOADED)
end
