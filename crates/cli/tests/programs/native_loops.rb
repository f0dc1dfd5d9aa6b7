# Loops over elements: the fast paths, and the behaviour that they must preserve.
require "set"
class S < String; def ==(o)=true; end
p [S.new("a")].index("b"), ["a"].index(S.new("a"))
a=[1,2,3,2,1,2]; p a.delete(2), a, a.rindex(1), a.count(1), a.index(9)
p [3,1.5,2].min, [3,1.5,9].max, [1.5, 3].minmax, ["b","a"].min, [].max
p [1,2**62,3].sum, [2**61,2**61,2**61].sum, [0.1]*3==[0.1,0.1,0.1], ([0.1]*10).sum, [1,0.1,Rational(1,2)].sum, [3,0.1,nil].sum rescue p $!
p [1,2,3].inject(:+),[1,2,3].inject(:-),[2**61,2**61,4].inject(:+),[2**61,2**61,4].inject(:*), [1,2.5,3].inject(:+), %w[a b].inject(:+), [1,2,3].inject(10,:*), [[1],[2]].inject(:+), [6,3].inject(:&)
p [1,2,3].permutation.to_a, [1,2,3].permutation(2).to_a, [1,2,3,4].combination(2).to_a, [1,2].repeated_combination(2).to_a, [1,2].repeated_permutation(2).to_a
p [1,2].product([3,4],[5]), [1,2].product, [].permutation.to_a, [1].permutation(0).to_a,[1,2].product([])
p [1,2,3].zip([4,5],[6]), [1].zip, [1,2].zip(1..2)
r=Random.new(1); p (0..20).to_a.shuffle(random: r), (0..20).to_a.sample(3, random: r),(0..20).to_a.sample(8, random: r),(0..2000).to_a.sample(14, random: r), (0..20).to_a.sample(15, random: r), [1,2].sample(random: r)
h={a: 1,"b"=>2, 3=>4}; p h.transform_values{_1*2}, h.select{|k,v| v>1}, h.reject{|k,v| v>1}, h.merge({3=>5, z: 1}), h.keys, h.values
H=(0...100).to_h{[_1,_1.to_s]}; p H.select{|k,v|k>95}, H.merge(H)==H, H.dup==H, H.dup.tap{_1[:x]=1}.size, H.keys.size, H.merge({x: 1}).size
p [nil,1,false].all?, [1].all?, [nil].none?, [1,"a"].all?(Integer), [1,"a"].any?(String), [1,2].none?(3..4), [].all?
class Integer; alias oeq ==; def ==(o) = o.equal?(7) ? true : oeq(o); end
p [1,2].index(7), [1,2].include?(7), [1,2]==[7,7], [1,2].count(7)
class Integer; alias ==  oeq; alias oplus +; def +(o)=42; end
p [1,2,3].inject(:+)
class Integer; alias + oplus; alias ocmp <=>; def <=>(o)= -(self-o); end
p [1,2,3].min,[1,2,3].max, (1..3).min
class Integer; alias <=> ocmp; end
x=[1,[2,3]]; y=[1,[2,3]]; p x==y, x.eql?(y), [1]==[1.0], [1].eql?([1.0]), [0.0].eql?([-0.0]), [Float::NAN]==[Float::NAN]
n=Float::NAN; p [n]==[n], [n].index(n), [n].include?(n), [n].count(n), [n].rindex(n), {a: n}.key(n), ([n,1.0].max rescue p $!.class)
z=[1]; z<<z; p z==z.dup, z==[1,z]
p [2**53+1].index((2**53+1).to_f), [(2**53).to_f].index(2**53), [1.0].index(1), [1].index(1.0), [:a].index(:a), [:a].index("a"), [nil,1].index(1), [1r].index(1), [1].index(1r)
p 3.pow(5,7),3.pow(0,1),(-3).pow(5,7),3.pow(5,-7),(2**62).pow(3,2**63-1),5.pow(10**15, 10**9+7)
p [3,1.5,2,-1].sort, [2.5,1].sort_by{_1}, %w[b a].sort, [3,1].sort_by{|x|x.to_s}, [1.5,0.5].max(1)
p [1,2,3].tally, %w[a b a].tally, %w[a b a].uniq, [1,1.0].uniq, %w[b a b]-%w[a], %w[a b]&%w[b], %w[a b]|%w[c], [1,2].intersect?([2]), [3,3,1].uniq{_1}
p [1].fetch(0), [1].fetch(5){_1}, [1].fetch(5,:d), ({a: 1}).fetch(:a), ({}).fetch(:a,2), ({}).fetch(:a){_1}, ({a: 1}).delete(:a), ({}).delete(:b){_1}
begin; [1].fetch(3); rescue =>e; p e; end
begin; {a: 1}.fetch(:zz); rescue =>e; p e; end
def brk = [1].fetch(5){ break 9 }
p brk
class E; include Enumerable; def each; yield 1,2; yield 3; yield; yield [4,5]; self; end; end
e=E.new
p e.to_a, e.map{|x|x}, e.map{|x,y|[x,y]}, e.map{|*x|x}, e.select{|x|x}, e.count{|x|x}, e.count{|x,y|y}, e.all?{|x,y|y}, e.any?{|*x| x.size==2}, e.first, e.first(2), e.each_with_index.to_a, e.group_by{|x|x}, e.partition{|x,y|y}, e.each_slice(2).to_a, e.inject{|a,b|[a,b]}, e.include?([1,2]), e.min_by{|x|x.to_s}, e.each_entry.to_a, e.zip(e), e.tally, e.uniq, e.uniq{|x,y|y}, e.find{|x,y|y}, e.find_index{|x,y|y}, e.flat_map{|x,y|[y]}, e.filter_map{|x,y|y}, e.sum{|x,y|y.to_i}, e.reject{|x|x}, e.to_set.to_a, e.each_with_object([]){|x,m|m<<x}, e.reverse_each.to_a, e.take_while{|x,y|y}, e.drop(1), e.chunk_while{|a,b|true}.to_a, e.sort_by{|x|x.to_s}, e.each_cons(2).to_a
p e.map(&->(*a){a}), e.each_with_index.map{|x,i|[x,i]}
s=Set[1,2,3]; p s.superset?(Set[1]), s.subset?(Set[1,2,3,4]), *[s&[2], s^[3,4], s|[9], s-[1]].map(&:to_a), s.add?(1), s.add?(7).size
p 1234.round(-2), 1250.round(-2, half: :even), -1250.round(-2), 1299.floor(-2), -1201.floor(-2), 1201.ceil(-2), (2**62).ceil(-3), (2**80).round(-3), 5.round(-1), 15.round(-1, half: :down), 12.truncate(-1), -12.truncate(-1), 1.floor(-30), -1.floor(-30)
p (1..10).size,(1...10).count,(5..1).size,(1..10).min,(1...10).max,(5..1).max,(3..3).min,(3...3).min,(1..10).minmax,(1..).size,(1..3).sum,(1..3).inject(:+),(1..3).count(2),(1..3).count{_1>1}
p [[1,2],[3,4]].to_h, ([1].to_h rescue p $!), ([[1]].to_h rescue p $!), [1].to_h{[_1,2]}
p [:a,:"b#{1}"].index(:"b1"), [Object.new].index(1), (1..3).tally, %w[a a].each_entry.tally
St=Struct.new(:a,:b); p St.new(1,2)[:a], St.new(1,2)["b"], St.new(1,2).to_h
srand(5); p rand(100), [1,2,3].shuffle, [1,2,3].sample, Random.rand(10)
class Own < Random; def rand(*) = raise; end; p [1,2,3].shuffle(random: Own.new(3))
a=[1,2,3]; class Shrinks; def initialize(a)=@a=a; def ==(o)=(@a.clear; false); end; a.unshift(Shrinks.new(a)); p a.index(3), a
p [3.0,1.0].sum(0.0), [1,2].sum(0.0), [0.1]*2==[0.1,0.1], (1..40).to_a==(1..40).to_a, (1..40).to_a==(1..39).to_a+[41]
