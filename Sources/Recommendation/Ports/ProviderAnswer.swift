package import JSONDocument
import KnotDomain
import StageGraph
import Synchronization

/// What a provider answered, and in what the answer falls short of the question.
struct ProviderAnswer: Sendable {
    /// Doubled ids stay doubled: what a stage makes of them is part of what is replayed.
    let candidates: [Candidate]
    /// Sentences without hint texts.
    let shortfalls: [String]
}

/// Notes of what a provider could not do for a query; providers that ask others pass it on.
package final class ShortfallLog: Sendable {
    private let state = Mutex<[String]>([])

    package init() {}

    /// Notes a sentence without hint texts; the same one counts once.
    package func note(_ sentence: String) {
        state.withLock { sentences in
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
    }

    package var sentences: [String] { state.withLock { $0 } }
}

extension EffectCodec where Value == ProviderAnswer {
    /// A list of candidates; an object with the list where the answer falls short.
    static var answer: Self {
        Self { answer in
            let list = JSONValue.array(answer.candidates.map(\.json))
            guard !answer.shortfalls.isEmpty else { return list }
            return ["candidates": list, "shortfalls": JSONValue(answer.shortfalls)]
        } decode: { value in
            let reader = JSONReader(value.recordedCandidates)
            let candidates = reader.items().compactMap { Candidate(reading: $0) }
            let shortfalls = value["shortfalls"]?.array?.map(\.string) ?? []
            guard reader.problems.list.isEmpty, !shortfalls.contains(nil) else { return nil }
            return ProviderAnswer(candidates: candidates, shortfalls: shortfalls.compactMap(\.self))
        }
    }
}

extension JSONValue {
    /// The list of candidates in what a recording has of a provider's answer.
    package var recordedCandidates: JSONValue { self["candidates"] ?? self }
}
