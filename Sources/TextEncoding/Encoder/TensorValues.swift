import CVectorKernels

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
