//! The two packers, as specified in marathon-images.md, section 5.1.

fn literal(units: &[&[u8]], out: &mut Vec<u8>) {
    if !units.is_empty() {
        out.push(units.len() as u8 - 1);
        units.iter().for_each(|unit| out.extend_from_slice(unit));
    }
}

fn run(unit: &[u8], count: usize, out: &mut Vec<u8>) {
    out.push((257 - count) as u8);
    out.extend_from_slice(unit);
}

/// Packs a row like packer A.
pub fn pieces(row: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    for piece in row.chunks(128) {
        let mut open: Vec<&[u8]> = vec![];
        let mut at = 0;
        while at < piece.len() {
            let equal = (at..piece.len()).take_while(|&i| piece[i] == piece[at]).count();
            if (open.is_empty() && equal >= 2) || equal >= 3 {
                literal(&open, &mut out);
                open.clear();
                run(&piece[at..=at], equal, &mut out);
                at += equal;
            } else {
                open.push(&piece[at..=at]);
                at += 1;
            }
        }
        literal(&open, &mut out);
    }
    out
}

/// Packs a row like packer B, with units of one or two bytes.
pub fn quickdraw(row: &[u8], next: &[u8], unit: usize) -> Vec<u8> {
    let units: Vec<&[u8]> = row.chunks(unit).chain(next.chunks(unit)).collect();
    let length = row.len() / unit;
    let starts =
        |i: usize| i + 1 < length && i + 2 < units.len() && units[i] == units[i + 1] && units[i] == units[i + 2];
    let mut out = vec![];
    let mut at = 0;
    while at < length {
        if starts(at) {
            let equal = (at..length).take_while(|&i| units[i] == units[at]).count().min(128);
            run(units[at], equal, &mut out);
            at += equal;
            continue;
        }
        let start = at;
        at += 1;
        while at < length && at - start < 128 && !(at - start < 127 && starts(at)) {
            at += 1;
        }
        literal(&units[start..at], &mut out);
    }
    out
}
