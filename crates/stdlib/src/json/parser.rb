class JSON::Ext::Parser
  def initialize(source, options = nil)
    @source = source
    @config = Config.new(options)
  end

  def source = @source.dup

  def parse = @config.parse(@source)
end
