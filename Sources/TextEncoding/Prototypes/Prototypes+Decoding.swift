extension Prototypes {
    /// The reviewed prototypes that are part of the program.
    package static let shared: Prototypes = {
        do throws(LexiconError) {
            return try Prototypes(json: PackageResources.prototypes_json)
        } catch {
            preconditionFailure("The embedded prototypes are broken: \(error)")
        }
    }()

    /// Reads prototypes; every value of the vocabulary needs at least one text of its own.
    package init(json bytes: [UInt8]) throws(LexiconError) {
        self.init(try PrototypeReader.read(VocabularyFile(bytes, format: Self.format)))
    }
}
