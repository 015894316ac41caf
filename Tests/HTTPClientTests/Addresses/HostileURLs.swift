import TestSupport

/// URLs that lead, for some reader or other, to a place that is not of the open network, generated from the laws.
enum HostileURLs {
    /// Ranges of IPv4 that are not global, with their lengths.
    static let ranges: [(network: UInt32, length: Int)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
        (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
    ]

    /// Addresses of the ranges: the first, the last and one between; and those that clouds answer at.
    static func addresses(seed: UInt64) -> [UInt32] {
        var random = SeededRandom(seed: seed)
        let ofRanges = ranges.flatMap { range -> [UInt32] in
            let last = range.network | (UInt32.max >> UInt32(range.length))
            return [range.network, last, UInt32.random(in: range.network...last, using: &random)]
        }
        // 127.0.0.1, 169.254.169.254, 100.100.100.200, 192.0.0.192.
        return [0x7F00_0001, 0xA9FE_A9FE, 0x6464_64C8, 0xC000_00C0] + ofRanges
    }

    /// The ways to write an address that some reader takes for it.
    static func hosts(_ address: UInt32) -> [String] {
        let bytes = (0..<4).map { address >> (24 - 8 * UInt32($0)) & 255 }
        let hex = bytes.map { String($0, radix: 16) }
        let octal = bytes.map { "0" + String($0, radix: 8) }
        let dotted = bytes.map(String.init).joined(separator: ".")
        let halves = "\(String(address >> 16, radix: 16)):\(String(address & 0xFFFF, radix: 16))"
        return [
            dotted, dotted + ".", String(address), "0x" + String(address, radix: 16), "0" + String(address, radix: 8),
            octal.joined(separator: "."), hex.map { "0x" + $0 }.joined(separator: "."),
            "\(bytes[0]).\(address & 0xFF_FFFF)", "\(bytes[0]).\(bytes[1]).\(address & 0xFFFF)",
            "0x\(hex[0]).\(octal[1]).\(bytes[2]).\(bytes[3])", bytes.map { "00\($0)" }.joined(separator: "."),
            fullWidth(dotted), dotted.replacing(".", with: "\u{3002}"), dotted.replacing(".", with: "%2E"),
            "[::ffff:\(dotted)]", "[::ffff:\(halves)]", "[::\(dotted)]", "[64:ff9b::\(dotted)]",
            "[64:ff9b:1::\(halves)]",
            "[2002:\(halves)::1]", "[0:0:0:0:0:ffff:\(halves)]", "[2001:0:\(halves)::]", "[fe80::\(halves)%25eth0]",
        ]
    }

    /// Digits and dots of another alphabet, which some readers make plain ones of.
    private static func fullWidth(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { Unicode.Scalar($0.value + 0xFEE0) ?? $0 }))
    }

    /// Forms of a URL around a host, among them those that two readers read differently.
    static func urls(around host: String) -> [String] {
        [
            "https://\(host)/", "https://\(host):PORT/", "http://\(host):PORT/", "https://good.example@\(host):PORT/",
            "https://\(host):PORT\\@good.example/", "https://good.example:443@\(host):PORT/x",
        ]
    }

    static func generated(seed: UInt64) -> [String] {
        addresses(seed: seed).flatMap { hosts($0).map { "https://\($0):PORT/" } }
            + addresses(seed: seed).prefix(4).flatMap { hosts($0).flatMap(urls) }
    }

    /// What no rule generates; PORT is the port of a listener of ours.
    static let listed: [String] =
        [
            "localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "a.localhost", "printer.local",
            "metadata.google.internal", "metadata", "instance-data", "kubernetes.default.svc.cluster.local",
            "router.lan",
            "intranet.corp", "nas.home", "1.0.0.127.in-addr.arpa", "a.home.arpa", "consul.service.consul", "x.onion",
            "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:0:127.0.0.1]", "[fe80::1]",
            "[fec0::1]",
            "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[ff05::1:3]", "[100::1]", "[2001::1]", "[2001:10::1]",
            "[2001:20::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[64:ff9b::7f00:1]", "[::7f00:1]",
            "[2002:7f00:1::]",
            "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[::1%25lo]", "[::1%lo]", "[v1.x]", "[127.0.0.1]", "[::1", "::1",
            "127.0.0.1%00.good.example", "127.0.0.1%2f.good.example", "good.example%00.localhost", "127。0。0。1",
            "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "①②⑦.⓪.⓪.①", "loc\u{AD}alhost", "localhost\u{200B}", "０x7f.1", "0x7f.0x0.0x0.0x1",
            "0177.0.0.1", "0300.0250.0.1", "127.1", "127.0.1", "0", "0.0", "1", "0x0", "017700000001", "4294967295",
            "4294967296", "127.0.0.1.", "127.0.0.01", "127.0.0.256", "-127.0.0.1", "_._", "-a.example", "a-.example",
            "a..example", ".a.example", "*", "*.example", "good.example ", " 127.0.0.1", "127.0.0.1\t",
            "127.0.0.1\u{0}",
        ].map { "https://\($0):PORT/" } + [
            "http://127.0.0.1:PORT/", "HTTP://127.0.0.1:PORT/", "//127.0.0.1:PORT/", "127.0.0.1:PORT",
            "/\\127.0.0.1:PORT/",
            "https:127.0.0.1:PORT/", "https:/127.0.0.1:PORT/", "https:///127.0.0.1:PORT/", "https:\\\\127.0.0.1:PORT\\",
            "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "gopher://127.0.0.1:PORT/_GET%20/",
            "dict://127.0.0.1:PORT/d",
            "ftp://127.0.0.1:PORT/", "ldap://127.0.0.1:PORT/", "jar:http://127.0.0.1:PORT!/", "data:text/html,x",
            "javascript:alert(1)", "ws://127.0.0.1:PORT/", "netdoc:///etc/passwd", "unix:/run/docker.sock",
            "about:blank",
            "view-source:http://127.0.0.1:PORT/", "https://a.example\\@127.0.0.1:PORT/",
            "https://a.example#@127.0.0.1:PORT/",
            "https://127.0.0.1:PORT#@a.example/", "https://a.example:443:PORT/", "https://127.0.0.1:PORT@a.example:0/",
            "https://127.0.0.1:-1/", "https://127.0.0.1:65536/", "https://127.0.0.1:0PORT/", "https://127.0.0.1:PORTx/",
            "https://127.0.0.1: PORT/", "https://127.0.0.1:PORT/\r\nHost: a.example", "https://127.0.0.1:PORT/\nX: y",
            "https://127.0.0.1\u{0}a.example:PORT/", "https://a.example\t@127.0.0.1:PORT/", "ht\ntps://127.0.0.1:PORT/",
            "https://user:pass@127.0.0.1:PORT/", "https://%31%32%37.0.0.1:PORT/", "https://127%2e0%2e0%2e1:PORT/",
            "https://[::ffff:7f00:0001]:PORT/", "https://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/",
            "https://[::1]:PORT:80/", "https://[::1]x:PORT/", "https://", "https://:PORT/", "https://?127.0.0.1:PORT",
            "", " ", "\u{0}", "https://" + String(repeating: "a", count: 3_000) + "/",
            "https://" + String(repeating: "a.", count: 130) + "example/",
        ]
}
