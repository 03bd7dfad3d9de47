//! What every sampler is asked for.

pub const TEMPERATURE: f64 = 0.8;
pub const TOP_K: usize = 40;
pub const TOP_P: f64 = 0.95;
pub const MIN_P: f64 = 0.05;
pub const SEED: u64 = 42;

pub const TOP_P_ONLY: &str = "top-p";
pub const TOP_K_TOP_P: &str = "top-k + top-p";
pub const TOP_P_MIN_P: &str = "top-p + min-p";
