import KnotDomain
package import StageGraph
package import TextEncoding
import TextReading
import VectorSearch

/// Asks the embedder where offers, phrases and prototypes lie in meaning.
///
/// Everything that later stages compare by meaning is asked for here, what decides most first, and what was answered in
/// time counts. The offers come in an order that words decide, and no more of them than a fixed number, so that what is
/// looked at hangs on the clock only where time runs out.
package struct RelateMeaning: TransformStage {
    package static let kind = "relate.meaning"
    package static let revision = 3
    package static let role = StageRole.relater
    package static let summary = "Computes how near offers, phrases and prototypes are in meaning."
    static let pool = InputPort<Pool<Offer>>("pool")
    static let digest = InputPort<HintDigest>("hints")
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [pool.declaration, digest.declaration, brief.declaration]

    static let patience = Parameter<Double>(
        "patience_s",
        default: 6,
        in: 0.01...60,
        "Time limit for all embedding calls, at most half of the run's remaining time; then words decide."
    )
    static let most = Parameter<Int>(
        "most",
        default: 600,
        in: 1...100_000,
        "Most offers to embed, those nearest by words first."
    )
    package static let parameters = [patience.declaration, most.declaration]

    /// Offers of one call.
    private static let crowd = 128

    private let patience: Duration
    private let most: Int
    private let ports: StagePorts
    private let prototypes: Prototypes

    package init(_ parameters: ParameterValues, ports: StagePorts, prototypes: Prototypes = .shared) {
        patience = .milliseconds(Int64(parameters[Self.patience] * 1_000))
        most = parameters[Self.most]
        self.ports = ports
        self.prototypes = prototypes
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> EmbeddingFeatures {
        let offers = try inputs.value(Self.pool).items
        let digest = try inputs.value(Self.digest)
        let vault = try inputs.value(Self.brief).vault
        guard let embedder = ports.embedder else {
            context.note("no_embedder", "there is no embedder; candidates were compared by words alone", degrades: true)
            return .unknown
        }
        guard let profile = embedder.profile else {
            context.note(
                "no_profile",
                "nobody found out what the cosines of \(embedder.model) mean (embed --calibrate does); candidates were compared"
                    + " by words alone",
                degrades: true
            )
            return .unknown
        }
        let free = (vault.likes + vault.dislikes).filter { $0.known == nil }.map(\.name)
        let phrases = (digest.serves.map(\.text) + digest.avoids.filter { !$0.isList }.map(\.text) + free).map(
            MeaningText.of(phrase:)
        )
        embedder.expect(again: phrases)
        let looked = shortlist(offers, digest, vault, in: context)
        let question = MeaningQuestion(looked, phrases, prototypes) {
            looked.count > Self.crowd
                ? looked.indices.map(\.self) : MeaningShortlist.order(looked, digest, likes: vault.likes)
        }
        do throws(StageFailure) {
            return try await meaning(question, by: embedder, profile, in: context)
        } catch {
            // Words carry the run on; only what says nothing of the embedder ends it.
            guard Self.isTolerated(error) else { throw error }
            context.note(error, answered: 0, of: question.texts.count)
            return .unknown
        }
    }

    private static func isTolerated(_ failure: StageFailure) -> Bool {
        failure.failureClass == .provider || failure.failureClass == .platform
    }

    /// All offers in their own order where one call is enough for them, else the best by words.
    private func shortlist(
        _ offers: [Offer],
        _ digest: HintDigest,
        _ vault: Vault,
        in context: StageContext
    ) -> [Offer] {
        guard offers.count > min(most, Self.crowd) else { return offers }
        let order = MeaningShortlist.order(offers, digest, likes: vault.likes)
        if order.count > most {
            context.note(
                "compared_by_words",
                "\(most) of \(order.count) candidates were looked at for their meaning, those whose words come nearest; "
                    + "words had to do for the others",
                degrades: false
            )
        }
        return order.prefix(most).map { offers[$0] }
    }

    private func meaning(
        _ question: MeaningQuestion,
        by embedder: any TextEmbedder,
        _ profile: CosineProfile,
        in context: StageContext
    ) async throws(StageFailure) -> EmbeddingFeatures {
        let all = question.texts
        guard !all.isEmpty else { return .unknown }
        // On the call's own clock, which only counts down; half is kept for the words, should they have to do.
        let left = context.timeLeft
        let end = left - min(patience, left * 0.5)
        var vectors: [String: Embedding] = [:]
        var done = 0
        var failure: StageFailure?
        while done < all.count, failure == nil {
            let next = done..<min(done + Self.crowd, all.count)
            do throws(StageFailure) {
                let found = try await question.vectors(of: next, by: embedder, until: end, in: context)
                vectors.merge(found.vectors) { known, _ in known }
                failure = found.isWhole ? nil : .embedderIsSlow
            } catch {
                guard done > 0, Self.isTolerated(error) else { throw error }
                failure = error
            }
            done = next.upperBound
        }
        // A part of the phrases or of the prototypes would tell a wrong story of every offer.
        let columns = question.columns.prefix { vectors[$0] != nil }
        let rows = columns.count < question.phrases.count ? [] : all.filter { vectors[$0] != nil }
        if let failure { context.note(failure, answered: rows.count, of: all.count) }
        let known = columns.count < question.columns.count ? columns.prefix(question.phrases.count) : columns
        let cosines: SimilarityTable
        do {
            cosines = try KernelSimilarity().similarities(
                of: rows.compactMap { vectors[$0] },
                to: known.compactMap { vectors[$0] }
            )
        } catch {
            throw StageFailure(.provider, code: "mixed_models", error.description)
        }
        let places = Dictionary(rows.enumerated().map { ($1, $0) }) { first, _ in first }
        return EmbeddingFeatures(
            question.items.compactMap { item, text in places[text].map { (item: item, row: $0) } },
            vectors: rows.compactMap { vectors[$0] },
            columns: Dictionary(known.enumerated().map { ($1, $0) }) { first, _ in first },
            cosines: cosines,
            profile: profile
        )
    }
}

extension StageContext {
    /// Says how far the embedder came; words do for the rest.
    fileprivate func note(_ failure: StageFailure, answered: Int, of count: Int) {
        let (code, how) = failure.isDeadline ? ("embedder_slow", "was too slow") : ("embedder_failed", "failed")
        let who = answered == 0 ? "candidates were compared by words alone" : "words had to do for the rest"
        note(
            code,
            "the embedder \(how) (\(failure.code)): it answered for \(answered) of \(count) candidates; \(who)",
            degrades: true
        )
    }
}

/// The offers whose meaning is looked at first: those whose words come nearest to what would serve.
///
/// It depends on the offers, the phrases and the likes alone: neither on the order of the offers nor on any clock.
enum MeaningShortlist {
    /// What names a thing that is ruled out as surely as this, by words, is looked at last.
    private static let offence = 0.65
    /// A like without a hint is a guess.
    private static let likeWeight = 0.25

    /// The places of offers, those that are worth most first; ties by id.
    static func order(_ offers: [Offer], _ digest: HintDigest, likes: [Interest]) -> [Int] {
        let index = LexicalIndex(offers)
        let serves = index.coverage(of: digest.serves.map(\.stems))
        let liked = index.coverage(of: likes.map { TokenizedText($0.name).contentFingerprints })
        let avoids = AvoidMatcher(index).table(for: digest.avoids)
        let ranks = offers.indices.map { place -> (isOffending: Bool, worth: Double) in
            let served = digest.serves.indices.reduce(0.0) { best, column in
                max(best, digest.serves[column].weight * serves[place * digest.serves.count + column])
            }
            let wished = likes.indices.reduce(0.0) { max($0, liked[place * likes.count + $1]) }
            let offence = digest.avoids.indices.reduce(0.0) { max($0, avoids[place * digest.avoids.count + $1]) }
            return (offence >= Self.offence, served + Self.likeWeight * wished)
        }
        return offers.indices.sorted { left, right in
            if ranks[left].isOffending != ranks[right].isOffending { return ranks[right].isOffending }
            if ranks[left].worth != ranks[right].worth { return ranks[left].worth > ranks[right].worth }
            return offers[left].itemID < offers[right].itemID
        }
    }
}
