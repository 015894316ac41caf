import JSONDocument
import VectorSearch

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
