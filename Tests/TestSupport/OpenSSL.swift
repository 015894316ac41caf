import Foundation

/// Debian's openssl, as an implementation that is not ours.
package enum OpenSSL {
    /// Runs it; throws where it does not succeed.
    package static func run(_ arguments: String...) throws {
        guard try status(arguments) == 0 else { throw Failed(command: arguments.first ?? "") }
    }

    /// The status it ends with.
    package static func status(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A new private key of a curve, and beside it the public one with the ending `.public`.
    package static func makeKey(at path: String, curve: String = "P-256") throws {
        try run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-out", path)
        try run("pkey", "-in", path, "-pubout", "-out", path + ".public")
    }

    /// Makes a certificate of `localhost` that signs itself, with a new key.
    package static func certify(_ certificate: String, key: String) throws {
        let kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        let subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        guard try status(["req"] + kind + subject + ["-keyout", key, "-out", certificate]) == 0 else {
            throw Failed(command: "req")
        }
    }

    /// Whether r and s, 32 bytes each, sign a message by the key at that path.
    package static func believes(_ signature: [UInt8], of message: [UInt8], key: String) throws -> Bool {
        guard signature.count == 64 else { return false }
        let folder = try ScratchFolder()
        try Data(der(signature)).write(to: URL(filePath: folder.file("signature")))
        try Data(message).write(to: URL(filePath: folder.file("message")))
        let arguments = ["dgst", "-sha256", "-verify", key + ".public", "-signature", folder.file("signature")]
        return try status(arguments + [folder.file("message")]) == 0
    }

    /// The HMAC-SHA256 of a message in hexadecimal digits.
    package static func hmac(of message: [UInt8], key: String) throws -> String {
        let folder = try ScratchFolder()
        try Data(message).write(to: URL(filePath: folder.file("message")))
        try run("dgst", "-sha256", "-hmac", key, "-r", "-out", folder.file("code"), folder.file("message"))
        return String(try String(contentsOfFile: folder.file("code"), encoding: .utf8).prefix { $0 != " " })
    }

    package struct Failed: Error, CustomStringConvertible {
        let command: String

        package init(command: String) {
            self.command = command
        }

        package var description: String { "openssl \(command) failed" }
    }

    /// The form that openssl reads: a sequence of two integers.
    private static func der(_ signature: [UInt8]) -> [UInt8] {
        let integers = [signature[..<32], signature[32...]].map { half in
            let digits = half.drop { $0 == 0 }
            let bytes = (digits.first ?? 0x80) >= 0x80 ? [0] + digits : Array(digits)
            return [2, UInt8(bytes.count)] + bytes
        }
        let all = integers.flatMap(\.self)
        return [0x30, UInt8(all.count)] + all
    }
}
