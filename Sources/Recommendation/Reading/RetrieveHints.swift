import KnotDomain
package import StageGraph
import TextEncoding
import TextReading

#if canImport(Glibc)
import Glibc
#endif

/// Ranks the hints by what they can do for this occasion and collects their phrases.
///
/// A hint weighs its reading's strength, a little less with age and much less once it was used; hints that say the same
/// thing again lift one another instead of crowding.
package struct RetrieveHints: TransformStage {
    package static let kind = "retrieve.hints"
    package static let revision = 4
    package static let role = StageRole.retriever
    package static let summary = "Ranks the hints for this occasion and collects the phrases to search and filter with."
    static let brief = InputPort<Brief>("brief")
    static let understanding = InputPort<HintUnderstanding>("readings")
    package static let inputs = [brief.declaration, understanding.declaration]

    static let halfLife = Parameter<Double>(
        "half_life_days",
        default: 540,
        in: 1...36_500,
        "Days after which the fading part of a hint's weight has halved."
    )
    static let fading = Parameter<Double>(
        "fading",
        default: 0.15,
        in: 0...1,
        "Share of a hint's weight that fades with age."
    )
    static let usedWeight = Parameter<Double>(
        "used_weight",
        default: 0.4,
        in: 0...1,
        "Factor for the weight of a hint that an earlier set used."
    )
    static let repetition = Parameter<Double>(
        "repetition",
        default: 0.1,
        in: 0...1,
        "Weight that each repetition of a hint adds, for at most two repetitions."
    )
    static let ownWords = Parameter<Double>(
        "own_words",
        default: 0.3,
        in: 0...1,
        "Weight of a hint's own words beside the phrases that serve it."
    )
    /// The weight of phrases for the vault as a whole.
    private static let vaultWeight = 0.45
    package static let parameters = [
        halfLife.declaration, fading.declaration, usedWeight.declaration, repetition.declaration, ownWords.declaration,
    ]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> HintDigest {
        let brief = try inputs.value(Self.brief)
        let understanding = try inputs.value(Self.understanding)
        let read = brief.vault.hints.compactMap { hint in understanding.hints[hint.id].map { (hint, $0) } }
        // One for all, since setting out anew costs as much as reading a few words.
        var hintReader = TokenizedText.Reader(limit: Self.wordLimit)
        let serving = read.map { $0.1.serves.map(PhraseReading.of) }
        let echoes = HintEchoes(serving.map { $0.flatMap(\.stems) }, strong: read.map { $0.1.strength > 0 })
        var ranked: [HintDigest.RankedHint] = []
        for (index, (hint, reading)) in read.enumerated() {
            ranked.append(
                HintDigest.RankedHint(
                    hint: hint,
                    reading: reading,
                    weight: weight(of: hint, reading, repeats: echoes.count(of: index), at: brief.asOf),
                    words: hintReader.read(hint.text),
                    serving: serving[index]
                )
            )
        }
        ranked.sort { ($0.weight, $1.hint.id) > ($1.weight, $0.hint.id) }
        return digest(ranked, understanding)
    }

    /// Words read of one hint: they are short by contract.
    private static let wordLimit = 120

    private func weight(of hint: Hint, _ reading: HintReading, repeats: Int, at now: Instant) -> Double {
        guard reading.strength > 0, !reading.serves.isEmpty else { return 0 }
        let days = max(0, Double(now.secondsSinceEpoch - hint.createdAt.secondsSinceEpoch) / 86_400)
        let fading = parameters[Self.fading]
        let age = 1 - fading + fading * Power.half(days / parameters[Self.halfLife])
        let use = hint.isUsed ? parameters[Self.usedWeight] : 1
        let echo = 1 + parameters[Self.repetition] * Double(repeats)
        return min(1, reading.strength * age * use * echo)
    }

    private static func isOwn(_ reading: HintReading) -> Bool { [.partner, .couple].contains(reading.subject) }

    private func digest(_ ranked: [HintDigest.RankedHint], _ understanding: HintUnderstanding) -> HintDigest {
        var serves: [HintDigest.Phrase] = []
        var avoids: [HintDigest.Phrase] = []
        var allHarms = HarmSet.none
        // What a note names itself; what it only suggests may well be what somebody else is to have.
        var wished: [UInt64: Instant] = [:]
        for entry in ranked where entry.weight > 0 && Self.isOwn(entry.reading) {
            for stem in entry.words.contentFingerprints {
                wished[stem] = max(wished[stem] ?? entry.hint.createdAt, entry.hint.createdAt)
            }
        }
        let overruling = Dictionary(ranked.flatMap { by in by.reading.overrules.map { ($0, by.hint.id) } }) { $1 }
        for entry in ranked {
            let isStrict = entry.reading.limits.contains(where: StrictLimits.has)
            if entry.weight > 0 {
                serves += entry.serving.map {
                    HintDigest.Phrase(
                        text: $0.text,
                        weight: entry.weight,
                        hint: entry.hint.id,
                        stems: $0.stems,
                        condition: isStrict ? $0.condition : nil,
                        reading: $0
                    )
                }
                if parameters[Self.ownWords] > 0, [.wants, .needs, .likes].contains(entry.reading.stance) {
                    serves.append(
                        HintDigest.Phrase(
                            text: entry.hint.text,
                            weight: entry.weight * parameters[Self.ownWords],
                            hint: entry.hint.id,
                            isOwnWords: true,
                            stems: entry.words.contentFingerprints
                        )
                    )
                }
            }
            let avoided = entry.reading.avoid.map(PhraseReading.of)
            let harms =
                isStrict ? HarmSet(limits: entry.reading.limits, avoiding: avoided.flatMap(\.things)) : .none
            allHarms.formUnion(harms)
            let kinds = harms.each.map { (phrase: PhraseReading.of($0.kinds), harms: $0) }
            // What somebody else is to have may be wished for as well, and no sooner.
            let isAnothers = !isStrict && !Self.isOwn(entry.reading)
            let ruled = avoided.filter { phrase in
                let things = isAnothers ? phrase.leadingThings : []
                return !things.compactMap { wished[$0.head] }.contains { $0 >= entry.hint.createdAt }
            }
            // What a liking would have served is ruled out by the note that took the liking back.
            let source = (entry.reading.stance == .avoids ? nil : overruling[entry.hint.id]) ?? entry.hint.id
            avoids += (ruled.map { (phrase: $0, harms: harms.spoken(of: $0.harm)) } + kinds).map {
                HintDigest.Phrase(
                    text: $0.phrase.text,
                    weight: 1,
                    hint: source,
                    isStrict: isStrict,
                    harms: $0.harms,
                    reading: $0.phrase
                )
            }
        }
        serves += understanding.serves.map(PhraseReading.of).map {
            HintDigest.Phrase(text: $0.text, weight: Self.vaultWeight, hint: nil, stems: $0.stems, reading: $0)
        }
        avoids += understanding.avoid.map(PhraseReading.of).map {
            HintDigest.Phrase(text: $0.text, weight: 1, hint: nil, harms: allHarms.spoken(of: $0.harm), reading: $0)
        }
        return HintDigest(ranked: ranked, serves: serves, avoids: avoids)
    }
}

/// The few powers the weights need.
enum Power {
    /// One half to the given power.
    static func half(_ exponent: Double) -> Double { exp2(-exponent) }

    /// The power to which two has to be raised.
    static func exponent(ofTwo value: Double) -> Double { log2(value) }
}
