import Synchronization
import TextEncoding

/// Notes that were read lately, each on its own: a vault that is chosen for again has the same notes.
///
/// A draft is taken from here only for the same words about the same person at the same age, so that nothing but time
/// depends on what was read before. When the younger half is full, the older is forgotten.
final class DraftMemory: Sendable {
    static let shared = DraftMemory()

    private struct State {
        var young: [ExactText: HintDraft] = [:]
        var old: [ExactText: HintDraft] = [:]
        /// Whether they rule anything out.
        var ruling: [ExactText: Bool] = [:]
    }

    private let state = Mutex(State())
    private let mostYoung = 512

    /// The draft of a note, made where it is not known; it is of the hint that it was first made of.
    func draft(of note: String, make: () -> HintDraft) -> HintDraft {
        let key = ExactText(note)
        let known = state.withLock { state -> HintDraft? in
            if let known = state.young[key] { return known }
            guard let known = state.old[key] else { return nil }
            if state.young.count < mostYoung { state.young[key] = known }
            return known
        }
        if let known { return known }
        let draft = make()
        state.withLock { state in
            if state.young.count >= mostYoung {
                state.old = state.young
                state.young = [:]
            }
            state.young[key] = draft
        }
        return draft
    }

    /// Whether a note rules anything out, worked out where it is not known.
    func rulesOut(_ note: String, work: () -> Bool) -> Bool {
        let key = ExactText(note)
        if let known = state.withLock({ $0.ruling[key] }) { return known }
        let rulesOut = work()
        state.withLock { state in
            if state.ruling.count >= mostYoung { state.ruling = [:] }
            state.ruling[key] = rulesOut
        }
        return rulesOut
    }
}
