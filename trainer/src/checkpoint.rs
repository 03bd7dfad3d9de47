//! Checkpoints: everything that resuming needs, written beside the old one and then put in its place.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::optimizer::Weights;

const MAGIC: &[u8; 8] = b"NUCLEUS1";

/// A state of training.
pub struct Checkpoint {
    /// Steps done.
    pub step: u64,
    /// Of the corpus's tokens.
    pub fingerprint: u64,
    /// The best bits a byte on `valid/` so far.
    pub best: f64,
    pub weights: Weights,
}

impl Checkpoint {
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let new = path.with_extension("new");
        let mut file = BufWriter::new(File::create(&new)?);
        file.write_all(MAGIC)?;
        for word in
            [self.step, self.fingerprint, self.best.to_bits(), self.weights.params.len() as u64]
        {
            file.write_all(&word.to_le_bytes())?;
        }
        let weights = &self.weights;
        for values in [&weights.params, &weights.first, &weights.second, &weights.averaged] {
            for value in values {
                file.write_all(&value.to_le_bytes())?;
            }
        }
        file.into_inner()?.sync_all()?;
        fs::rename(new, path)
    }

    /// The checkpoint at `path`, which must hold `n` parameters; none if there is no file.
    pub fn read(path: &Path, n: usize) -> Result<Option<Checkpoint>, String> {
        let say = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|error| say(&error))?,
        };
        let mut file = BufReader::new(file);
        let mut word = || {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes).map(|()| bytes)
        };
        let mut words = [[0; 8]; 5];
        for slot in &mut words {
            *slot = word().map_err(|error| say(&error))?;
        }
        let [magic, step, fingerprint, best, found] = words;
        if &magic != MAGIC {
            return Err(say(&"not a checkpoint"));
        }
        let found = u64::from_le_bytes(found);
        if found != n as u64 {
            return Err(say(&format!("it holds {found} parameters, and the model has {n}")));
        }
        let mut values = || {
            let mut bytes = vec![0; 4 * n];
            file.read_exact(&mut bytes).map_err(|error| say(&error))?;
            let number = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            Ok::<Vec<f32>, String>(bytes.chunks_exact(4).map(number).collect())
        };
        let weights =
            Weights { params: values()?, first: values()?, second: values()?, averaged: values()? };
        Ok(Some(Checkpoint {
            step: u64::from_le_bytes(step),
            fingerprint: u64::from_le_bytes(fingerprint),
            best: f64::from_bits(u64::from_le_bytes(best)),
            weights,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_another_size_is_an_error() {
        let folder =
            std::env::temp_dir().join(format!("nucleus-checkpoint-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("state");
        let values = |x: f32| vec![x, -x, 0.5];
        let weights = Weights {
            params: values(1.0),
            first: values(2.0),
            second: values(3.0),
            averaged: values(4.0),
        };
        Checkpoint { step: 7, fingerprint: 8, best: 1.5, weights }.write(&path).unwrap();
        let found = Checkpoint::read(&path, 3).unwrap().unwrap();
        assert_eq!((found.step, found.fingerprint, found.best), (7, 8, 1.5));
        assert_eq!(found.weights.averaged, values(4.0));
        assert!(Checkpoint::read(&path, 4).err().unwrap().contains("3 parameters"));
        assert!(Checkpoint::read(&folder.join("none"), 3).unwrap().is_none());
        fs::write(&path, b"short").unwrap();
        assert!(Checkpoint::read(&path, 3).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
