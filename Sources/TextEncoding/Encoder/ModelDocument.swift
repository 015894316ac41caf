import JSONDocument

/// One of a model's JSON files while it is read.
struct ModelDocument {
    let path: String
    let root: JSONReader

    /// The most bytes of a file; the largest there is holds a vocabulary.
    private static let mostBytes = 64 << 20

    init(path: String) throws(EncoderError) {
        let file = try ModelFile(path)
        guard file.count <= Self.mostBytes else {
            throw EncoderError(
                .damaged,
                path,
                "it has \(file.count) bytes, and settings have at most \(Self.mostBytes)"
            )
        }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(file.copy(0..<file.count))
        } catch {
            throw EncoderError(.damaged, path, "it is no JSON at \(error)")
        }
        self.path = path
        root = JSONReader(value)
    }

    /// Nil when there is no such file.
    init?(ifPresent path: String) throws(EncoderError) {
        do throws(EncoderError) {
            try self.init(path: path)
        } catch {
            guard error.code == .incomplete else { throw error }
            return nil
        }
    }

    /// Throws everything that readers of this document have noted.
    func check() throws(EncoderError) {
        let problems = root.problems.list
        guard !problems.isEmpty else { return }
        throw EncoderError(.damaged, path, problems.map { "\($0.path) \($0.message)" }.joined(separator: "; "))
    }

    func unsupported(_ detail: String) -> EncoderError { EncoderError(.unsupported, path, detail) }
}
