import Digest
package import JSONDocument
import Synchronization

/// One look at the outside and what came back.
package struct RecordedEffect: Sendable, Equatable {
    /// What came back.
    package enum Answer: Sendable, Equatable {
        case value(JSONValue)
        case failure(StageFailure)
    }

    package let kind: EffectKind
    package let node: NodeID
    package let key: JSONValue
    package let answer: Answer

    /// What an answer is looked up by: the kind and the canonical key, never the node.
    var address: EffectAddress { EffectAddress(kind: kind, key: key) }
}

/// What a recorded answer is found by: its kind and its key, so that another plan's nodes find it too.
struct EffectAddress: Hashable, Sendable {
    let kind: EffectKind
    let canonicalKey: [UInt8]

    init(kind: EffectKind, key: JSONValue) {
        self.kind = kind
        canonicalKey = JSONWriter.bytes(key, style: .canonical)
    }

    /// A short name for the key that gives nothing of it away.
    var digest: String { String(SHA256Digest(of: canonicalKey).hex.prefix(16)) }
}

/// Collects the effects of one run while they happen.
package final class EffectRecorder: Sendable {
    private let effects = Mutex<[RecordedEffect]>([])

    package init() {}

    /// Takes one effect; used by gateways, and by tests that make recordings.
    package func add(_ effect: RecordedEffect) {
        effects.withLock { $0.append(effect) }
    }

    /// What was recorded, in an order that does not depend on which answer came first: by node as given, kind and key.
    package func recorded(inOrderOf nodes: [NodeID]) -> [RecordedEffect] {
        let ranks = Dictionary(nodes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let keyed = effects.withLock { $0 }.enumerated().map { (place: $0, address: $1.address, effect: $1) }
        return keyed.sorted { left, right in
            let ranksOfBoth = (ranks[left.effect.node] ?? .max, ranks[right.effect.node] ?? .max)
            if ranksOfBoth.0 != ranksOfBoth.1 { return ranksOfBoth.0 < ranksOfBoth.1 }
            if left.address.kind != right.address.kind { return left.address.kind.text < right.address.kind.text }
            if left.address.canonicalKey != right.address.canonicalKey {
                return left.address.canonicalKey.lexicographicallyPrecedes(right.address.canonicalKey)
            }
            return left.place < right.place
        }.map(\.effect)
    }
}

/// Answers effects from a recording; what is not recorded is a failure that names it, or goes to what stands behind.
package final class CassettePlayer: Sendable {
    /// What becomes of a question that the recording has no answer to.
    package enum Missing: Sendable {
        /// The run fails: the same plan asks the same questions.
        case fails
        /// The stage's own port answers, which must know no more than the recording does; a reason says so.
        case asksPort
    }

    private struct Track {
        var answers: [RecordedEffect.Answer]
        var next = 0
    }

    private let effects: [RecordedEffect]
    private let missing: Missing
    private let tracks: Mutex<[EffectAddress: Track]>

    package init(_ effects: [RecordedEffect], missing: Missing = .fails) {
        self.effects = effects
        self.missing = missing
        var tracks: [EffectAddress: Track] = [:]
        for effect in effects {
            tracks[effect.address, default: Track(answers: [])].answers.append(effect.answer)
        }
        self.tracks = Mutex(tracks)
    }

    package convenience init(_ cassette: Cassette, missing: Missing = .fails) {
        self.init(cassette.effects, missing: missing)
    }

    /// A fresh player of the same recording without some of its effects, which are asked of the stages' ports instead.
    package func forgetting(_ isForgotten: (RecordedEffect) -> Bool) -> CassettePlayer {
        CassettePlayer(effects.filter { !isForgotten($0) }, missing: .asksPort)
    }

    /// The next answer to this question, the last one again when it is asked more often than it was recorded; nil where
    /// the stage's port is to answer.
    func answer(to kind: EffectKind, key: JSONValue, node: NodeID) -> RecordedEffect.Answer? {
        let address = EffectAddress(kind: kind, key: key)
        if let found = take(address) { return found }
        guard missing == .fails else { return nil }
        return .failure(
            StageFailure(
                .data,
                code: StageFailure.effectMissing,
                "the recording has no \(kind) effect for node \(node) with key digest \(address.digest)"
            )
        )
    }

    /// The failure a node ended with by running out of time in the recorded run, if it did.
    func recordedTimeout(of node: NodeID) -> StageFailure? {
        guard case .failure(let failure)? = take(EffectAddress(kind: .nodeTimeout, key: .string(node.text))) else {
            return nil
        }
        return failure
    }

    private func take(_ address: EffectAddress) -> RecordedEffect.Answer? {
        tracks.withLock { tracks in
            guard var track = tracks[address], let last = track.answers.last else { return nil }
            defer { tracks[address] = track }
            guard track.next < track.answers.count else { return last }
            track.next += 1
            return track.answers[track.next - 1]
        }
    }
}

extension EffectKind {
    /// Written for each node that ran out of time, since a replay has no slow world that would make it do so again.
    static let nodeTimeout: EffectKind = "graph.timeout"
}
