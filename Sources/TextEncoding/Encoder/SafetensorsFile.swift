import CVectorKernels
import JSONDocument

/// A file of tensors in the safetensors format, mapped, its header checked down to the last byte.
struct SafetensorsFile: Sendable {
    let file: ModelFile
    let tensors: [String: SafetensorsTensor]
    /// The bytes before the tensors: a length and a JSON document.
    let headerRange: Range<Int>

    /// The most bytes of a header, as the format's own reader has it.
    private static let mostHeaderBytes = 100_000_000

    init(path: String) throws(EncoderError) {
        file = try ModelFile(path)
        func damaged(_ detail: String) -> EncoderError { EncoderError(.damaged, path, detail) }
        guard file.count >= 8 else { throw damaged("it ends after \(file.count) bytes, within the header's length") }
        let length = file.copy(0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(Self.mostHeaderBytes) else {
            throw damaged("it claims a header of \(length) bytes, and none has more than \(Self.mostHeaderBytes)")
        }
        let dataStart = 8 + Int(length)
        guard dataStart <= file.count else {
            throw damaged("it ends after \(file.count) bytes, within a header of \(length)")
        }
        headerRange = 0..<dataStart
        let document: JSONValue
        do throws(JSONSyntaxError) {
            document = try JSONParser.parse(file.copy(8..<dataStart), maximumDepth: 8)
        } catch {
            throw damaged("its header is no JSON at \(error)")
        }
        guard let members = document.object?.members else {
            throw damaged("its header is \(document.kindName) and not an object")
        }
        var tensors: [String: SafetensorsTensor] = [:]
        for member in members where member.name != "__metadata__" {
            do throws(Flaw) {
                tensors[member.name] = try Self.tensor(member, dataStart: dataStart, fileEnd: file.count)
            } catch {
                throw damaged("tensor \"\(member.name.prefix(80))\" \(error.detail)")
            }
        }
        // Every byte belongs to exactly one tensor, so that none can hide behind another.
        var end = dataStart
        for tensor in tensors.values.sorted(by: Self.isBefore) {
            guard tensor.range.lowerBound == end else {
                let what = tensor.range.lowerBound < end ? "overlaps the one before it" : "leaves a hole before it"
                throw damaged("tensor \"\(tensor.name.prefix(80))\" \(what)")
            }
            end = tensor.range.upperBound
        }
        guard end == file.count else { throw damaged("\(file.count - end) bytes behind the tensors belong to none") }
        self.tensors = tensors
    }

    private struct Flaw: Error { let detail: String }

    private static func isBefore(_ left: SafetensorsTensor, _ right: SafetensorsTensor) -> Bool {
        (left.range.lowerBound, left.range.upperBound, left.name)
            < (right.range.lowerBound, right.range.upperBound, right.name)
    }

    private static func tensor(
        _ member: JSONObject.Member,
        dataStart: Int,
        fileEnd: Int
    ) throws(Flaw) -> SafetensorsTensor {
        let entry = member.value
        guard let kind = entry["dtype"]?.string else { throw Flaw(detail: "has no dtype") }
        guard let number = SafetensorsTensor.Number(rawValue: kind) else {
            throw Flaw(detail: "has numbers of an unknown kind, \"\(kind.prefix(20))\"")
        }
        let lengths = entry["shape"]?.array?.map { $0.int ?? -1 }
        guard let shape = lengths, shape.allSatisfy({ $0 >= 0 }) else {
            throw Flaw(detail: "has no shape of whole numbers")
        }
        let offsets = entry["data_offsets"]?.array?.map { $0.int ?? -1 }
        guard let offsets, offsets.count == 2, offsets[0] >= 0, offsets[0] <= offsets[1],
            offsets[1] <= fileEnd - dataStart
        else { throw Flaw(detail: "lies outside the file") }
        var bytes = number.byteCount
        for length in shape {
            let (product, overflow) = bytes.multipliedReportingOverflow(by: length)
            guard !overflow else { throw Flaw(detail: "has a shape beyond all memory") }
            bytes = product
        }
        guard bytes == offsets[1] - offsets[0] else {
            throw Flaw(detail: "has \(offsets[1] - offsets[0]) bytes where its shape needs \(bytes)")
        }
        return SafetensorsTensor(
            name: member.name,
            number: number,
            shape: shape,
            range: dataStart + offsets[0]..<dataStart + offsets[1]
        )
    }
}

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

/// A tensor's numbers in single precision, in the file where they stand so and copied where not.
///
/// Safe to share: the numbers are never written once this exists, and their owner lives as long as this.
@safe struct TensorValues: @unchecked Sendable {
    let start: UnsafePointer<Float>
    let count: Int
    private let file: ModelFile
    private let copy: EncoderMemory?

    init(_ tensor: SafetensorsTensor, of file: ModelFile) throws(EncoderError) {
        self.file = file
        count = tensor.count
        let bytes = unsafe file.bytes(tensor.range)
        if tensor.number == .f32, let address = bytes.baseAddress, UInt(bitPattern: address).isMultiple(of: 4) {
            copy = nil
            unsafe start = address.assumingMemoryBound(to: Float.self)
            return
        }
        guard let memory = EncoderMemory(count * 4) else {
            throw EncoderError(.outOfMemory, file.path, "tensor \"\(tensor.name)\" has \(count) numbers")
        }
        // There is room for `count` floats, and the tensor's bytes are `count` times its number's.
        let floats = unsafe memory.start.bindMemory(to: Float.self, capacity: count)
        for place in 0..<count {
            unsafe floats[place] = try unsafe Self.float(at: place, in: bytes, tensor, path: file.path)
        }
        copy = memory
        unsafe start = UnsafePointer(floats)
    }

    /// Weights of trained models stay below a few hundred.
    private static let largestWeight: Float = 1e6

    /// What is wrong with the numbers, as the end of a sentence about their tensor; nil for sound ones.
    func flaw(mayBeZero: Bool) -> String? {
        // There are `count` numbers, and they last as long as this.
        let bits = unsafe knot_largest_bits(start, count)
        let largest = Float(bitPattern: bits)
        if largest.isNaN { return "holds something that is no number" }
        if largest.isInfinite { return "holds an infinite number" }
        if largest > Self.largestWeight { return "holds \(largest), and no weight is beyond \(Self.largestWeight)" }
        return bits == 0 && count > 0 && !mayBeZero ? "holds nothing but zeros" : nil
    }

    private static func float(
        at place: Int,
        in bytes: UnsafeRawBufferPointer,
        _ tensor: SafetensorsTensor,
        path: String
    ) throws(EncoderError) -> Float {
        switch tensor.number {
        case .f32:
            return Float(
                bitPattern: UInt32(
                    littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
                )
            )
        case .f16:
            return float(
                half: UInt16(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
            )
        case .bf16:
            let half = UInt16(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
            return Float(bitPattern: UInt32(half) << 16)
        default:
            throw EncoderError(
                .unsupported,
                path,
                "tensor \"\(tensor.name)\" holds \(tensor.number.rawValue) numbers, and not F32, F16 or BF16"
            )
        }
    }

    /// The value of a number in half precision.
    static func float(half: UInt16) -> Float {
        let sign = UInt32(half & 0x8000) << 16
        let exponent = UInt32(half >> 10) & 0x1F
        let fraction = UInt32(half & 0x3FF)
        switch exponent {
        case 0:
            // Fractions of the smallest exponent; exact, since they have ten bits.
            let value = Float(fraction) / 16_777_216
            return sign == 0 ? value : -value
        case 31: return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
        default: return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
        }
    }
}
