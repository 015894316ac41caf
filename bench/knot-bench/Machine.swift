import FoundationEssentials
import Glibc

/// What a figure was measured on.
enum Machine {
    static let cores = ProcessInfo.processInfo.activeProcessorCount

    static let cpu: String = {
        let lines = text("/proc/cpuinfo").split(separator: "\n")
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return model.map { String($0.drop { $0 == " " }) } ?? "unknown processor"
    }()

    static let cpuSlug = cpu.lowercased().split { !$0.isLetter && !$0.isNumber }.prefix(4).joined(separator: "-")

    static let day = String(Date().formatted(.iso8601).prefix(10))

    /// What all threads of this process have used of the processors so far.
    static var processorTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The commit's id as the repository's own files say it.
    static let commit: String = {
        let head = text(".git/HEAD").filter { !$0.isNewline }
        guard head.hasPrefix("ref: ") else { return String(head.prefix(12)) }
        return String(text(".git/\(head.dropFirst(5))").prefix(12))
    }()

    #if compiler(>=6.4)
    static let compiler = "6.4 or later"
    #else
    static let compiler = "6.3"
    #endif

    /// Bytes of a core's cache of that level as this machine sees it, with a common size where it does not say.
    static func cacheBytes(level: Int) -> Int {
        let size = text("/sys/devices/system/cpu/cpu0/cache/index\(level)/size").filter { !$0.isNewline }
        return (size.hasSuffix("K") ? Int(size.dropLast()) : nil).map { $0 << 10 } ?? (level == 2 ? 1 << 20 : 32 << 20)
    }

    private static func text(_ path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
