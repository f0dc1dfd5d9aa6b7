# Compares two interpreters on the programs of this folder, in alternating runs, best of ROUNDS (default 2) rounds:
#
#     ruby bench/gems/compare.rb "target/release/beni" "ruby --yjit" [PROGRAM…]
#
# For each program: the ratios of the first run, of the fastest run and of peak memory; below 1 the first command is
# better. A program that one of the commands cannot run is reported and left out of the means.

require "open3"

def best_of(command, program)
  rounds = Array.new(ENV.fetch("ROUNDS", "2").to_i) do
    text, status = Open3.capture2e("/usr/bin/env", "time", "-f", "%M", *command.split, program)
    figures = text.lines.last(2).join(" ").split.map(&:to_f)
    return nil unless status.success? && figures.size == 4
    figures
  end
  rounds.transpose.map(&:min)
end

first, second, *chosen = ARGV
abort "usage: compare.rb COMMAND COMMAND [PROGRAM…]" unless second
helpers = %w[harness compare]
programs = Dir[File.join(__dir__, "*.rb")].sort.reject { |file| helpers.include?(File.basename(file, ".rb")) }
programs.select! { |file| chosen.include?(File.basename(file, ".rb")) } unless chosen.empty?
ratios = programs.filter_map do |program|
  name = File.basename(program, ".rb")
  a, b = best_of(first, program), best_of(second, program)
  next puts("#{name.ljust(12)} cannot be run by #{a ? second : first}") unless a && b
  (a[0, 2] + a[3, 1]).zip(b[0, 2] + b[3, 1]).map { |x, y| x / y }.tap do |row|
    puts format("%-12s first %.2f  fastest %.2f  memory %.2f", name, *row)
  end
end
means = ratios.transpose.map { |column| Math.exp(column.sum { |ratio| Math.log(ratio) } / column.size) }
puts format("%-12s first %.2f  fastest %.2f  memory %.2f", "means", *means) unless means.empty?
