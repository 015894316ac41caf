import StageGraph
import TextEncoding

extension Engine {
    /// Begins to read the lexicon on a thread of its own, so that whoever asks for a run can read their files meanwhile.
    package static func prepareLexicon() {
        // Without a thread it is read when it is first asked for, as ever.
        _ = OwnThread.start { _ = Lexicon.shared }
    }
}
