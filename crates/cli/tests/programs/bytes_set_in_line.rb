# String#setbyte, in line for Strings that may be changed where they are.

def set(s, at, byte) = s.setbyte(at, byte)

def result
  yield
rescue IndexError, FrozenError, TypeError => e
  e.class
end

300.times { set(+"abc", 1, 0x41) }
300.times { set("abc" * 100, 150, 0x42) }

s = +"abc"
p set(s, 0, 0x7a), s, set(s, -1, 0x79), s, set(s, 1, 0x141), s
p result { set(s, 3, 1) }, result { set(s, -4, 1) }, result { set("abc".freeze, 0, 1) }, result { set(s, nil, 1) }
p result { set(:name.name, 0, 1) }, set(s, 0, 2**70 + 0x61), s

# The code range: bytes above 0x7f, and those that complete a character.
s = +"aé"
p s.valid_encoding?, set(s, 2, 0x61), s.valid_encoding?, set(s, 1, 0x62), s.valid_encoding?, s.ascii_only?
s = +"ab"
p s.ascii_only?, set(s, 0, 0xc3), s.ascii_only?, s.valid_encoding?, set(s, 1, 0xa9), s.valid_encoding?, s
s = "ab".b
p set(s, 0, 0xff), s.ascii_only?, s.valid_encoding?, set(s, 0, 0x61), s.ascii_only?

# Strings that share their bytes.
long = "x" * 1000
part = long[100..]
copy = long.dup
p set(long, 200, 0x79), part[100], copy[200], long[200], set(part, 0, 0x7a), long[100], part[0]
buffer = +"y" * 500
taken = buffer[0, 300]
buffer << "z" * 200
p set(buffer, 0, 0x41), taken[0], buffer[0]
