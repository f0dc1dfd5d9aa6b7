# Parses and writes a message with two parts.
require_relative "harness"
require "mail"

TEXT = <<~MAIL.gsub("\n", "\r\n")
  From: "Ann, Writer" <ann@example.com>
  To: Bob <bob@example.com>, =?UTF-8?B?R8O8bnRlcg==?= <g@example.com>
  Cc: list@example.com
  Subject: =?UTF-8?Q?Caf=C3=A9_and_more?=
  Date: Mon, 23 Nov 2026 10:11:12 +0100
  Message-ID: <1234@example.com>
  Received: from a.example.com by b.example.com with ESMTP id 77; Mon, 23 Nov 2026 10:11:10 +0100
  MIME-Version: 1.0
  Content-Type: multipart/mixed; boundary="sep"

  --sep
  Content-Type: text/plain; charset=UTF-8
  Content-Transfer-Encoding: quoted-printable

  Hello =C3=A9,
  a line that is continued=
   here.
  --sep
  Content-Type: application/octet-stream; name="data.bin"
  Content-Transfer-Encoding: base64
  Content-Disposition: attachment; filename="data.bin"

  #{["0123456789" * 100].pack("m")}
  --sep--
MAIL

measure do
  10.times do
    mail = Mail.new(TEXT)
    [mail.subject, mail.from, mail.to, mail.parts.map { |part| part.decoded.size }, mail.date.to_s, mail.to_s.size]
  end
end
