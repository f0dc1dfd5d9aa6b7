# Several values that a source yields at once stay apart for the steps of a lazy enumerator that pass them on.
L=(1..6).lazy.with_index
tests = {
 select: ->{L.select{|x,i| i.even?}.map{|x| x}.to_a},
 select1: ->{L.select{|x| x.is_a?(Array)}.map{|x| x}.to_a},
 reject: ->{L.reject{|x,i| i.even?}.map{|x| x}.to_a},
 reject1: ->{L.reject{|x| x.is_a?(Array)}.to_a},
 take_while: ->{L.take_while{|x,i| i<3}.map{|x| x}.to_a},
 drop_while: ->{L.drop_while{|x,i| i<3}.map{|x| x}.to_a},
 take: ->{L.take(2).map{|x| x}.to_a},
 drop: ->{L.drop(2).map{|x| x}.to_a},
 filter_map: ->{L.filter_map{|x| x}.to_a},
 filter_map2: ->{L.select{|x,i| true}.filter_map{|x| x}.to_a},
 flat_map: ->{L.flat_map{|x| [x]}.to_a},
 flat_map2: ->{L.select{|x,i| true}.flat_map{|x| [x]}.to_a},
 zip: ->{L.zip([1,2]).map{|x| x}.to_a},
 uniq: ->{L.uniq{|x| x}.map{|x| x}.to_a},
 uniq2: ->{L.uniq.map{|x| x}.to_a},
 compact: ->{L.compact.map{|x| x}.to_a},
 grep: ->{L.grep(Array).map{|x| x}.to_a},
 grepb: ->{L.grep(Array){|x| x}.to_a},
 grep_v: ->{L.grep_v(Integer).map{|x| x}.to_a},
 with_index: ->{L.with_index.map{|x| x}.to_a},
 with_index2: ->{L.with_index{|x| p x}.first(2)},
 selsel: ->{L.select{|x,i| true}.select{|x| x.is_a?(Integer)}.to_a},
 tap_each: ->{L.map{|x,i| [x,i]}.map{|x| x}.to_a},
 first: ->{L.select{|x,i| true}.first},
 mapm: ->{L.select{|x,i| true}.map{|*x| x}.to_a},
 ewi: ->{(1..6).each_with_index.lazy.select{|x,i| i>3}.map{|x| x}.to_a},
 ewi2: ->{(1..6).lazy.each_with_index.select{|x,i| i>3}.map{|x| x}.to_a},
 hash: ->{{a: 1,b: 2}.lazy.select{|k,v| v>1}.map{|k| k}.to_a},
 hash2: ->{{a: 1,b: 2}.lazy.map{|k| k}.to_a},
 multi: ->{Enumerator.new{|y| y.yield 1,2; y.yield 3,4}.lazy.select{|a,b| b>2}.map{|a| a}.to_a},
 multi2: ->{Enumerator.new{|y| y.yield 1,2; y.yield 3,4}.lazy.select{|a| a}.map{|*a| a}.to_a},
 eager: ->{L.select{|x,i| true}.eager.map{|x| x}},
 tally: ->{L.select{|x,i| true}.each_with_index.to_a},
 chunk: ->{L.select{|x,i| true}.chunk_while{|a,b| false}.first(1)},
 slice: ->{L.select{|x,i| true}.each_slice(2).first(1)},
 inject: ->{L.select{|x,i| true}.inject{|a,b| [a,b]}},
 each: ->{a=[]; L.select{|x,i| true}.each{|x| a<<x}; a},
 lazylazy: ->{L.select{|x,i| true}.lazy.map{|x| x}.to_a},
}
tests.each{|n,t| r=begin; t.call; rescue =>e; "#{e.class} #{e.message}"; end; puts "#{n}: #{r.inspect}"}
p (1..3).lazy.zip([4,5,6]).map{|x| x}.to_a
p (1..3).lazy.zip([4,5,6]).select{|x| x}.map{|x| x}.to_a
p (1..3).lazy.zip([4,5,6]).flat_map{|x| [x]}.to_a
p (1..3).lazy.zip([4,5,6]).filter_map{|x| x}.to_a
E0=Enumerator.new{|y| y.yield; y.yield 1; y.yield [1,2]; y.yield 1,2; y.yield []; y.yield [],nil}
%i[select reject filter_map map flat_map take_while drop_while uniq].each{|m| a=[];
p m, E0.lazy.send(m){|*x| a<<x; true}.map{|*x| x}.to_a, a
a=[]
p m, E0.lazy.send(m){|x| a<<x; false}.map{|*x| x}.to_a, a }
p E0.lazy.with_index{|*x| p x}.map{|*x| x}.to_a
p E0.lazy.with_index.map{|*x| x}.to_a
p E0.lazy.with_index.with_index.map{|*x| x}.to_a
p E0.lazy.compact.map{|*x| x}.to_a
p E0.lazy.grep(Object).map{|*x| x}.to_a
p E0.lazy.take(9).map{|*x| x}.to_a
p E0.lazy.drop(1).map{|*x| x}.to_a
p E0.lazy.zip([1,2,3]).map{|*x| x}.to_a
p E0.lazy.take(9).to_a,E0.lazy.with_index.to_a
p E0.lazy.take(9).each{|*x| p x}
p E0.lazy.with_index.each{|*x| p x}
p E0.lazy.each{|*x| p x}
p E0.lazy.take(9).each_with_index.map{|*x| x}.to_a
p E0.lazy.select{true}.lazy.map{|*x| x}.to_a
p E0.lazy.select{true}.eager.map{|*x| x}.to_a
p E0.lazy.select{true}.each_with_index.map{|*x| x}.to_a
p E0.lazy.chunk_while{|*x| p x;false}.map{|*x| x}.to_a
p E0.lazy.tap{}.each_entry.map{|*x| x}.to_a
e=E0.lazy.select{true}; 6.times{ p e.next_values }
e=E0.lazy.with_index; 6.times{ p e.next }
p Enumerator::Lazy.new(E0){|y,*v| y.yield(*v)}.select{true}.map{|*x| x}.to_a
p Enumerator::Lazy.new(E0){|y,*v| y.yield(*v)}.to_a
