# Recorded from CRuby 4.1dev. The results of the detection depend on the version of ICU.
require "charlock_holmes"
text = "Größe, Straße und Übermut: ein deutscher Text mit einigen Umlauten, äöü, der lang genug ist. " * 3
p CharlockHolmes::EncodingDetector.detect(text)[:encoding]
p CharlockHolmes::EncodingDetector.new.detect_all(text).size > 1
p CharlockHolmes::EncodingDetector.detect("\xff\xfe" + "text".encode("UTF-16LE").b)[:type]
binary = CharlockHolmes::EncodingDetector.new.is_binary?("\x00\x01\x02" * 40)
p binary, CharlockHolmes::EncodingDetector.supported_encodings.include?("UTF-8")
latin = text.encode("ISO-8859-1")
p CharlockHolmes::Converter.convert(latin, "ISO-8859-1", "UTF-8") == text
p((CharlockHolmes::Converter.convert("x", "no", "UTF-8") rescue $!.class))
p (CharlockHolmes::EncodingDetector.detect(5) rescue $!.class)
