import Foundation

/// What this process holds of the machine, as the system counts it.
struct ProcessFootprint: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    let residentKiB: Int

    var description: String { "(\(descriptors) descriptors, \(threads) threads, \(residentKiB) KiB)" }

    static var now: ProcessFootprint {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func number(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
            return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        return ProcessFootprint(descriptors: descriptors, threads: number("Threads"), residentKiB: number("VmRSS"))
    }

    /// The footprint once threads that are ending have ended and given back what they held, or in the end.
    static func settled(at before: ProcessFootprint, growth: Int = .max) async -> ProcessFootprint {
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end {
            let now = now
            if now.descriptors <= before.descriptors, now.threads <= before.threads,
                now.residentKiB - before.residentKiB < growth
            {
                return now
            }
            await Task.yield()
        }
        return now
    }
}
