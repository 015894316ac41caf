package import Console
import FileInput
import Glibc

/// The words after the program's name, as the system handed them over.
package enum CommandWords {
    /// The words, and what is wrong with those that no text can hold: a path that was changed on the way is another path.
    package static func current() -> (words: [String], problem: CommandError?) {
        var words: [String] = []
        var odd: [(place: Int, text: String)] = []
        // The system's own array: so many pointers, each to bytes that end with a zero and live as long as the process.
        for place in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = unsafe CommandLine.unsafeArgv[place] else { continue }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
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
