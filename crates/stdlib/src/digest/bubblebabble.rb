module Digest
  def self.bubblebabble(string) = __bubblebabble(string)

  class Class
    def self.bubblebabble(string, ...) = Digest.bubblebabble(digest(string, ...))
  end

  module Instance
    def bubblebabble = Digest.bubblebabble(digest)
  end
end
