//! The numbers of resource types, and the file name extensions that they stand for.
//!
//! Source: [`nwn-other.md`](formats::nwn_other), section 1.

use field::Text;
use field::names;

macro_rules! types {
    ($($name:ident $(as $text:literal)? = $number:literal;)*) => {
        names! {
            /// The type of a resource in an ERF or a KEY. Source: `nwn-other.md`, section 1.
            pub struct ResourceType(U16: u16) {
                $(#[doc = concat!("Number ", stringify!($number), ".")] $name $(as $text)? = $number;)*
            }
        }

        names! {
            /// The type of a resource in a BIF. Source: `nwn-other.md`, section 1.
            pub struct WideResourceType(U32: u32) {
                $(#[doc = concat!("Number ", stringify!($number), ".")] $name $(as $text)? = $number;)*
            }
        }
    };
}

types! {
    RES = 0;
    BMP = 1;
    MVE = 2;
    TGA = 3;
    WAV = 4;
    WFX = 5;
    PLT = 6;
    INI = 7;
    BMU = 8;
    MPG = 9;
    TXT = 10;
    PLH = 2000;
    TEX = 2001;
    MDL = 2002;
    THG = 2003;
    FNT = 2005;
    LUA = 2007;
    SLT = 2008;
    NSS = 2009;
    NCS = 2010;
    MOD = 2011;
    ARE = 2012;
    SET = 2013;
    IFO = 2014;
    BIC = 2015;
    WOK = 2016;
    TWO_DA as "2DA" = 2017;
    TLK = 2018;
    TXI = 2022;
    GIT = 2023;
    BTI = 2024;
    UTI = 2025;
    BTC = 2026;
    UTC = 2027;
    DLG = 2029;
    ITP = 2030;
    BTT = 2031;
    UTT = 2032;
    DDS = 2033;
    BTS = 2034;
    UTS = 2035;
    LTR = 2036;
    GFF = 2037;
    FAC = 2038;
    BTE = 2039;
    UTE = 2040;
    BTD = 2041;
    UTD = 2042;
    BTP = 2043;
    UTP = 2044;
    DFT = 2045;
    GIC = 2046;
    GUI = 2047;
    CSS = 2048;
    CCS = 2049;
    BTM = 2050;
    UTM = 2051;
    DWK = 2052;
    PWK = 2053;
    BTG = 2054;
    UTG = 2055;
    JRL = 2056;
    SAV = 2057;
    UTW = 2058;
    FOUR_PC as "4PC" = 2059;
    SSF = 2060;
    HAK = 2061;
    NWM = 2062;
    BIK = 2063;
    NDB = 2064;
    PTM = 2065;
    PTT = 2066;
    BAK = 2067;
    DAT = 2068;
    SHD = 2069;
    XBC = 2070;
    WBM = 2071;
    MTR = 2072;
    KTX = 2073;
    TTF = 2074;
    SQL = 2075;
    TML = 2076;
    SQ3 = 2077;
    LOD = 2078;
    GIF = 2079;
    PNG = 2080;
    JPG = 2081;
    CAF = 2082;
    JUI = 2083;
    IDS = 9996;
    ERF = 9997;
    BIF = 9998;
    KEY = 9999;
    INVALID = 65535;
}

/// Returns the extension of a type: its name in lower case, or its number.
fn extension(name: Option<&str>, number: u32) -> String {
    name.map_or_else(|| number.to_string(), str::to_ascii_lowercase)
}

impl ResourceType {
    /// Returns the type of files with this extension, in capitals or not: a name, or the number of a type without one.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        let named = Self::KNOWN.iter().find(|(name, _)| name.eq_ignore_ascii_case(extension)).map(|(_, of)| *of);
        let is_number = !extension.starts_with(['0', '+']);
        let numbered = || extension.parse().ok().map(Self::new).filter(|it| is_number && it.name().is_none());
        named.or_else(numbered).filter(|it| *it != Self::INVALID)
    }

    /// Returns the extension of files of this type, such as `utc`, or the number of an unknown type.
    #[must_use]
    pub fn extension(self) -> String {
        extension(self.name(), self.get().into())
    }
}

impl WideResourceType {
    /// Returns the extension of files of this type, such as `utc`, or the number of an unknown type.
    #[must_use]
    pub fn extension(self) -> String {
        extension(self.name(), self.get())
    }
}

/// Returns the file name of a resource.
pub(super) fn file_name<const N: usize>(name: &Text<N>, extension: &str) -> Vec<u8> {
    [name.bytes(), b".", extension.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_extensions() {
        let extensions = [0, 2017, 2027, 2059, 2062, 65_535, 777].map(|it| ResourceType::new(it).extension());
        assert_eq!(extensions, ["res", "2da", "utc", "4pc", "nwm", "invalid", "777"]);
        assert_eq!(WideResourceType::TWO_DA.extension(), "2da");
        for kind in [0, 2017, 2027, 2059, 777] {
            let kind = ResourceType::new(kind);
            assert_eq!(ResourceType::of_extension(&kind.extension()), Some(kind));
        }
        assert_eq!(ResourceType::of_extension("Utc"), Some(ResourceType::UTC));
        for other in ["", "md", "invalid", "65536", "0777", "+777", "-1", "2027", "65535"] {
            assert_eq!(ResourceType::of_extension(other), None, "{other}");
        }
    }
}
