# Translates texts, and parses URIs and their templates.
require_relative "harness"
require "i18n"
require "addressable/template"
require "addressable/uri"

I18n.backend.store_translations(
  :en,
  hello: "Hello %{name}, you have %{count}", cat: {one: "one cat", other: "%{count} cats"}, a: {b: {c: "deep"}}
)
I18n.locale = :en

measure do
  300.times do |i|
    I18n.t(:hello, name: "x#{i}", count: i)
    I18n.t(:cat, count: i)
    I18n.t("a.b.c")
    Addressable::URI.parse("http://user@example.com:80/a/b/../c?x=#{i}&y=2#f").normalize.to_s
    template = Addressable::Template.new("http://example.com/{a}{?q,r*}")
    template.expand("a" => "b", "q" => i.to_s, "r" => {"k" => "v"}).to_s
  end
end
