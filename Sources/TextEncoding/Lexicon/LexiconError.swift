package import JSONDocument

/// A lexicon that cannot be used, with everything that is wrong with it.
package struct LexiconError: Error, Sendable, CustomStringConvertible {
    package let problems: [JSONProblem]

    package var description: String {
        "The lexicon has \(problems.count) problems: "
            + problems.map { "\($0.path) \($0.message)" }.joined(separator: "; ")
    }
}
