//! A pool of unused stacks, the most recently used on top.

/// The minimum number of stacks that keep their pages: about half of those that a program can drop between two
/// collections.
const WARM: usize = 1024;

/// The topmost `warm` stacks may have pages, those below have none.
pub struct Pool<T> {
    free: Vec<T>,
    warm: usize,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { free: Vec::new(), warm: 0 }
    }
}

impl<T> Pool<T> {
    pub fn take(&mut self) -> Option<T> {
        self.warm = self.warm.saturating_sub(1);
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
        if self.warm >= 2 * WARM {
            let first = self.free.len() - self.warm;
            self.free[first..first + WARM].iter().for_each(cool);
            self.warm -= WARM;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

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
}
