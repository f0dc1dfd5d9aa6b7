# An exponent that is an exact zero of any class.
p (2 + 3i)**0r, (1.5 - 2i)**0r, (2 + 3i)**Complex(0, 0), (2 + 3i)**Complex(0r, 0)
