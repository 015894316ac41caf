import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

/// A server of HTTP/2 that refuses every request, behind openssl's own TLS.
private final class RefusingServer {
    let port: Int
    let authorities: String
    private let folder: ScratchFolder
    private let process = Process()
    private let seen: Seen

    private final class Seen: Sendable {
        let requests = Mutex(0)
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    init() throws {
        folder = try ScratchFolder()
        authorities = folder.file("refusing.crt")
        try OpenSSL.certify(authorities, key: folder.file("refusing.key"))
        port = try LoopbackPort.free()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", "-quiet", "-alpn", "h2", "-accept", "127.0.0.1:\(port)", "-cert", authorities, "-key",
            folder.file("refusing.key"),
        ]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let seen = Seen()
        self.seen = seen
        // Ends with the process, whose output it reads.
        Thread.detachNewThread {
            Self.answer(output.fileHandleForReading, input.fileHandleForWriting, seen)
        }
    }

    deinit {
        // Started by a thread that has signals blocked, it would be deaf to a gentler one.
        kill(process.processIdentifier, SIGKILL)
    }

    var requests: Int { seen.requests.withLock { $0 } }

    private static func answer(_ input: FileHandle, _ output: FileHandle, _ seen: Seen) {
        var bytes: [UInt8] = []
        while true {
            let piece = input.availableData
            guard !piece.isEmpty else { return }
            bytes += piece
            while true {
                if bytes.starts(with: preface) {
                    bytes.removeFirst(preface.count)
                    output.write(Data(settings))
                    continue
                }
                guard bytes.count >= 9, !preface.starts(with: bytes.prefix(9)) else { break }
                let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
                guard bytes.count >= 9 + length else { break }
                // A request begins with its headers; the stream is refused without being looked at.
                if bytes[3] == 1 {
                    seen.requests.withLock { $0 += 1 }
                    output.write(Data([0, 0, 4, 3, 0] + bytes[5..<9] + [0, 0, 0, 7]))
                }
                bytes.removeFirst(9 + length)
            }
        }
    }
}

@Suite("A request that HTTP/2 refuses", .onOwnThreads, .serialized)
struct RefusedStreamTests {
    @Test func `is sent once by a call`() async throws {
        let server = try RefusingServer()
        let client = try HTTPClient(.init(authorities: server.authorities))
        let end = LastResort.end
        while true {
            do throws(HTTPFailure) {
                _ = try await client.send(HTTPRequest(.get, "https://localhost:\(server.port)/"), by: end)
                Issue.record("it was answered")
            } catch {
                guard error.kind == .connect, ContinuousClock.now < end else {
                    #expect(error.kind == .reset && !error.isUnsent, "\(error)")
                    break
                }
                await Task.yield()
            }
        }
        #expect(server.requests == 1)
    }
}
