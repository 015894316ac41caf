import FoundationEssentials
import Synchronization

/// The system's compiled zone files.
package struct ZoneDirectory: ZoneSource {
    package let path: String

    /// Where this machine has them: the folder that `TZDIR` names for every program, else the usual one.
    package static let systemPath: String =
        ProcessInfo.processInfo.environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"

    package init(path: String = ZoneDirectory.systemPath) {
        self.path = path
    }

    /// Why no person's zone can be read; nil where one of another place than Greenwich can.
    package var obstacle: String? {
        do throws(ZoneError) {
            if try read("America/New_York") != nil { return nil }
            return "the zones of \(path) cannot be read; install tzdata, or correct TZDIR"
        } catch {
            return "the zones of \(path) are damaged; install tzdata again"
        }
    }

    package func rules(named name: String) -> ZoneRules? {
        do throws(ZoneError) {
            return try read(name)
        } catch {
            // For a run a damaged file is the same as none; `read` tells them apart for whoever diagnoses the machine.
            return nil
        }
    }

    /// As `rules(named:)`, but throws when there is a file and it is damaged.
    package func read(_ name: String) throws(ZoneError) -> ZoneRules? {
        guard Self.isZoneName(name) else { return nil }
        for candidate in [name] + ZoneRenames.others(of: name) {
            guard let data = FileManager.default.contents(atPath: "\(path)/\(candidate)") else { continue }
            guard data.count <= 1 << 20 else { throw ZoneError(.tooLarge, "it is longer than 1 MiB") }
            return try ZoneRules(tzif: Array(data))
        }
        // Universal time needs no file.
        return ["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Zulu", "Etc/UCT", "UCT"].contains(name) ? .utc : nil
    }

    package var version: String? {
        if let data = FileManager.default.contents(atPath: "\(path)/tzdata.zi") {
            let words = String(decoding: data.prefix(80).prefix { $0 != 0x0A }, as: UTF8.self).split(separator: " ")
            if words.count == 3, words[0] == "#", words[1] == "version" { return String(words[2]) }
        }
        guard let data = FileManager.default.contents(atPath: "\(path)/+VERSION") else { return nil }
        let line = String(decoding: data.prefix(40).prefix { $0 != 0x0A }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    /// The names of the zone database: parts that begin with a capital letter.
    ///
    /// So nothing climbs out of the folder, and
    /// files that are no zones of their own (`localtime`, `posixrules`, `right/…`) are not taken for some.
    private static func isZoneName(_ name: String) -> Bool {
        guard name.utf8.count <= 100 else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
                return false
            }
            return part.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_+-".utf8.contains(byte)
            }
        }
    }
}

/// Zones that were looked up once stay at hand: a batch asks for the same few again and again.
package final class ZoneCache: ZoneSource {
    private let source: any ZoneSource
    /// What is unknown is remembered too.
    private let known = Mutex<[String: ZoneRules?]>([:])

    package init(_ source: any ZoneSource = ZoneDirectory()) {
        self.source = source
    }

    package func rules(named name: String) -> ZoneRules? {
        if let found = known.withLock({ $0[name] }) { return found }
        // Two threads may read the same file at once; both find the same rules.
        let rules = source.rules(named: name)
        known.withLock { $0[name] = .some(rules) }
        return rules
    }
}
