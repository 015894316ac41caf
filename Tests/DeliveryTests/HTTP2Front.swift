import Foundation
import TestSupport

/// Debian's nghttpx with a certificate for `localhost`: HTTP/2 over TLS in front of a server that speaks HTTP/1.1.
final class HTTP2Front {
    let port: Int
    /// What signed its certificate; nobody else trusts it.
    let authorities: String
    private let folder: ScratchFolder
    private let process = Process()

    /// Debian puts it where only root looks.
    private static let program = "/usr/sbin/nghttpx"

    struct Absent: Error, CustomStringConvertible {
        let description = "there is no \(HTTP2Front.program): run .ci/setup tests"
    }

    struct Silent: Error {}

    /// The options are nghttpx's own, as `--frontend-max-requests=3`.
    init(before backend: Int, _ options: [String] = []) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else { throw Absent() }
        folder = try ScratchFolder()
        authorities = folder.file("front.crt")
        try OpenSSL.certify(authorities, key: folder.file("front.key"))
        port = try LoopbackPort.free()
        process.executableURL = URL(filePath: Self.program)
        process.arguments =
            [
                "--conf=/dev/null", "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(backend)", "--workers=1",
                "--single-process", "--no-ocsp", "--errorlog-file=/dev/null", "--tls-min-proto-version=TLSv1.2",
            ] + options + [folder.file("front.key"), authorities]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try waitUntilItListens()
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    var url: String { "https://localhost:\(port)" }

    private func waitUntilItListens() throws {
        let end = LastResort.end
        while ContinuousClock.now < end {
            // A handshake that comes to its end shows that TLS is spoken.
            let arguments = ["s_client", "-connect", "127.0.0.1:\(port)", "-alpn", "h2"]
            if try OpenSSL.status(arguments) == 0 { return }
        }
        throw Silent()
    }
}
