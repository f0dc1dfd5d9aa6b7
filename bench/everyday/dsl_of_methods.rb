# Methods defined at run time: a builder with method_missing, readers with define_method, hooks.
class Builder
  def initialize = (@out, @depth = +"", 0)
  def method_missing(name, text = nil, **attributes, &block)
    list = attributes.map { |key, value| %( #{key}="#{value}") }.join
    @out << "  " * @depth << "<#{name}#{list}>"
    if block
      @out << "\n"
      @depth += 1
      instance_eval(&block)
      @depth -= 1
      @out << "  " * @depth
    else
      @out << text.to_s
    end
    @out << "</#{name}>\n"
  end
  def respond_to_missing?(*) = true
  def to_s = @out
end
class Model
  def self.field(name, default: nil)
    (@fields ||= []) << name
    define_method(name) { instance_variable_get(:"@#{name}") || default }
    define_method(:"#{name}=") { |value| instance_variable_set(:"@#{name}", value) }
  end
  %i[title body author].each { |name| field name, default: "none" }
  def assign(values) = values.each { |key, value| public_send("#{key}=", value) if respond_to?("#{key}=") }
end
page = Builder.new
page.list { 8_000.times { |i| item(id: i, class: "c#{i % 3}") { name "N#{i}"; price i * 2 } } }
models = Array.new(30_000) { |i| Model.new.tap { |model| model.assign(title: "t#{i}", body: i.even? ? "b" : nil,
    other: 1) } }
puts page.to_s.size, page.to_s.lines[1..4].join, models.count { |model| model.body == "none" }, models.last.title
