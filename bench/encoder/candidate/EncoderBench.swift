import Glibc
import JSONDocument
import Synchronization
import TextEncoding
import VectorSearch

/// Encodes on request, so that it can be measured in turn with the peers of `bench/encoder/peers.py`.
///
///     knot-encoder-bench MODEL WORKLOADS
///
/// WORKLOADS is an object of lists of texts. Requests are lines on the standard input, answers lines on the standard output:
///
///     load PRECISION THREADS           seconds that loading the model takes; it is then the one in use
///     encode NAME BATCH                seconds that encoding a workload takes, in batches
///     vector NAME PLACE                a vector's first 384 numbers
///     memory                           resident bytes now, and the most so far
@main
struct EncoderBench {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: knot-encoder-bench MODEL WORKLOADS")
            exit(64)
        }
        let workloads = try JSONParser.parse(try read(arguments[2]))
        var encoder: Encoder?
        // As in the command, where only the first start ever reads the whole file.
        let records = KeptRecords()
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "load":
                encoder = nil
                let start = ContinuousClock.now
                encoder = try Encoder(
                    directory: arguments[1],
                    threads: Int(words[2]) ?? 1,
                    precision: EncoderPrecision(rawValue: words[1]),
                    records: records
                )
                answer(seconds(since: start))
            case "encode":
                guard let encoder, let batch = Int(words[2]) else { exit(64) }
                let texts = try texts(words[1], of: workloads)
                let start = ContinuousClock.now
                for first in stride(from: 0, to: texts.count, by: batch) {
                    _ = try encoder.encode(Array(texts[first..<min(first + batch, texts.count)]))
                }
                answer(seconds(since: start))
            case "vector":
                guard let encoder, let place = Int(words[2]) else { exit(64) }
                let values = try encoder.encode([try texts(words[1], of: workloads)[place]])[0].values
                answer(values.prefix(384).map { "\($0)" }.joined(separator: " "))
            case "memory":
                let status = String(decoding: try read("/proc/self/status"), as: UTF8.self)
                let numbers = ["VmRSS:", "VmHWM:"].map { name in
                    status.split(separator: "\n").first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace)[1]
                        ?? "0"
                }
                answer(numbers.map { String((Int($0) ?? 0) * 1_024) }.joined(separator: " "))
            default: exit(64)
            }
        }
    }

    private static func texts(_ name: String, of workloads: JSONValue) throws -> [String] {
        (workloads[name]?.array ?? []).compactMap(\.string)
    }

    private static func seconds(since start: ContinuousClock.Instant) -> String {
        let (whole, fraction) = (ContinuousClock.now - start).components
        return "\(Double(whole) + Double(fraction) / 1e18)"
    }

    private static func answer(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { exit(66) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }
}

/// What the first load found out, for the later ones.
final class KeptRecords: ModelRecords {
    private let kept = Mutex<[FileStamp: ModelRecord]>([:])

    func record(of stamp: FileStamp) -> ModelRecord? { kept.withLock { $0[stamp] } }
    func keep(_ record: ModelRecord) { kept.withLock { $0[record.stamp] = record } }
    // What loading costs is measured with packing.
    func path(ofPacked identity: String) -> String { "" }
    func keep(packed bytes: [UInt8], of identity: String) {}
}
