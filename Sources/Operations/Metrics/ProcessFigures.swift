import Glibc

/// What this process takes of the machine, as the kernel says it; what cannot be read is left out.
enum ProcessFigures {
    static var families: [MetricFamily] {
        var families: [MetricFamily] = []
        var time = timespec()
        // The structure outlives the call, which fills it.
        if unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            let seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            families.append(MetricFamily("process_cpu_seconds_total", .counter, "Time on processors.", seconds))
        }
        if let pages = numbers(of: "/proc/self/statm").dropFirst().first {
            families.append(
                MetricFamily(
                    "process_resident_memory_bytes",
                    .gauge,
                    "Memory in use.",
                    Double(pages) * Double(sysconf(Int32(_SC_PAGESIZE)))
                )
            )
        }
        return families
    }

    /// The numbers of a short file of the kernel's.
    private static func numbers(of path: String) -> [Int] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        // The call writes at most as many bytes as the buffer has.
        let count = unsafe Glibc.read(descriptor, &buffer, 256)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split { $0 == " " || $0 == "\n" }
            .compactMap { Int($0) }
    }
}
