# Names of time zones that occur in texts.
# shareable_constant_value: experimental_everything

class Date
  # Seconds east of Greenwich, and the names of the zones with that offset.
  NAMES_OF_OFFSETS = {
    -43200 => "aoe, dateline, idlw, y",
    -39600 => "nt, nut, samoa, sst, x",
    -36000 => "ahst, ckt, hast, hawaiian, hst, taht, w",
    -32400 => "akst, alaskan, gamt, hadt, hdt, v, yst",
    -30600 => "mart",
    -28800 => "akdt, pacific, pst, u, ydt",
    -25200 => "mountain, mst, pdt, t, us mountain",
    -21600 => "canada central, central, central america, cst, east, galt, mdt, mexico, s",
    -18000 => "act, cdt, cist, cot, easst, eastern, ect, est, pet, r, sa pacific, us eastern",
    -14400 => "ast, atlantic, bot, cidst, clt, edt, fkt, gyt, pacific sa, q, sa western, vet",
    -12600 => "newfoundland",
    -10800 => "adt, art, brt, clst, e. south america, fkst, gft, greenland, p, pmst, pyst, rott, sa eastern, srt, uyt, warst, wgt",
    -9000 => "nst",
    -7200 => "at, brst, fnt, mid-atlantic, o, pmdt, uyst, wgst",
    -5400 => "ndt",
    -3600 => "azores, azot, cape verde, cvt, egt, n",
    0 => "azost, egst, gmt, greenwich, ut, utc, wet, wt, z",
    3600 => "a, bst, central europe, central european, cet, fwt, met, mewt, mez, romance, swt, w. central africa, w. europe, wat, west",
    7200 => "b, cat, cest, e. europe, eet, egypt, fle, fst, gtb, jerusalem, mest, mesz, sast, south africa, wast",
    10800 => "arab, arabic, bt, c, e. africa, eat, eest, fet, idt, msk, russian, syot, trt",
    12600 => "iran, irst",
    14400 => "arabian, azt, caucasus, d, get, kuyt, msd, mut, ret, samt, sct, zp4",
    16200 => "afghanistan, aft, irdt",
    18000 => "aqtt, azst, e, ekaterinburg, mawt, mvt, orat, pkt, tft, tjt, tmt, uzt, west asia, yekt, zp5",
    19800 => "india, ist",
    20700 => "nepal, npt",
    21600 => "almt, btt, central asia, f, iot, kgt, n. central asia, omst, qyzt, sri lanka, vost, yekst, zp6",
    23400 => "cct, mmt, myanmar",
    25200 => "cxt, davt, g, hovt, ict, krat, north asia, novst, novt, omsst, se asia, wib",
    28800 =>
      "awst, bnt, cast, china, chot, h, hkt, hovst, irkt, krast, malay peninsula, myt, north asia east, pht, sgt, taipei, ulat, " \
      "w. australia, wadt, wita",
    31500 => "acwst",
    32400 => "awdt, chost, i, irkst, jst, korea, kst, pwt, tlt, tokyo, ulast, wit, yakt, yakutsk",
    34200 => "acst, aus central, cen. australia",
    36000 => "aest, aus eastern, chst, chut, ddut, e. australia, gst, k, pgt, tasmania, vladivostok, vlat, west pacific, yakst, yapt",
    37800 => "acdt, lhst",
    39600 => "aedt, central pacific, eadt, kost, l, lhdt, magt, nct, nft, pont, sakt, sbt, sret, vlast, vut",
    43200 => "anast, anat, fiji, fjt, gilt, idle, m, magst, mht, new zealand, nfdt, nrt, nzst, nzt, petst, pett, tvt, wakt, wft",
    45900 => "chast",
    46800 => "fjst, nzdt, phot, tkt, tonga, tot",
    49500 => "chadt",
    50400 => "lint, tost",
  }.freeze
  ZONES = NAMES_OF_OFFSETS.flat_map { |seconds, names| names.split(", ").map { |name| [name, seconds] } }.to_h.freeze
  private_constant :NAMES_OF_OFFSETS, :ZONES

  class << self
    private

    # The offset in seconds of a zone given by name or number; nil if it is neither.
    def zone_to_diff(zone)
      name = zone.downcase
      if (seconds = ZONES[name])
        return seconds
      end
      name = name.strip.gsub(/\s+/, " ")
      summer = name.delete_suffix!(" standard time").nil? &&
        !(name.delete_suffix!(" daylight time") || name.delete_suffix!(" dst")).nil?
      if (seconds = ZONES[name])
        return summer ? seconds + 3600 : seconds
      end
      name = name.sub(/\A(?:gmt|utc)(?=[-+])/, "")
      sign = name.start_with?("-") ? -1 : 1
      seconds =
        case name
        when /\A[-+](\d+):(\d+)(?::(\d+))?/
          clock($1.to_i, $2.to_i, $3.to_i)
        when /\A[-+](\d+)[,.](\d+)/
          hours, digits = $1.to_i, $2
          seconds = hours * 3600 + Rational(digits.to_i * 3600, 10**digits.size)
          (digits.size <= 7 && seconds.denominator == 1) || digits.size > 7 ? seconds.round : seconds if hours <= 23
        when /\A[-+](\d+)/
          digits = $1
          digits = "0" + digits if digits.size.odd?
          digits[0, 2].to_i * 3600 + digits[2, 2].to_i * 60 + digits[4, 2].to_i
        end
      seconds && sign * seconds
    end

    def clock(hours, minutes, seconds)
      hours * 3600 + minutes * 60 + seconds if hours <= 23 && minutes <= 59 && seconds <= 59
    end
  end
end
