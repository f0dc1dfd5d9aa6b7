//! A pool of unused stacks, the most recently used on top.

/// The minimum number of stacks that keep their pages: about half of those that a program can drop between two
/// collections.
const WARM: usize = 1024;

/// The largest number of stacks that keep their pages.
const MOST_WARM: usize = 16 * WARM;

/// The topmost `warm` stacks may have pages, those below have none; the `cooled` topmost ones of these had some.
pub struct Pool<T> {
    free: Vec<T>,
    warm: usize,
    cooled: usize,
    /// How many keep their pages. It grows by each stack that was cooled and is needed again: a program that drops and
    /// starts that many fibers again and again would get pages from the system each time.
    kept: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { free: Vec::new(), warm: 0, cooled: 0, kept: WARM }
    }
}

impl<T> Pool<T> {
    pub fn take(&mut self) -> Option<T> {
        if self.warm > 0 {
            self.warm -= 1;
        } else if self.cooled > 0 {
            self.cooled -= 1;
            self.kept = (self.kept + 1).min(MOST_WARM);
        }
        self.free.pop()
    }

    /// Adds stacks that were never accessed, if the pool is empty.
    pub fn fill(&mut self, fresh: impl Iterator<Item = T>) {
        debug_assert!(self.free.is_empty());
        self.free.extend(fresh);
    }

    /// Returns a stack. If too many are warm, `cool` returns the pages of the least recently used ones to the system.
    pub fn give_back(&mut self, stack: T, cool: impl Fn(&T)) {
        self.free.push(stack);
        self.warm += 1;
        if self.warm >= 2 * self.kept {
            let first = self.free.len() - self.warm;
            self.free[first..first + self.kept].iter().for_each(cool);
            self.warm -= self.kept;
            self.cooled += self.kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    #[test]
    fn cools_those_that_wait_longest_and_each_once() {
        let mut pool = Pool::default();
        let cooled = RefCell::new(Vec::new());
        for number in 0..3 * WARM {
            pool.give_back(number, |stack| cooled.borrow_mut().push(*stack));
        }
        assert_eq!(*cooled.borrow(), (0..2 * WARM).collect::<Vec<_>>());
        for _ in 0..1000 {
            let top = pool.take().unwrap();
            pool.give_back(top, |stack| cooled.borrow_mut().push(*stack));
        }
        assert_eq!(cooled.borrow().len(), 2 * WARM);
    }

    #[test]
    fn keeps_as_many_warm_as_are_needed_again() {
        let mut pool = Pool::default();
        pool.fill(0..4 * WARM);
        let mut cooled = 0;
        for _ in 0..5 {
            let taken: Vec<usize> = (0..4 * WARM).map(|_| pool.take().unwrap()).collect();
            let before = cooled;
            let count = Cell::new(before);
            taken.into_iter().for_each(|stack| pool.give_back(stack, |_| count.set(count.get() + 1)));
            cooled = count.get();
            if pool.kept > 2 * WARM {
                assert_eq!(cooled, before, "a pool of this size is not cooled any more");
            }
        }
        assert!(pool.kept > 2 * WARM && pool.kept <= MOST_WARM);
    }
}
