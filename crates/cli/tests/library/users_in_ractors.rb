# The methods of Etc that move through the lists of users and groups are refused in other Ractors than the main one.
require "etc"
calls = %i[passwd group getpwent getgrent setpwent setgrent endpwent endgrent]
Ractor.new(calls) do |names|
  names.each do |name|
    Etc.public_send(name)
  rescue Ractor::Error => e
    puts "#{name}: #{e.class}: #{e.message}"
  end
end.value
