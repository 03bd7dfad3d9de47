//! Loading: the bytes of a file as they come, each tensor straight into its place.
//!
//! The header is collected until it is whole. Then each tensor gets memory of its own when its first byte comes, and is
//! packed, in place, when its last has come; so at the end there is nothing left to do, and never more memory is taken
//! than the file has bytes.

use super::config::Config;
use super::gguf::{Header, Progress, TensorInfo, VocabularyData};
use super::layout;
use super::matrix::padded_bytes;
use super::session::Model;
use super::weights::Tensors;
use crate::error::{Error, Result};

/// A file that is being loaded.
#[derive(Debug)]
pub struct Loader {
    /// The length of the whole, where it is known.
    size: Option<u64>,
    /// Bytes that have come.
    n_bytes: u64,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// The bytes of the header so far; how many the file has at least, as far as is known; and from how many on it is
    /// worth reading.
    Header {
        collected: Vec<u8>,
        needed: u64,
        wanted: u64,
    },
    Data(Box<Data>),
}

/// The part after the header.
struct Data {
    config: Config,
    vocabulary: VocabularyData,
    /// Where tensors' bytes begin.
    begin: u64,
    /// Those that have not come whole, first one first.
    waiting: std::vec::IntoIter<TensorInfo>,
    /// The one that is coming, and its bytes so far.
    coming: Option<(TensorInfo, Vec<u8>)>,
    tensors: Tensors,
    /// The length that the file must have.
    needed: u64,
}

impl core::fmt::Debug for Data {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Data").field("config", &self.config).finish_non_exhaustive()
    }
}

fn cut(found: u64, expected: u64) -> Error {
    let length = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Error::WrongLength { what: "the file", found: length(found), expected: length(expected) }
}

impl Loader {
    /// A loader that has seen nothing yet, of a file of `size` bytes where that is known.
    pub fn new(size: Option<u64>) -> Loader {
        Loader {
            size,
            n_bytes: 0,
            stage: Stage::Header { collected: Vec::new(), needed: 4, wanted: 0 },
        }
    }

    /// Bytes that the file must have, as soon as its header has come.
    pub fn needed(&self) -> Option<u64> {
        match &self.stage {
            Stage::Header { .. } => None,
            Stage::Data(data) => Some(data.needed),
        }
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    ///
    /// What is wrong with the file; nothing more can be loaded then.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match &mut self.stage {
                Stage::Data(data) => {
                    data.push(self.n_bytes, bytes)?;
                    self.n_bytes += bytes.len() as u64;
                    return Ok(());
                }
                Stage::Header { collected, wanted, .. } => {
                    // No more than is wanted, so that little is collected that is no header.
                    let missing = wanted.saturating_sub(collected.len() as u64).max(1 << 16);
                    let n = usize::try_from(missing).unwrap_or(usize::MAX).min(bytes.len());
                    let (first, rest) = bytes.split_at(n);
                    collected.try_reserve(n).map_err(|_| no_memory())?;
                    collected.extend_from_slice(first);
                    self.n_bytes += n as u64;
                    bytes = rest;
                    if collected.len() as u64 >= *wanted {
                        self.read_header()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads what was collected, when it is a whole header.
    fn read_header(&mut self) -> Result<()> {
        let Stage::Header { collected, needed, wanted } = &mut self.stage else { return Ok(()) };
        match Header::read(collected)? {
            Progress::Cut(found) => {
                if let Some(size) = self.size.filter(|size| found > *size) {
                    return Err(cut(size, found));
                }
                // Twice as much: reading it again and again costs no more than reading it twice.
                (*needed, *wanted) = (found, found.max(2 * collected.len() as u64));
            }
            Progress::Whole(header) => {
                let collected = core::mem::take(collected);
                let mut data = Data::new(header, self.size)?;
                let begin = usize::try_from(data.begin).unwrap_or(usize::MAX);
                data.push(data.begin, collected.get(begin..).unwrap_or_default())?;
                self.stage = Stage::Data(Box::new(data));
            }
        }
        Ok(())
    }

    /// The model, when all bytes have come.
    ///
    /// # Errors
    ///
    /// A file that is cut short.
    pub fn finish(mut self) -> Result<Model> {
        self.read_header()?;
        match self.stage {
            Stage::Header { needed, .. } => Err(cut(self.n_bytes, needed)),
            Stage::Data(data) => {
                if self.n_bytes < data.needed {
                    return Err(cut(self.n_bytes, data.needed));
                }
                Ok(Model::new(data.tensors.assemble(data.config)?, data.vocabulary))
            }
        }
    }
}

fn no_memory() -> Error {
    Error::NoMemory { what: "the model" }
}

impl Data {
    /// Checks everything that the header says.
    fn new(mut header: Header, size: Option<u64>) -> Result<Data> {
        let config = Config::new(&header)?;
        layout::check(&config, &header.tensors)?;
        let needed = header.n_bytes();
        if let Some(size) = size.filter(|size| needed > *size) {
            return Err(cut(size, needed));
        }
        Ok(Data {
            config,
            vocabulary: VocabularyData::take(&mut header.metadata)?,
            begin: header.data_begin,
            waiting: header.tensors.into_iter(),
            coming: None,
            tensors: Tensors::default(),
            needed,
        })
    }

    /// Takes bytes that begin at `place` of the file.
    fn push(&mut self, mut place: u64, mut bytes: &[u8]) -> Result<()> {
        loop {
            if self.coming.is_none() {
                self.coming = self.waiting.next().map(|tensor| (tensor, Vec::new()));
            }
            let Some((tensor, data)) = &mut self.coming else { return Ok(()) };
            let begin = self.begin + tensor.offset + data.len() as u64;
            let Some(rest) = usize::try_from(begin.saturating_sub(place))
                .ok()
                .and_then(|skip| bytes.get(skip..))
            else {
                return Ok(());
            };
            place = place.max(begin);
            let missing = tensor.n_bytes() - data.len() as u64;
            let n = usize::try_from(missing).unwrap_or(usize::MAX).min(rest.len());
            let (first, rest) = rest.split_at(n);
            if data.is_empty() && n > 0 {
                reserve(tensor, data)?;
            }
            data.extend_from_slice(first);
            (place, bytes) = (place + n as u64, rest);
            if (data.len() as u64) < tensor.n_bytes() {
                return Ok(());
            }
            if let Some((tensor, data)) = self.coming.take() {
                self.tensors.insert(&tensor, data)?;
            }
        }
    }
}

/// Memory for all of a tensor.
fn reserve(tensor: &TensorInfo, data: &mut Vec<u8>) -> Result<()> {
    let n = usize::try_from(padded_bytes(tensor)).map_err(|_| no_memory())?;
    data.try_reserve_exact(n).map_err(|_| no_memory())
}
