import FoundationEssentials

/// How many threads stages get when nobody says.
enum MachineCores {
    static var count: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
