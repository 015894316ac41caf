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
        try OpenSSL.makeKey(at: folder.file("key"))
        let key = try #require(SigningKey(pem: try String(contentsOfFile: folder.file("key"), encoding: .utf8)))
        // r and s have fewer than 32 bytes now and then, which is where a conversion goes wrong.
        for number in 0..<300 {
            let message = Array("message \(number)".utf8)
            let signature = key.signature(of: message)
            #expect(signature.count == 64)
            guard number < 8 || signature[0] == 0 || signature[32] == 0 else { continue }
            let context = ByteText.hex(signature)
            #expect(try OpenSSL.believes(signature, of: message, key: folder.file("key")), "\(number): \(context)")
            #expect(try !OpenSSL.believes(signature, of: message + [0], key: folder.file("key")), "\(context)")
        }
    }

    /// RFC 6979, A.2.5, with SHA-256.
    @Test(arguments: [
        (
            "sample",
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        ),
        (
            "test",
            "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
        ),
    ])
    func `a signature is that of the standard, whoever makes it and however often`(
        message: String,
        signature: String
    ) throws {
        let lines = [
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgya+p2EW6dRZrXCFX",
            "Z7HWk05Qw9s26JsSe4piKxIPZyGhRANCAARg/tS6JVqdMclh63TGNW1owEm4kjth",
            "+mzmaWIuYPKftnkD/hAIuLyZpBrp6VYovGTy8bIMLX6fUXejwpTURiKZ",
        ]
        let label = "PRIVATE KEY-----"
        let pem = (["-----BEGIN \(label)"] + lines + ["-----END \(label)", ""]).joined(separator: "\n")
        for _ in 0..<3 {
            let key = try #require(SigningKey(pem: pem))
            #expect(ByteText.hex(key.signature(of: Array(message.utf8))) == signature)
        }
    }

    @Test func `only a key of the curve P-256 that needs no password is one`() throws {
        let folder = try ScratchFolder()
        try OpenSSL.makeKey(at: folder.file("key"))
        try OpenSSL.makeKey(at: folder.file("p384"), curve: "P-384")
        try OpenSSL.run("genpkey", "-algorithm", "ED25519", "-out", folder.file("ed"))
        try OpenSSL.run(
            "pkcs8",
            "-topk8",
            "-in",
            folder.file("key"),
            "-passout",
            "pass:secret",
            "-out",
            folder.file("locked")
        )
        for name in ["p384", "ed", "locked", "key.public"] {
            #expect(SigningKey(pem: try String(contentsOfFile: folder.file(name), encoding: .utf8)) == nil, "\(name)")
        }
        #expect(SigningKey(pem: "") == nil)
        #expect(SigningKey(pem: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n") == nil)
        let key = try #require(SigningKey(pem: try String(contentsOfFile: folder.file("key"), encoding: .utf8)))
        #expect("\(key)" == "***")
    }
}
