# Reads a YAML configuration with aliases, and looks values up by path.
require "yaml"
text = +"defaults: &defaults\n  host: localhost\n  port: 5432\n"
600.times do |i|
  text << "service_#{i}:\n  <<: *defaults\n  name: \"Service #{i}\"\n  enabled: #{i.even?}\n  weight: #{i / 4.0}\n" \
          "  paths:\n    - /var/lib/s#{i}\n    - /etc/s#{i}\n  limits: {cpu: #{i}, memory: 512}\n"
end

config = nil
4.times { config = YAML.load(text, aliases: true) }
puts config.size, config.dig("service_37", "limits", "cpu"), config["service_9"]["port"],
     config.sum { |_, service| service["weight"] || 0 }
