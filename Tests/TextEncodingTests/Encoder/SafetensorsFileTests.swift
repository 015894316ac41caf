import Foundation
import Testing

@testable import TextEncoding

@Suite("A file of tensors")
struct SafetensorsFileTests {
    private static let two =
        #"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F16","shape":[1,2],"data_offsets":[8,12]}}"#

    @Test func `tells where its tensors are`() throws {
        let folder = try ModelFolder()
        try folder.write(ModelFolder.file(header: Self.two, data: Array(repeating: 1, count: 12)), "t")
        let file = try SafetensorsFile(path: folder.path + "/t")
        #expect(file.tensors["a"]?.shape == [2])
        #expect(file.tensors["b"]?.count == 2)
        #expect(file.tensors["b"]?.range == file.file.count - 4..<file.file.count)
        #expect(file.headerRange.upperBound == file.file.count - 12)
    }

    @Test(arguments: [
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, 4, "shape needs 8"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}}"#, 8, "shape needs 4"),
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 7, "outside the file"),
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 9, "belong to none"),
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#, 8, "outside the file"),
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}"#, 8, "outside the file"),
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]}}"#, 8, "outside the file"),
        (#"{"a":{"dtype":"F32","shape":[2.5],"data_offsets":[0,10]}}"#, 10, "no shape"),
        (#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}}"#, 0, "no shape"),
        (#"{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}"#, 0, "beyond all memory"),
        (#"{"a":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}}"#, 8, "unknown kind"),
        (#"{"a":{"shape":[2],"data_offsets":[0,8]}}"#, 8, "no dtype"),
        (#"{"a":7}"#, 0, "no dtype"),
        (#"[]"#, 0, "not an object"),
        (#"{"a":"#, 0, "no JSON"),
        (
            #"{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}"#,
            2, "twice"
        ),
        (
            #"{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}"#,
            3, "overlaps"
        ),
        (
            #"{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}}"#,
            5, "a hole"
        ),
    ])
    func `is refused when its header contradicts itself or the bytes`(header: String, bytes: Int, says: String) throws {
        let folder = try ModelFolder()
        try folder.write(ModelFolder.file(header: header, data: Array(repeating: 0, count: bytes)), "t")
        let error = #expect(throws: EncoderError.self) { try SafetensorsFile(path: folder.path + "/t") }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
        #expect(error?.path == folder.path + "/t")
    }

    @Test func `is refused wherever it is cut`() throws {
        let folder = try ModelFolder()
        let whole = ModelFolder.file(header: Self.two, data: Array(repeating: 1, count: 12))
        for count in 0..<whole.count {
            try folder.write(Array(whole.prefix(count)), "t")
            let error = #expect(throws: EncoderError.self, "\(count) bytes") {
                try SafetensorsFile(path: folder.path + "/t")
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `is refused with a length beyond its end or beyond all sense`() throws {
        let folder = try ModelFolder()
        for length in [
            [UInt8](repeating: 0xFF, count: 8), [0, 0, 0, 0, 0, 0, 0, 0x80], [0xFF, 0xFF, 0, 0, 0, 0, 0, 0],
        ] {
            try folder.write(length + [0x7B, 0x7D], "t")
            #expect(throws: EncoderError.self) { try SafetensorsFile(path: folder.path + "/t") }
        }
    }

    @Test(arguments: 0..<4)
    func `never harms the reader, whatever its header says`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let folder = try ModelFolder()
        let whole = ModelFolder.file(header: Self.two, data: Array(repeating: 1, count: 12))
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try folder.write(bytes, "t")
            do throws(EncoderError) {
                let file = try SafetensorsFile(path: folder.path + "/t")
                for tensor in file.tensors.values { #expect(tensor.range.upperBound <= bytes.count, "seed \(seed)") }
            } catch {
                #expect(error.code == .damaged, "seed \(seed): \(error)")
            }
        }
    }

    @Test func `holds halves as the standard says`() {
        #expect(TensorValues.float(half: 0x3C00) == 1)
        #expect(TensorValues.float(half: 0xC000) == -2)
        #expect(TensorValues.float(half: 0x7BFF) == 65_504)
        #expect(TensorValues.float(half: 0x0001) == 5.960_464_5e-8)
        #expect(TensorValues.float(half: 0x8000).sign == .minus)
        #expect(TensorValues.float(half: 0x7C00) == .infinity)
        #expect(TensorValues.float(half: 0x7E00).isNaN)
    }
}
