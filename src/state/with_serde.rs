//! Samplers through any of serde's formats: a sampler is written as its state, and read as the sampler of a state.
//!
//! The format must say itself what it holds, as JSON, TOML or MessagePack do: a state is plain data, not a fixed record.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::sampler::Sampler;
use crate::value::Value;

impl Serialize for Sampler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.state().map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Sampler {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sampler, D::Error> {
        Sampler::from_state(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
