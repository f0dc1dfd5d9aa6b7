# Compiles a style sheet with mixins, functions and nesting.
require_relative "harness"
require "sass"

HEAD = <<~SCSS
  $c: #336699;
  @mixin box($w, $h: 10px) { width: $w; height: $h; &:hover { color: lighten($c, 10%); } }
  @function dbl($n) { @return $n * 2; }
SCSS
RULES = (1..60).map do |i|
  <<~SCSS
    .a#{i} { @include box(#{i}px, dbl(#{i}px));
      .b { color: darken($c, #{i % 20}%); margin: { top: #{i}px; left: 2px * #{i}; }
        &.x > p { border: 1px solid mix($c, #fff, 30%); } }
      @if #{i} > 30 { float: left; } @else { float: right; } }
  SCSS
end

measure { Sass::Engine.new(HEAD + RULES.join, syntax: :scss, cache: false).render.size }
