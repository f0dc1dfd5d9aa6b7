# Loaded before are-we-fast-yet's programs. They define a class Set of their own, which would reopen the Set that is a
# core class since Ruby 4.0 (Havlak then stops with a NoMethodError); so this removes the constant.

Object.send(:remove_const, :Set) if Object.const_defined?(:Set)
