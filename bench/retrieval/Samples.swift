import JSONDocument

/// The queries and the unjudged products that were drawn once, so that every run measures the same ones.
///
/// They were drawn by Python's `random.Random(seed).sample` from the files' order: 60 queries of msrd with seed 11, 60
/// queries in scope of clinc150 with seed 12, and 1,000 products nobody judged with seed 11.
package enum Samples {
    package static func ids(_ name: String) throws(RetrievalError) -> [String] {
        let samples: JSONValue
        do throws(JSONSyntaxError) {
            samples = try JSONParser.parse(PackageResources.samples_json)
        } catch {
            throw RetrievalError("samples.json is not JSON: \(error)")
        }
        guard let ids = samples[name]?.array?.compactMap(\.string), !ids.isEmpty else {
            throw RetrievalError("samples.json has no \(name)")
        }
        return ids
    }
}
