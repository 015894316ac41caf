import JSONDocument

/// One thing wrong with a pipeline, where it is written, and what would fit.
package struct PipelineProblem: Sendable, Hashable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package let file: String
    package let path: String
    /// The line of the path in its file, where a file was read.
    package internal(set) var line: Int?
    package let message: String
    package let severity: Severity

    package init(file: String, path: String, message: String, severity: Severity = .error) {
        self.file = file
        self.path = path
        self.message = message
        self.severity = severity
    }

    init(_ place: SourcePlace, _ message: String, _ severity: Severity = .error) {
        self.init(file: place.file, path: place.path, message: message, severity: severity)
    }

    init(_ problem: JSONProblem, in file: String) {
        self.init(file: file, path: problem.path, message: problem.message)
    }

    package var description: String { "\(place): \(message)" }

    /// The file, the line in it where it is known, and the path.
    package var place: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(path)" }
}

extension [PipelineProblem] {
    /// The same problems, each with its line in the one of the files that it is about.
    func located(in files: [DefinitionFile]) -> [PipelineProblem] {
        map { problem in
            guard problem.line == nil, let file = files.first(where: { $0.name == problem.file }) else {
                return problem
            }
            var problem = problem
            problem.line = JSONLine.number(of: problem.path, in: file.bytes)
            return problem
        }
    }
}

/// A pipeline that cannot be used, with every problem it has.
package struct PipelineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why a file that was asked for could not be read; nil when what was read is wrong.
    package let unread: DefinitionSourceError.Code?
    package let problems: [PipelineProblem]

    package init(_ problems: [PipelineProblem], unread: DefinitionSourceError.Code? = nil) {
        self.problems = problems
        self.unread = unread
    }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Finds what somebody may have meant.
package enum NearestName {
    /// A sentence such as `; did you mean "pool"?`, or the known names when none is near.
    package static func hint(for name: String, among known: [String]) -> String {
        guard !known.isEmpty else { return "; there is none" }
        let ranked = known.map { (name: $0, distance: distance(name, $0)) }.min { left, right in
            (left.distance, left.name) < (right.distance, right.name)
        }
        if let ranked, ranked.distance <= max(2, name.count / 3) { return "; did you mean \"\(ranked.name)\"?" }
        return "; known: " + known.sorted().prefix(24).joined(separator: ", ") + (known.count > 24 ? ", …" : "")
    }

    /// How many letters must be put in, taken out or changed; only beginnings count in very long names.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(64).utf8)
        let right = Array(right.prefix(64).utf8)
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(min(above, row[j]) + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
