import Foundation
import JSONDocument

/// Numbers made elsewhere by other tools; they are measured in place and are not part of this repository.
enum GoldenNumbers {
    static let tolerance = 1e-9

    private static let folder = ProcessInfo.processInfo.environment["KNOT_SHARED"].map { "\($0)/golden" }

    /// Every file of them that is there, by name.
    static let files: [String] = {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // absent: the tests say so
        return names.filter { $0.hasPrefix("metrics-") && $0.hasSuffix(".json") }.sorted()
    }()

    static let areHere = !files.isEmpty

    static let absence = "KNOT_SHARED names no folder with golden numbers: they are not here"

    static func document(_ file: String) throws -> JSONValue {
        try JSONParser.parse([UInt8](Data(contentsOf: URL(filePath: (folder ?? "") + "/" + file))))
    }

    /// Whether both are undefined or both the same number.
    static func agree(_ ours: Double?, _ golden: Double?) -> Bool {
        switch (ours, golden) {
        case (nil, nil): true
        case (let ours?, let golden?): (ours - golden).magnitude <= tolerance
        default: false
        }
    }
}

extension JSONValue {
    var doubles: [Double] { (array ?? []).compactMap(\.double) }
    var ints: [Int] { (array ?? []).compactMap(\.int) }
}
