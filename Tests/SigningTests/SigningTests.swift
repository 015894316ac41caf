import Foundation
import TestSupport
import Testing

@testable import Signing

@Suite("Signatures")
struct SigningTests {
    /// RFC 4231, cases 1, 2, 3 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `an HMAC is that of the standard`(key: [UInt8], message: [UInt8], code: String) {
        #expect(ByteText.hex(HMACSHA256.code(of: message, key: key)) == code)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{FF}\u{3FF}>", "w7_Pvz4"),
    ])
    func `bytes become text of the alphabet for URLs`(bytes: String, text: String) {
        #expect(ByteText.base64URL(Array(bytes.utf8)) == text)
    }

    @Test func `openssl believes each signature, and none of another message`() throws {
        let folder = try ScratchFolder()
        try openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder.file("key")])
        try openssl(["pkey", "-in", folder.file("key"), "-pubout", "-out", folder.file("public")])
        let key = try #require(SigningKey(pem: try String(contentsOfFile: folder.file("key"), encoding: .utf8)))
        // r and s have fewer than 32 bytes now and then, which is where a conversion goes wrong.
        for number in 0..<300 {
            let message = "message \(number)"
            let signature = key.signature(of: Array(message.utf8))
            #expect(signature.count == 64)
            guard number < 8 || signature[0] == 0 || signature[32] == 0 else { continue }
            try Data(der(signature)).write(to: URL(filePath: folder.file("signature")))
            for (text, isRight) in [(message, true), (message + ".", false)] {
                _ = try folder.write(text, to: "message")
                let arguments = [
                    "dgst", "-sha256", "-verify", folder.file("public"), "-signature", folder.file("signature"),
                    folder.file("message"),
                ]
                #expect(try status(arguments) == (isRight ? 0 : 1), "\(text): \(ByteText.hex(signature))")
            }
        }
    }

    @Test func `only a key of the curve P-256 that needs no password is one`() throws {
        let folder = try ScratchFolder()
        try openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", folder.file("p384")])
        try openssl(["genpkey", "-algorithm", "ED25519", "-out", folder.file("ed")])
        try openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", folder.file("key")])
        try openssl([
            "pkcs8", "-topk8", "-in", folder.file("key"), "-passout", "pass:secret", "-out", folder.file("locked"),
        ])
        try openssl(["pkey", "-in", folder.file("key"), "-pubout", "-out", folder.file("public")])
        for name in ["p384", "ed", "locked", "public"] {
            #expect(SigningKey(pem: try String(contentsOfFile: folder.file(name), encoding: .utf8)) == nil, "\(name)")
        }
        #expect(SigningKey(pem: "") == nil)
        #expect(SigningKey(pem: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n") == nil)
        let key = try #require(SigningKey(pem: try String(contentsOfFile: folder.file("key"), encoding: .utf8)))
        #expect("\(key)" == "***")
    }

    /// The form that openssl reads: a sequence of two integers.
    private func der(_ signature: [UInt8]) -> [UInt8] {
        let integers = [signature[..<32], signature[32...]].map { half in
            let digits = half.drop { $0 == 0 }
            let bytes = (digits.first ?? 0x80) >= 0x80 ? [0] + digits : Array(digits)
            return [2, UInt8(bytes.count)] + bytes
        }
        let all = integers.flatMap(\.self)
        return [0x30, UInt8(all.count)] + all
    }

    private func openssl(_ arguments: [String]) throws {
        try #require(try status(arguments) == 0, "openssl \(arguments[0])")
    }

    private func status(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
