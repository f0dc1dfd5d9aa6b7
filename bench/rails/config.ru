# DATABASE=FILE puma -e production -t 5:5 bench/rails/config.ru
require_relative "application"
run BlogApplication
