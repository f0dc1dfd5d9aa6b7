# Renders a page from a template: rows of a table, escaped.
require "erb"
Row = Struct.new(:name, :price, :note)
rows = Array.new(4_000) { |i| Row.new("Name <#{i}>", i * 0.5, i % 3 == 0 ? "\"q\" & é" : nil) }
template = ERB.new(<<~HTML, trim_mode: "-")
  <table>
  <%- rows.each_with_index do |row, i| -%>
    <tr class="<%= i.even? ? "even" : "odd" %>">
      <td><%= ERB::Util.h(row.name) %></td><td><%= format("%.2f", row.price) %></td>
      <%- if row.note -%>
      <td><%= ERB::Util.html_escape(row.note) %></td>
      <%- end -%>
    </tr>
  <%- end -%>
  </table>
HTML
page = nil
20.times { page = template.result(binding) }
puts page.size, page.lines[4..7].join
