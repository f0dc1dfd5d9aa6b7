# Numbers from texts.
require "bigdecimal" rescue nil

NUMERALS = ["0", "12", "-1_000", "0x1f", "0b101", "0o17", "017", "1.5", "-.5", "1e10", "1e-400", "1e400", "1/3",
  "-1.5/2.5", "1+2i", "3i", "i", "1@2", "1e5/3+2i", "0x1.8p3", "1__0",
            "9" * 400, "1e99999999999", "1/0", " 12 ", "\u0661", "1.#{"0" * 300}1", "0x#{"f" * 300}", "0x.8p-2000",
              "NaN", "Infinity", "4.9e-324", "2.2250738585072011e-308"]
PARTS = Kit::PIECES + %w[0x 0b 0o e+ E- / i j @ _ __ .5 1. p10 r 0d z Z]

def attempt
  text = Kit.changed(Kit.pick(NUMERALS), PARTS)
  text = text.dup.force_encoding(Kit.pick(["UTF-16LE", "UTF-32BE", "EUC-JP"])) if Kit.roll(15) == 0
  base = Kit.pick([2, 8, 10, 16, 36, 0, -2, -10, -36, 1, 37, 2**40])
  # A Rational with such an exponent has as many digits, so the exponent is mostly limited.
  text = text.gsub(/(?<=e)([-+]?)\d{6,}/in, "\\199999") if text.encoding.ascii_compatible? && Kit.roll(50) > 0
  reads text, base
  try { Integer(text) }
  try { Integer(text, base) }
  try { Integer(text, exception: false) }
  try { text.to_i(base) }
  try { Float(text) }
  try { text.to_f }
  try { Rational(text) }
  try { text.to_r }
  try { Rational(text, Kit.pick(["3", "0", 1.5, 2])) }
  try { Complex(text) }
  try { text.to_c }
  try { Complex(text, "2/3", exception: false) }
  try { text.hex + text.oct + text.sum }
  try { BigDecimal(text).to_s } if defined?(BigDecimal)
  try { text.succ.to_i ** 2 }
  try { (text..).first(3) }
  try { text.upto(text.succ, Kit.roll(2) == 0).first(3) }
  try { Random.rand(Float(text)..) }
  try { eval("[#{text}]") if text.match?(/\A[0-9a-fxobei._r]+\z/) }
end
