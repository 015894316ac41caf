package import Console
import FileInput
import Glibc

/// The words after the program's name, as the system handed them over.
package enum CommandWords {
    /// The words, and what is wrong with those that no text can hold: a path that was changed on the way is another path.
    package static func current() -> (words: [String], problem: CommandError?) {
        // The system's own array: so many pointers, each to bytes that end with a zero and live as long as the process.
        let count = Int(CommandLine.argc)
        if count == 0 { return words(of: kernels()) }
        return words(
            of: (0..<count).compactMap { place in
                guard let start = unsafe CommandLine.unsafeArgv[place] else { return nil }
                return unsafe UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
            }
        )
    }

    /// The words as the kernel keeps them.
    ///
    /// Swift finds the array by where the environment lies, and finds none where a preloaded library has moved that before
    /// the program begins, as libfaketime does.
    private static func kernels() -> [[UInt8]] {
        do throws(FileFault) {
            return parts(of: try FileContents.read("/proc/self/cmdline"))
        } catch {
            return []
        }
    }

    /// What stands before each zero.
    static func parts(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map { Array($0) }
    }

    /// The words after the first, which is the program's name.
    static func words(of all: [[UInt8]]) -> (words: [String], problem: CommandError?) {
        var words: [String] = []
        var odd: [(place: Int, text: String)] = []
        for (place, bytes) in all.enumerated().dropFirst() {
            if let word = String(validating: bytes, as: UTF8.self) {
                words.append(word)
            } else {
                odd.append((place, OddText.written(bytes)))
                words.append(OddText.written(bytes))
            }
        }
        guard let first = odd.first else { return (words, nil) }
        return (
            words,
            CommandError(
                .usage,
                "a word of the command is not UTF-8: \(first.text)",
                at: "word \(first.place)",
                todo: "give the file a name in UTF-8, or hand it over as - on standard input"
            )
        )
    }
}
