# OptionParser: switches of every kind, and the errors for invalid ones. Output from CRuby 3.4.11.
require "optparse"
require "optparse/time"
require "optparse/uri"
def run(args)
  o={}
  pr=OptionParser.new do |x|
    x.banner="Usage: prog [options]"; x.version="1.2.3"; x.program_name="prog"
    x.separator ""; x.separator "Specific:"
    x.on("-v","--[no-]verbose","Run verbosely"){|v| o[:v]=v}
    x.on("-n","--num N",Integer,"A number","more text"){|v| o[:n]=v}
    x.on("-f","--float F",Float){|v| o[:f]=v}
    x.on("-l","--list A,B",Array){|v| o[:l]=v}
    x.on("-t","--type TYPE",[:text,:binary,:auto],"type (text, binary, auto)"){|v| o[:t]=v}
    x.on("--code CODE",%w[a b], {"x"=>"a"}){|v| o[:c]=v}
    x.on("-o","--opt [X]"){|v| o[:o]=v}
    x.on("--time T",Time){|v| o[:time]=v.utc}
    x.on("--uri U",URI){|v| o[:uri]=v}
    x.on("-r","--regexp R",Regexp){|v| o[:r]=v}
    x.on("--dec D",OptionParser::DecimalInteger){|v| o[:d]=v}
    x.on("--oct D",OptionParser::OctalInteger){|v| o[:oct]=v}
    x.on("--req=REQ",:REQUIRED){|v| o[:req]=v}
    x.on("-x"){|v|o[:x]=v}; x.on("-yVAL"){|v|o[:y]=v}; x.on("-i","--inplace[=EXT]",/\A\.\w+/){|v|o[:i]=v}
    x.on_tail("-h","--help","Show"){ puts x; o[:h]=1 }
  end
  rest=pr.parse(args); p o,rest
rescue OptionParser::ParseError
  puts "#{$!.class}: #{$!.message} #{$!.args.inspect}"
end
[%w[-v --num 3 rest],%w[--no-verbose -n5],%w[-nabc],%w[--num],%w[-l a,b,c -t bin],%w[-t zzz],%w[--ty au],%w[--v],%w[--nosuch],%w[-q],%w[-o],%w[-o val],%w[--opt=val],%w[--float 1.5e3 -- -v],%w[-r /a.b/i -x],%w[--dec 0x10 ],%w[--dec 12 --oct 17],%w[-xv -yfoo],%w[--time 2020-01-02T03:04:05Z --uri http://a/b],%w[--code x --code a],%w[--code q],%w[--req],%w[--req 1],%w[-h],%w[-i.bak],%w[-i],%w[a b -v c],%w[--verbose=yes],%w[--verb],%w[-v1]].each{|a| run(a)}
h={}; OptionParser.new{|x| x.on("-a"); x.on("--bee X",Integer); x.on("--[no-]cee")}.parse!(a=%w[-a --bee 3 --no-cee z],into: h); p h,a
p OptionParser.new.ver, (OptionParser.new{|x|x.version=[1,2]}.ver)
puts OptionParser.new("Usage: z",20,' '){|x| x.on("--a-very-long-option-name-here ARG","desc"); x.on("-s","short")}.help
p OptionParser.new.getopts(%w[-a -b1 --foo --zot=foo],"ab:","foo","bar:","zot:Z;zot option") rescue p $!
o=OptionParser.new; o.on("--foo"); begin; o.parse(%w[--fo --bar]); rescue => e; p e.message; puts e.recover([]).inspect; end
p o.order(%w[a --foo b]), o.permute(%w[a --foo b])
o.require_exact=true; begin; o.parse(%w[--fo]); rescue => e; p e.message; end
p o.summarize, o.to_a
class Foo; end
OptionParser.accept(Foo,/(\w+)=(\w+)/){|s,a,b| [a,b]}
OptionParser.new{|x| x.on("--kv X",Foo){|v| p v}}.parse(%w[--kv a=b])
