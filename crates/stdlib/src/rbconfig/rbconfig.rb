module RbConfig
  LIMITS = {
    "FIXNUM_MAX" => 0x3fff_ffff_ffff_ffff, "FIXNUM_MIN" => -0x4000_0000_0000_0000,
    "INT_MAX" => 0x7fff_ffff, "INT_MIN" => -0x8000_0000, "UINT_MAX" => 0xffff_ffff,
    "LONG_MAX" => 0x7fff_ffff_ffff_ffff, "LONG_MIN" => -0x8000_0000_0000_0000, "ULONG_MAX" => 0xffff_ffff_ffff_ffff,
    "CHAR_MAX" => 127, "CHAR_MIN" => -128, "SCHAR_MAX" => 127, "SCHAR_MIN" => -128, "UCHAR_MAX" => 255,
    "SHRT_MAX" => 0x7fff, "SHRT_MIN" => -0x8000, "USHRT_MAX" => 0xffff,
    "LLONG_MAX" => 0x7fff_ffff_ffff_ffff, "LLONG_MIN" => -0x8000_0000_0000_0000, "ULLONG_MAX" => 0xffff_ffff_ffff_ffff,
    "INT8_MAX" => 127, "INT8_MIN" => -128, "UINT8_MAX" => 255,
    "INT16_MAX" => 0x7fff, "INT16_MIN" => -0x8000, "UINT16_MAX" => 0xffff,
    "INT32_MAX" => 0x7fff_ffff, "INT32_MIN" => -0x8000_0000, "UINT32_MAX" => 0xffff_ffff,
    "INT64_MAX" => 0x7fff_ffff_ffff_ffff, "INT64_MIN" => -0x8000_0000_0000_0000, "UINT64_MAX" => 0xffff_ffff_ffff_ffff,
    "INTPTR_MAX" => 0x7fff_ffff_ffff_ffff, "INTPTR_MIN" => -0x8000_0000_0000_0000,
    "UINTPTR_MAX" => 0xffff_ffff_ffff_ffff,
    "SIZE_MAX" => 0xffff_ffff_ffff_ffff, "SSIZE_MAX" => 0x7fff_ffff_ffff_ffff,
    "PTRDIFF_MAX" => 0x7fff_ffff_ffff_ffff, "PTRDIFF_MIN" => -0x8000_0000_0000_0000,
  }.freeze

  SIZEOF = {
    "int" => 4, "short" => 2, "long" => 8, "long long" => 8, "void*" => 8, "float" => 4, "double" => 8,
    "size_t" => 8, "ssize_t" => 8, "ptrdiff_t" => 8, "intptr_t" => 8, "uintptr_t" => 8, "off_t" => 8, "time_t" => 8,
    "clock_t" => 8, "dev_t" => 8, "int8_t" => 1, "int16_t" => 2, "int32_t" => 4, "int64_t" => 8,
    "uint8_t" => 1, "uint16_t" => 2, "uint32_t" => 4, "uint64_t" => 8,
  }.freeze

  def self.expand(value, config = CONFIG)
    matched = $~
    expanded = value.gsub(/\$\$|\$\(([^()]+)\)|\$\{([^{}]+)\}/) do
      name = $1 || $2
      if name.nil?
        "$"
      elsif text = config[name]
        config[name] = false
        expand(text, config) if text.is_a?(String)
        config[name] = text
      else
        $&
      end
    end
    value.replace(expanded) unless value.frozen?
    expanded
  ensure
    $~ = matched
  end

  def self.fire_update!(*) = nil
end
