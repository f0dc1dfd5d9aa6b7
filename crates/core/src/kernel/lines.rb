# Functions added by -n and -p: they change $_.
module Kernel
  def sub(...) = $_ = $_.sub(...)
  def gsub(...) = $_ = $_.gsub(...)
  def chop = $_ = $_.chop
  def chomp(...) = $_ = $_.chomp(...)
  private :sub, :gsub, :chop, :chomp
end
