class Array
  # With a block, a copy is sorted stably: runs of a few elements by insertion, which are then merged in pairs.
  def sort
    return __plainly_sorted unless defined?(yield)
    from = [*self]
    count = Primitive.array_length(from)
    width = 6
    start = 0
    while start < count
      finish = start + width
      finish = count if finish > count
      i = start + 1
      while i < finish
        x = Primitive.array_at(from, i)
        at = i
        while at > start
          before = Primitive.array_at(from, at - 1)
          order = yield(before, x)
          order = Primitive.comparison_result(order, before, x) unless Primitive.is_integer(order)
          break if order <= 0
          from[at] = before
          at -= 1
        end
        from[at] = x
        i += 1
      end
      start = finish
    end
    to = count > width ? [*from] : nil
    while width < count
      start = 0
      while start < count
        middle = start + width
        middle = count if middle > count
        finish = middle + width
        finish = count if finish > count
        # The end of the first run is compared with the start of the second one at first: often both are in order.
        i = middle - 1
        j = middle
        k = start
        begins = true
        while i < middle && j < finish
          left = Primitive.array_at(from, i)
          right = Primitive.array_at(from, j)
          order = yield(left, right)
          order = Primitive.comparison_result(order, left, right) unless Primitive.is_integer(order)
          if begins
            begins = false
            i = start
            break if order <= 0
          elsif order <= 0
            to[k] = left
            k += 1
            i += 1
          else
            to[k] = right
            k += 1
            j += 1
          end
        end
        i = start if begins
        while i < middle
          to[k] = Primitive.array_at(from, i)
          k += 1
          i += 1
        end
        while j < finish
          to[k] = Primitive.array_at(from, j)
          k += 1
          j += 1
        end
        start = finish
      end
      sorted = to
      to = from
      from = sorted
      width *= 2
    end
    from
  end

  # The elements are sorted in a copy, so that a block that reads the receiver sees it unsorted.
  def sort!
    Primitive.check_frozen(self)
    sorted = defined?(yield) ? Primitive.core(self).sort(&Primitive.own_block) : __plainly_sorted
    Primitive.check_frozen(self)
    Primitive.core(self).replace(sorted)
  end
end
