import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph
import Synchronization
package import TextEncoding
package import VectorSearch

/// No outside at all: what a replay has, since every effect is answered from its recording.
package struct ReplayPorts: VaultSource, HintReader, CandidateProvider, AvailabilityChecker, ChoiceSink, WallClock,
    ZoneSource
{
    /// The reader that made the recorded readings.
    package let name: String
    /// Those of the providers that were recorded, since a question is known by what its provider can do.
    package let capabilities: [ProviderCapability]

    package init(readerName: String = "none", providers: [ProviderCapability] = ProviderCapability.wellKnown) {
        name = readerName
        capabilities = providers
    }

    private func refuse(_ what: String) -> StageFailure {
        StageFailure(.stage, code: "unplugged", "\(what) was asked for where there is no outside")
    }

    package func vault(_ id: VaultID) async throws(StageFailure) -> Vault { throw refuse("a vault") }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading { throw refuse("a reading") }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        throw refuse("a provider")
    }

    package func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        throw refuse("a page")
    }

    package func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { throw refuse("a store") }

    /// Never asked: the clock is an effect, and a replay answers effects.
    package func now() -> Instant { Instant(millisecondsSinceEpoch: 0) }
    package func rules(named name: String) -> ZoneRules? { nil }
    package var version: String? { nil }
}

/// The embedder a replay has: it has the recorded one's name, and makes nothing.
package struct ReplayEmbedder: TextEmbedder {
    package let model: String
    package let profile: CosineProfile?

    package init(model: String, profile: CosineProfile? = .reference) {
        self.model = model
        self.profile = profile
    }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        throw StageFailure(.stage, code: "unplugged", "an embedding was asked for where there is no outside")
    }
}

/// The embedder of a replay: it has the vectors that were recorded, and makes none.
///
/// A recording knows each call by a digest of its texts, which are private. Once the recorded plan has asked its
/// questions again, every vector is known by its text, and another plan may ask for them in any company.
package final class RecordedEmbedder: TextEmbedder {
    package let model: String
    package let profile: CosineProfile?
    private let calls: [[UInt8]: [Embedding?]]
    private let known = Mutex<[String: Embedding]>([:])

    package init(model: String, profile: CosineProfile? = .reference, _ effects: [RecordedEffect]) {
        self.model = model
        self.profile = profile
        var calls: [[UInt8]: [Embedding?]] = [:]
        for effect in effects where effect.kind == .embedding {
            guard case .value(let value) = effect.answer else { continue }
            calls[Self.name(effect.key)] = EmbedderCall.vectors(in: value)
        }
        self.calls = calls
    }

    /// False where no call of the recording was answered.
    package var hasVectors: Bool { !calls.isEmpty }

    package func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        if let vectors = calls[Self.name(EmbedderCall.key(of: texts, model: model))], vectors.count == texts.count {
            known.withLock { known in
                for (text, vector) in zip(texts, vectors) { known[text] = vector }
            }
        }
        let found = known.withLock { known in texts.map { known[$0] } }
        let vectors = found.compactMap(\.self)
        guard vectors.count == texts.count else {
            let missing = texts.count - vectors.count
            throw StageFailure(
                .provider,
                code: StageFailure.notRecorded,
                "the recording has no vector for \(missing) of \(texts.count) texts"
            )
        }
        return vectors
    }

    private static func name(_ key: JSONValue) -> [UInt8] { JSONWriter.bytes(key, style: .canonical) }
}

/// Readings that were made before and stored beside a vault.
package struct RecordedReader: HintReader {
    package let name = "recorded"
    private let reading: VaultReading

    package init(_ reading: VaultReading) {
        self.reading = reading
    }

    package func reading(
        of vault: Vault,
        tier: OccasionTier,
        asOf: Instant
    ) async throws(StageFailure) -> VaultReading {
        reading
    }
}
