import Foundation
import JSONDocument
import Testing

@testable import TextEncoding

/// Texts with a reference's tokens and vectors; `bench/encoder/reference.py` says how they were made.
struct EncoderFixture {
    struct Text {
        let text: String
        let tokens: [UInt32]
        let isCut: Bool
        /// A digest of the tokens for each way of reading a text.
        let ways: [String: String]
        let vector: [Float]
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/encoder").path

    static let dimension = 384

    let texts: [Text]

    /// Read once for all tests.
    static let shared = Result { try EncoderFixture() }

    init() throws {
        let lines = try String(contentsOfFile: Self.folder + "/texts.jsonl", encoding: .utf8).split(separator: "\n")
        let halves = try [UInt8](Data(contentsOf: URL(filePath: Self.folder + "/vectors.f16")))
        try #require(halves.count == lines.count * Self.dimension * 2)
        texts = try lines.enumerated().map { place, line in
            let value = try JSONParser.parse(String(line))
            let start = place * Self.dimension * 2
            return Text(
                text: try #require(value["text"]?.string),
                tokens: try #require(value["tokens"]?.array).compactMap { $0.int.map(UInt32.init) },
                isCut: value["cut"] == .bool(true),
                ways: Dictionary(
                    uniqueKeysWithValues: (value["ways"]?.object?.members ?? []).map {
                        ($0.name, $0.value.string ?? "")
                    }
                ),
                vector: (0..<Self.dimension).map { number in
                    let low = UInt16(halves[start + number * 2])
                    return TensorValues.float(half: low | UInt16(halves[start + number * 2 + 1]) << 8)
                }
            )
        }
    }

    /// The default model's folder; set-up puts it there, so its absence is a failure and no reason to skip.
    static func model() throws -> String {
        try ModelSearch(environment: ProcessInfo.processInfo.environment).directory()
    }

    /// The cosine of a reference's vector with one of ours.
    static func cosine(_ reference: [Float], _ ours: [Float]) -> Double {
        var product = 0.0
        var left = 0.0
        var right = 0.0
        for place in reference.indices {
            product += Double(reference[place]) * Double(ours[place])
            left += Double(reference[place]) * Double(reference[place])
            right += Double(ours[place]) * Double(ours[place])
        }
        return product / (left * right).squareRoot()
    }
}
