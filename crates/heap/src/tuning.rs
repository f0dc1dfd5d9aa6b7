//! The growth policy, and the `RUBY_GC_*` variables that steer it.

/// What the variables set.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    pub init_bytes: usize,
    pub oldobject_limit_factor: f64,
    pub free_slots_goal_ratio: f64,
    pub malloc_limit: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { init_bytes: 16 << 20, oldobject_limit_factor: 2.0, free_slots_goal_ratio: 0.1, malloc_limit: 16 << 20 }
    }
}

impl Tuning {
    pub(crate) fn first_full_limit(&self) -> usize {
        self.init_bytes
    }

    pub(crate) fn full_limit(&self, survived: usize) -> usize {
        let limit = survived as f64 * self.oldobject_limit_factor;
        (limit as usize).max(survived + self.init_bytes / 2).max(self.init_bytes)
    }

    pub(crate) fn kept_free(&self, live: usize) -> usize {
        (live as f64 * self.free_slots_goal_ratio) as usize
    }

    pub(crate) fn large_limit(&self) -> usize {
        self.malloc_limit
    }
}
