import JSONDocument
import VectorSearch

extension Embedding {
    var json: JSONValue {
        ["model": .string(model), "values": .array(values.map { .number(Double($0)) })]
    }

    init?(json: JSONValue) {
        guard let model = json["model"]?.string, let values = json["values"]?.array else { return nil }
        self.init(values.compactMap { $0.double.map(Float.init) }, model: model)
    }
}
