// What a GGUF file says of itself: its metadata, and how many numbers it has in which encoding.

/** Readers of single values by GGUF's number for their type; texts and lists are read by what these give. */
const numbers = {
  0: (view, at) => [view.getUint8(at), 1],
  4: (view, at) => [view.getUint32(at, true), 4],
  5: (view, at) => [view.getInt32(at, true), 4],
  6: (view, at) => [view.getFloat32(at, true), 4],
  7: (view, at) => [view.getUint8(at) === 1, 1],
};
const textType = 8;
const listType = 9;
const encodings = { 0: "F32", 8: "Q8_0" };

/** Reads one value after the other. */
function reader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let at = 0;
  const number = (type) => {
    if (!(type in numbers))
      throw new Error(`the file has a value of GGUF's type ${type}, which is not read here`);
    const [value, size] = numbers[type](view, at);
    at += size;
    return value;
  };
  const length = () => {
    at += 8;
    return Number(view.getBigUint64(at - 8, true));
  };
  const text = () => {
    const n = length();
    at += n;
    return utf8.decode(bytes.subarray(at - n, at));
  };
  const value = (type) => {
    if (type === textType) return text();
    if (type !== listType) return number(type);
    const [inner, n] = [number(4), length()];
    return Array.from({ length: n }, () => value(inner));
  };
  return { u32: () => number(4), length, text, value };
}

/** `{ metadata, tensors: [{ name, encoding, n }] }` of a file whose matrices are Q8_0 or F32. */
export function described(bytes) {
  const read = reader(bytes);
  // The four letters and the version.
  read.u32();
  read.u32();
  const [nTensors, nValues] = [read.length(), read.length()];
  const metadata = {};
  for (let i = 0; i < nValues; i++) {
    const key = read.text();
    metadata[key] = read.value(read.u32());
  }
  const tensors = Array.from({ length: nTensors }, () => {
    const name = read.text();
    const dims = Array.from({ length: read.u32() }, read.length);
    const encoding = read.u32();
    read.length(); // where it begins
    if (!(encoding in encodings))
      throw new Error(`${name} has GGUF's encoding ${encoding}, which is not named here`);
    return { name, encoding: encodings[encoding], n: dims.reduce((product, dim) => product * dim, 1) };
  });
  return { metadata, tensors };
}
