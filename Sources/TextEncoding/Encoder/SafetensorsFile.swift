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
