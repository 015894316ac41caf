/// One tensor of a file: its kind of number, its shape and where its bytes are.
struct SafetensorsTensor: Sendable, Equatable {
    /// How numbers are written; only floating-point ones can be read.
    enum Number: String, Sendable, CaseIterable {
        case f64 = "F64"
        case f32 = "F32"
        case f16 = "F16"
        case bf16 = "BF16"
        case f8e4m3 = "F8_E4M3"
        case f8e5m2 = "F8_E5M2"
        case i64 = "I64"
        case i32 = "I32"
        case i16 = "I16"
        case i8 = "I8"
        case u64 = "U64"
        case u32 = "U32"
        case u16 = "U16"
        case u8 = "U8"
        case bool = "BOOL"

        var byteCount: Int {
            switch self {
            case .f64, .i64, .u64: 8
            case .f32, .i32, .u32: 4
            case .f16, .bf16, .i16, .u16: 2
            case .f8e4m3, .f8e5m2, .i8, .u8, .bool: 1
            }
        }
    }

    let name: String
    let number: Number
    let shape: [Int]
    /// Where the bytes are in the file.
    let range: Range<Int>

    /// How many numbers there are.
    var count: Int { range.count / number.byteCount }
}
