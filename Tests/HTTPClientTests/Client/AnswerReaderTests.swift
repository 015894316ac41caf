import TestSupport
import Testing

@testable import HTTPClient

@Suite("An answer that is being read")
struct AnswerReaderTests {
    private let start = ContinuousClock.now

    private func reader(_ limits: HTTPLimits = HTTPLimits(), within deadline: Duration = .seconds(60)) -> AnswerReader {
        AnswerReader(limits, host: "a.example", start: start, deadline: start + deadline)
    }

    private func take(_ reader: inout AnswerReader, _ lines: String..., at seconds: Double = 0) -> Bool {
        lines.allSatisfy { reader.takeLine(Array(($0 + "\r\n").utf8), at: start + .seconds(seconds)) }
    }

    private func isLate(_ reader: AnswerReader, at seconds: Double, sent: Duration? = .zero, wireBytes: Int = 0) -> Bool
    {
        var reader = reader
        let next = reader.look(at: start + .seconds(seconds), sent: sent, wireBytes: wireBytes)
        if let next { #expect(next > start + .seconds(seconds), "a look in the past would never end") }
        return next == nil && reader.refusal?.kind == .timeout
    }

    @Test func `is late without a first byte after five seconds, counted from when the request was sent`() {
        #expect(!isLate(reader(), at: 4.9))
        #expect(isLate(reader(), at: 5))
        #expect(!isLate(reader(), at: 5, sent: .seconds(1)))
        #expect(isLate(reader(), at: 6, sent: .seconds(1)))
        #expect(!isLate(reader(), at: 8, sent: nil))
    }

    @Test func `is late where nothing comes for five seconds, ten seconds after its beginning, and at its deadline`() {
        var slow = reader()
        #expect(take(&slow, "HTTP/1.1 200 OK", at: 1))
        #expect(!isLate(slow, at: 5.9))
        #expect(isLate(slow, at: 6))
        var steady = reader(HTTPLimits(bytesPerSecond: 0))
        for second in 0..<10 { #expect(take(&steady, "HTTP/1.1 100 Continue", "", at: Double(second))) }
        #expect(!isLate(steady, at: 9.9))
        #expect(isLate(steady, at: 10))
        #expect(isLate(reader(within: .milliseconds(300)), at: 0.3))
    }

    @Test func `is late where its body comes too slowly, from two seconds on`() {
        var reader = reader()
        #expect(take(&reader, "HTTP/1.1 200 OK", ""))
        var taken = reader.takeBody([1], wireBytes: 1, at: start)
        #expect(taken && !isLate(reader, at: 1.9, wireBytes: 1))
        taken = reader.takeBody([1], wireBytes: 2, at: start + .seconds(1.9))
        #expect(taken && isLate(reader, at: 2.1, wireBytes: 2))
        #expect(!isLate(reader, at: 2.1, wireBytes: 2_048))
    }

    @Test func `takes exactly as much as its limits allow`() {
        for (body, wire, isTaken) in [(100, 50, true), (101, 50, false), (100, 51, false)] {
            var reader = reader(HTTPLimits(bodyBytes: 50, decodedBytes: 100))
            #expect(take(&reader, "HTTP/1.1 200 OK", ""))
            let taken = reader.takeBody([UInt8](repeating: 0, count: body), wireBytes: wire, at: start)
            #expect(taken == isTaken)
            #expect((reader.refusal?.kind == .tooLarge) == !isTaken)
            #expect((reader.response == nil) == !isTaken)
        }
        var heads = reader(HTTPLimits(headerBytes: 31))
        #expect(take(&heads, "HTTP/1.1 200 OK", "A: 34567890"))
        #expect(!take(&heads, ""))
    }

    @Test func `keeps the last head, and takes nothing after it for a header`() {
        var reader = reader()
        #expect(take(&reader, "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/2 200", "A:  b ", "a: c", "odd", ""))
        let isTaken = reader.takeBody([1, 2], wireBytes: 2, at: start)
        #expect(isTaken && take(&reader, "Trailer: late"))
        #expect(reader.response?.status == 200)
        #expect(reader.response?.headers.all.map(\.description) == ["A: b", "a: c"])
        #expect(reader.response?.body == [1, 2])
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 99 A", "HTTP/1.1 600 A", "HTTP/1.1 20x A", "HTTP/1.1 -200 A"])
    func `is none where its status is none`(line: String) {
        var reader = reader()
        #expect(!take(&reader, line))
        #expect(reader.refusal?.kind == .protocolError)
    }

    @Test(arguments: [101, 102, 103] as [UInt64])
    func `never holds more than its limits, whatever comes in whatever pieces`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let limits = HTTPLimits(
                bodyBytes: Int.random(in: 0...2_000, using: &random),
                decodedBytes: Int.random(in: 0...2_000, using: &random),
                cutsBody: Bool.random(using: &random)
            )
            var reader = reader(limits)
            #expect(take(&reader, "HTTP/1.1 200 OK", ""))
            var wire = 0
            while true {
                let piece = [UInt8](repeating: 7, count: Int.random(in: 0...700, using: &random))
                wire += Int.random(in: 0...(piece.count + 1), using: &random)
                guard reader.takeBody(piece, wireBytes: wire, at: start), wire < 10_000 else { break }
            }
            let held = reader.response?.body.count ?? 0
            #expect(held <= limits.decodedBytes, "seed \(seed)")
            #expect(reader.response == nil || limits.cutsBody && reader.response?.isCut == true, "seed \(seed)")
            if limits.cutsBody { #expect(held == min(limits.bodyBytes, limits.decodedBytes), "seed \(seed)") }
        }
    }
}
