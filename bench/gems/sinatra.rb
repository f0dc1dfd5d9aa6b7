# Handles 400 requests, which are made in the process itself.
require_relative "harness"
require "sinatra/base"
require "rack/mock"

class App < Sinatra::Base
  set :environment, :production
  get("/") { "hello" }
  get("/users/:id") { |id| erb "<h1><%= id %></h1><% 10.times do |i| %><li><%= i %></li><% end %>", locals: {id:} }
  post("/form") { params["a"].to_s }
  not_found { "no" }
end

REQUEST = Rack::MockRequest.new(App.new)

measure do
  100.times do |i|
    REQUEST.get("/").body
    REQUEST.get("/users/#{i}?x=1&y=2").body
    REQUEST.post("/form", params: {"a" => "b#{i}"}).body
    REQUEST.get("/none").status
  end
end
