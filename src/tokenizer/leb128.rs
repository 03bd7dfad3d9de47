//! LEB128: numbers of seven bits a byte, lowest first, as the tables of this module hold them.

/// The next number; bytes that are missing count as 0.
pub(super) fn read(bytes: &mut impl Iterator<Item = u8>) -> u32 {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let byte = bytes.next().unwrap_or(0);
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

/// The next number, signed by zigzag: 0, -1, 1, -2 and so on.
pub(super) fn read_signed(bytes: &mut impl Iterator<Item = u8>) -> i32 {
    let number = read(bytes);
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_byte_and_more() {
        let mut bytes = [5, 0x80, 1, 0xff, 0xff, 0x43].into_iter();
        assert_eq!([(); 3].map(|()| read(&mut bytes)), [5, 128, 0x10_ffff]);
        assert_eq!(read(&mut bytes), 0);
    }

    #[test]
    fn signed_numbers() {
        let mut bytes = [0, 1, 2, 3, 0x80, 1].into_iter();
        assert_eq!([(); 5].map(|()| read_signed(&mut bytes)), [0, -1, 1, -2, 64]);
    }
}
