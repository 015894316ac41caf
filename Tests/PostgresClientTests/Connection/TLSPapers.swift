import Foundation
import Testing

@testable import LocalPostgres

/// An authority, another one, and a server's certificate, made by openssl in a folder of their own.
struct TLSPapers {
    private let folder: URL

    init(host: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "knot-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["authority", "other"] {
            try openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=\(name)",
                "-keyout",
                path("\(name).key"),
                "-out",
                path("\(name).crt")
            )
        }
        try openssl(
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-subj",
            "/CN=\(host)",
            "-keyout",
            path("server.key"),
            "-out",
            path("server.csr")
        )
        try openssl(
            "x509",
            "-req",
            "-in",
            path("server.csr"),
            "-CA",
            path("authority.crt"),
            "-CAkey",
            path("authority.key"),
            "-CAcreateserial",
            "-days",
            "2",
            "-out",
            path("server.crt")
        )
        try hand("server.key")
        try hand("server.crt")
        _ = unsafe chmod(folder.path, 0o755)
    }

    var authority: String { path("authority.crt") }
    var otherAuthority: String { path("other.crt") }
    var serverCertificate: String { path("server.crt") }
    var serverKey: String { path("server.key") }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A server reads its key only when it alone, or root for it, can.
    private func hand(_ name: String) throws {
        _ = unsafe chmod(path(name), 0o600)
        guard geteuid() == 0, let account = unsafe getpwnam("postgres") else { return }
        _ = unsafe chown(path(name), account.pointee.pw_uid, account.pointee.pw_gid)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func openssl(_ arguments: String...) throws {
        let result = try ChildProcess.run(["/usr/bin/openssl"] + arguments)
        try #require(result.status == 0, "openssl \(arguments[0]): \(result.lastLine)")
    }
}
