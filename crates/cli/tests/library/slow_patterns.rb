# Patterns of published reports of regular expressions that take exponential or polynomial time, each with the input of
# its report. CRuby's memoization makes them linear: twice the input takes about twice the time.
LIST = [
  # rack: CVE-2022-30122, -44570, -44571, -44572, CVE-2023-27530, CVE-2024-25126, -26146
  ["rack multipart", /\s*[^\s;]+(?:;\s*(?:filename|name)=(?:"[^"]*"|[^\s;]*))*\z/,
   ->(n) { "a" + ";name=" * n + "!\n;" }],
  ["rack media type", /\s*[;,]\s*/, ->(n) { " " * n }],
  ["rack range", /\A(\d*)-(\d*)\z/, ->(n) { "1" * n + "-!" }],
  ["rack header", /^([^:]*?):\s*(.*?)\s*$/, ->(n) { "a:" + " " * n + "b" + " " * n + "\0c" }],
  # rails: CVE-2022-23517, -23518, CVE-2023-22792, -22795, -22796, -28120, CVE-2024-41128, -47887, -47888, -47889
  ["etag list", /\s*,\s*/, ->(n) { " " * n + "x" }],
  ["underscore", /(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z\d])(?=[A-Z])/, ->(n) { "A" * n }],
  ["token header", /\AToken\s+((?:\s*[^=,;\s]+="?[^"]*"?[,;]?)*)\s*\z/, ->(n) { "Token " + "a=" * n + "\"\"\"" }],
  ["domain of a cookie", /([^.]+\.)*[^.]+\.[^.]+$/, ->(n) { "a." * n + "!." }],
  ["plain text of rich text", /<[^>]*(>|$)|\s+$/, ->(n) { "<" * n + "x" }],
  ["query parameters", /[\w\.\-]+(?:\s*[\w\.\-]+)*!/, ->(n) { "a" * n }],
  # cgi: CVE-2021-41819, -41816, CVE-2025-27220; date: CVE-2021-41817; time: CVE-2023-28756; uri: CVE-2023-28755, -36617
  ["cgi escape_element", %r{<(?:/?(?:br|hr)(?!\w)[^>]*>|!)}, ->(n) { "<br" + " " * n + "<" }],
  ["cgi unescape", /<\/?(?:a|br)(?:(?!<)(?!>).)*>?/i, ->(n) { "<br" * n }],
  ["time rfc2822", /\A\s*(?:(?:Mon|Tue)\s*,\s*)?(\d{1,2})\s+(?:Jan|Feb)\s+(\d{2,})\s+(\d{2})\s*:\s*(\d{2})\s*(?::\s*(\d\d)\s*)?(?:[+-]\d{4})/i,
   ->(n) { "Mon," + " " * n + "x" }],
  ["uri", %r{\A([^:/?#]+):(//)?(?:((?:[-_.!~*'()a-zA-Z\d;:&=+$,]|%[a-fA-F\d]{2})*)@)?\z},
   ->(n) { "https://" + "a" * n + "!!\n" }],
  ["uri query", /\A(?:[^&=]+=[^&]*&?)*\z/, ->(n) { "a=&" * n + "&&" }],
  # rexml: CVE-2024-35176, -39908, -41123, -41946, -43398, -49761
  ["rexml character reference", /&#0*((?:\d+)|(?:x[a-fA-F0-9]+));/, ->(n) { "&#" + "0" * n + "x" }],
  ["rexml comment", /<!--(.*?)-->/m, ->(n) { "<!--" * n }],
  ["rexml processing instruction", /\A<\?\s*(\w+)\s*(.*?)\?>/m, ->(n) { "<?a" + " " * n }],
  ["rexml entity", /<!ENTITY\s+(\S+)\s+(?:(?:"[^"]*"|'[^']*')\s*)+>/, ->(n) { "<!ENTITY a " + "''" * n }],
  # loofah, rails-html-sanitizer: CVE-2022-23514, -23516, -23517
  ["loofah css", /\A\s*(?:(?:[-\w]+\s*:\s*[^:;]*;?)\s*)*\z/, ->(n) { "a:" + " " * n + ":" }],
  ["sanitizer data uri", /\Adata:(?:\w+\/[-+.\w]+;?)*,/, ->(n) { "data:" + "a/a" * n }],
  # addressable: CVE-2021-32740; i18n, mail, nokogiri (CVE-2022-24836), sinatra (CVE-2022-45442), kramdown, yard, tzinfo
  ["addressable template", /\{([^}]*,?)*\}!/, ->(n) { "{" + "a," * n }],
  ["nokogiri encoding", /<meta\s+http-equiv\s*=\s*["']?content-type["']?\s*content\s*=\s*["']?(?:.*?)charset=([^"']+)/i,
   ->(n) { "<meta " + " " * n }],
  ["mail address", /^(([a-zA-Z0-9])+([._-]?[a-zA-Z0-9])*)@/, ->(n) { "a" * n + "!" }],
  ["globalid", %r{\Agid://([^/]+)/([^/]+)(?:/([^?]+))?(?:\?(.*))?\z}, ->(n) { "gid://" + "/" * n + "\n" }],
  ["ruby-git", /\A(?:(?:\w+\s*)+:)+\z/, ->(n) { "a " * n }],
  ["httparty filename", /filename="?(?:[^"\\]|\\.)*"?\z/, ->(n) { 'filename="' + "\\a" * n + "\"x" }],
  ["yard tag", /^(\S+)((?:\s+\S+)*)\s*$/, ->(n) { "a" + " a" * n + " \0\n".tr("\n", "") + "\x01 " }],
  ["rdoc label", /\[(.*?)\]\((?:[^()]|\([^()]*\))*\)!/, ->(n) { "[" * n + "](" + "a" * n }],
  ["optparse number", /\A[-+]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:E[-+]?\d+)?\z/i, ->(n) { "1_1" * n + "x" }],
  # patterns from recheck and from publications about the subject
  ["nested quantifiers", /\A(a+)+\z/, ->(n) { "a" * n + "!" }],
  ["nested stars", /\A(a*)*\z/, ->(n) { "a" * n + "!" }],
  ["overlapping alternatives", /\A(a|a)*\z/, ->(n) { "a" * n + "!" }],
  ["optional in a repetition", /\A(a|a?)+\z/, ->(n) { "a" * n + "!" }],
  ["polynomial", /a*a*a*a*b/, ->(n) { "a" * n }],
  ["java classname", /^(([a-z])+.)+[A-Z]([a-z])+$/, ->(n) { "a" * n }],
  ["e-mail",
   /^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$/,
   ->(n) { "a" * n + "!" }],
  ["bounded repetition of a star", /^([0-9a-zA-Z\-\/]*){1,256}$/, ->(n) { "test1-" * n + "_5" }],
  ["bounded repetition of a plus", /\A([a-z]+\s?){1,64}\z/, ->(n) { "a" * n + "!" }],
  ["look-ahead", /\A(?=(?:a+)+\z)a/, ->(n) { "a" * n + "!" }],
  ["negative look-ahead", /\A(?:(?!-->)(a|aa))*z/, ->(n) { "a" * n }],
  ["look-behind", /(?:(?<=a)a|a)+\z/, ->(n) { "a" * n + "!" }],
  ["atomic group", /\A(?:(?>a+)|b)*+c|\A(a|b|ab)*c/, ->(n) { "ab" * n }],
  ["lazy", /\A(.*?,){5}\z/, ->(n) { "," * n + "x" }],
  ["numbers in a list", /\A\s*(\d+\s*,?\s*)*\z/, ->(n) { "1" * n + "x" }],
  ["character classes", /\A([\w.]+\s*)+:\z/, ->(n) { "a" * n }],
  ["case", /\A(A|a|B)*c\z/i, ->(n) { "ab" * n }],
  ["unicode", /\A(\p{L}+\s?)*\z/, ->(n) { "é" * n + "!" }],
]

# The time of a search in an input of `n` repetitions.
def seconds(pattern, text)
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  pattern.match?(text)
  pattern.match(text)
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
end

Regexp.timeout = 10
slow = LIST.reject do |_, pattern, input|
  seconds(pattern, input[20_000]) < 2
rescue Regexp::TimeoutError
  false
end
puts "#{LIST.length} patterns, slow: #{slow.map(&:first)}"
