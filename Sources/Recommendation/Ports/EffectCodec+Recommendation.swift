import JSONDocument
import KnotDomain
package import StageGraph
package import VectorSearch

extension EffectCodec where Value == Vault {
    static var vault: Self {
        Self(encode: \.json) { Vault(reading: JSONReader($0)) }
    }
}

extension EffectCodec where Value == Instant {
    static var instant: Self {
        Self(encode: { .string($0.iso8601) }) { $0.string.flatMap(Instant.init(iso8601:)) }
    }
}

extension EffectCodec where Value == VaultReading {
    static func reading(of vault: Vault) -> Self {
        let known = Set(vault.hints.map(\.id))
        return Self(encode: \.json) { VaultReading(reading: JSONReader($0), knownHints: known) }
    }
}

extension EffectCodec where Value == AvailabilityProbe {
    package static var probe: Self { Self(encode: \.json, decode: AvailabilityProbe.init(json:)) }
}

extension EffectCodec where Value == [Embedding?] {
    /// Null for each that there was no time for.
    package static var embeddings: EffectCodec<[Embedding?]> {
        Self(encode: { .array($0.map { $0?.json ?? .null }) }) { value in
            guard let items = value.array else { return nil }
            let found = items.map(Embedding.init(json:))
            return zip(items, found).allSatisfy { $0.isNull == ($1 == nil) } ? found : nil
        }
    }
}

extension EffectCodec where Value == Bool {
    static var flag: Self { Self(encode: { .bool($0) }, decode: \.bool) }
}

extension EffectKind {
    package static var vaultRead: Self { "vault.read" }
    package static var hintReading: Self { "hint.reading" }
    package static var providerSearch: Self { "provider.search" }
    package static var embedding: Self { "text.embedding" }
    package static var availabilityProbe: Self { "availability.probe" }
    package static var clock: Self { "clock.now" }
    package static var write: Self { "choices.write" }
}

extension Embedding {
    /// Zeros at the end are left out: models of half the length are filled up with them.
    var json: JSONValue {
        let count = values.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        return ["model": .string(model), "values": .array(values.prefix(count).map { .number(Double($0)) })]
    }

    init?(json: JSONValue) {
        guard let model = json["model"]?.string, let written = json["values"]?.array else { return nil }
        let values = written.compactMap { $0.double.map(Float.init) }
        guard values.count == written.count, values.count <= Self.dimension else { return nil }
        let filled = values + [Float](repeating: 0, count: Self.dimension - values.count)
        self.init(filled, model: model)
    }
}
