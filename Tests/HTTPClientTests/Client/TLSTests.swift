import Foundation
import TestSupport
import Testing

@testable import HTTPClient

/// Servers with TLS, each of which is openssl's own with one certificate.
@Suite("The client over TLS", .onOwnThreads, .serialized)
struct TLSTests {
    /// An authority, and what it signed: for the right name, for another one, and for a time that is over.
    private struct Papers {
        let folder: ScratchFolder

        init() throws {
            folder = try ScratchFolder()
            let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            func authority(_ name: String) throws {
                try run(
                    ["req", "-x509"] + key + [
                        "-days", "2", "-subj", "/CN=\(name)", "-keyout", folder.file("\(name).key"), "-out",
                        folder.file("\(name).crt"),
                    ]
                )
            }
            try authority("authority")
            try authority("stranger")
            for (name, host, days) in [
                ("good", "localhost", "2"), ("other", "shop.example", "2"), ("late", "localhost", "-1"),
            ] {
                let names = try folder.write("subjectAltName=DNS:\(host)\n", to: "\(name).txt")
                try run(
                    ["req"] + key + [
                        "-subj", "/CN=\(host)", "-keyout", folder.file("\(name).key"), "-out",
                        folder.file("\(name).csr"),
                    ]
                )
                try run([
                    "x509", "-req", "-in", folder.file("\(name).csr"), "-CA", folder.file("authority.crt"), "-CAkey",
                    folder.file("authority.key"), "-CAcreateserial", "-days", days, "-extfile", names, "-out",
                    folder.file("\(name).crt"),
                ])
            }
        }

        private func run(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "openssl \(arguments[0])")
        }

        /// A server with the certificate of that name; it answers every request with a page.
        func serve(_ name: String, _ more: [String] = []) throws -> (process: Process, port: Int) {
            let port = try LoopbackPort.free()
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments =
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", folder.file("\(name).crt"), "-key",
                    folder.file("\(name).key"), "-www",
                ]
                + more
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return (process, port)
        }
    }

    /// Asks until the server is there.
    private func outcome(
        _ client: HTTPClient,
        _ port: Int,
        _ limits: HTTPLimits = HTTPLimits()
    ) async -> Result<HTTPResponse, HTTPFailure> {
        let end = LastResort.end
        while true {
            do throws(HTTPFailure) {
                let request = HTTPRequest(.get, "https://localhost:\(port)/", limits: limits, addresses: ["127.0.0.1"])
                return .success(try await client.send(request, by: end))
            } catch {
                guard error.kind == .connect, ContinuousClock.now < end else { return .failure(error) }
                await Task.yield()
            }
        }
    }

    @Test(arguments: ["other", "late", "stranger"])
    func `sends nothing to a server that cannot prove its name`(name: String) async throws {
        let papers = try Papers()
        let (server, port) = try papers.serve(name)
        defer { server.terminate() }
        let client = try HTTPClient(.init(authorities: papers.folder.file("authority.crt")))
        guard case .failure(let failure) = await outcome(client, port) else {
            Issue.record("\(name) was believed")
            return
        }
        #expect(failure.kind == .tls && !failure.isTransient)
    }

    @Test func `trusts the system's authorities and no server's own where nothing else is said`() async throws {
        let papers = try Papers()
        let (server, port) = try papers.serve("good")
        defer { server.terminate() }
        guard case .failure(let failure) = await outcome(try HTTPClient(), port) else {
            Issue.record("a stranger was believed")
            return
        }
        #expect(failure.kind == .tls)
    }

    @Test func `takes the page of one that can`() async throws {
        let papers = try Papers()
        let (server, port) = try papers.serve("good")
        defer { server.terminate() }
        let client = try HTTPClient(.init(authorities: papers.folder.file("authority.crt")))
        #expect(try await outcome(client, port).get().status == 200)
    }

    @Test func `ends where HTTP/2 was agreed on and is not spoken`() async throws {
        let papers = try Papers()
        let client = try HTTPClient(.init(authorities: papers.folder.file("authority.crt")))
        let (server, port) = try papers.serve("good", ["-alpn", "h2"])
        defer { server.terminate() }
        guard case .failure(let failure) = await outcome(client, port, HTTPLimits(firstByte: .milliseconds(500))) else {
            Issue.record("it was understood")
            return
        }
        #expect([.timeout, .reset, .protocolError].contains(failure.kind))
    }
}
