//! GGUF files, written.

use nucleus_sampler::model::Encoding;

/// A metadata value.
#[derive(Clone, Debug)]
pub enum Value {
    Integer(u32),
    Float(f32),
    Text(String),
    Texts(Vec<String>),
    Integers(Vec<i32>),
}

/// A tensor; `bytes` are its rows in the encoding.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub rows: usize,
    pub columns: usize,
    pub encoding: Encoding,
    pub bytes: Vec<u8>,
}

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub metadata: Vec<(String, Value)>,
    pub tensors: Vec<Tensor>,
}

pub fn text(to: &mut Vec<u8>, text: &str) {
    to.extend((text.len() as u64).to_le_bytes());
    to.extend(text.as_bytes());
}

impl File {
    /// Changes or adds a metadata value.
    pub fn set(&mut self, key: &str, value: Value) {
        self.metadata.retain(|(other, _)| other != key);
        self.metadata.push((key.into(), value));
    }

    pub fn tensor(&mut self, name: &str) -> &mut Tensor {
        self.tensors.iter_mut().find(|tensor| tensor.name == name).unwrap()
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut file = b"GGUF".to_vec();
        file.extend(3u32.to_le_bytes());
        file.extend((self.tensors.len() as u64).to_le_bytes());
        file.extend((self.metadata.len() as u64).to_le_bytes());
        for (key, value) in &self.metadata {
            text(&mut file, key);
            put(&mut file, value);
        }
        let mut offset = 0;
        for tensor in &self.tensors {
            text(&mut file, &tensor.name);
            let dims = [tensor.columns as u64, tensor.rows as u64];
            let dims = if tensor.rows == 1 { &dims[..1] } else { &dims[..] };
            file.extend((dims.len() as u32).to_le_bytes());
            dims.iter().for_each(|dim| file.extend(dim.to_le_bytes()));
            file.extend(tensor.encoding.number().to_le_bytes());
            file.extend((offset as u64).to_le_bytes());
            offset += tensor.bytes.len().next_multiple_of(32);
        }
        for tensor in &self.tensors {
            file.resize(file.len().next_multiple_of(32), 0);
            file.extend(&tensor.bytes);
        }
        file
    }
}

fn put(to: &mut Vec<u8>, value: &Value) {
    let kind = |to: &mut Vec<u8>, kind: u32| to.extend(kind.to_le_bytes());
    match value {
        Value::Integer(number) => {
            kind(to, 4);
            to.extend(number.to_le_bytes());
        }
        Value::Float(number) => {
            kind(to, 6);
            to.extend(number.to_le_bytes());
        }
        Value::Text(string) => {
            kind(to, 8);
            text(to, string);
        }
        Value::Texts(texts) => {
            kind(to, 9);
            kind(to, 8);
            to.extend((texts.len() as u64).to_le_bytes());
            texts.iter().for_each(|string| text(to, string));
        }
        Value::Integers(numbers) => {
            kind(to, 9);
            kind(to, 5);
            to.extend((numbers.len() as u64).to_le_bytes());
            numbers.iter().for_each(|number| to.extend(number.to_le_bytes()));
        }
    }
}
