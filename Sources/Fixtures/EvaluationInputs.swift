import Console
import FileInput

/// The fixtures and recordings that an evaluation was given, in the order they were named.
package struct EvaluationInputs: Sendable {
    private struct Input: Sendable {
        let path: String
        let isRecording: Bool
    }

    private let paths: [String]
    private let inputs: [Input]

    /// Looks for them: files, and those of the folders among the paths.
    package init(_ paths: [String]) throws(FixtureError) {
        var inputs: [Input] = []
        for path in paths {
            switch FileStatus(path: path)?.kind {
            case .folder:
                inputs += try FixtureLoader.files(in: path).map { Input(path: $0, isRecording: false) }
                inputs += try FixtureLoader.recordings(in: path).map { Input(path: $0, isRecording: true) }
            // The loader says what is wrong with a file that is not there.
            case nil where !FileContents.isStandardInput(path): inputs.append(Input(path: path, isRecording: false))
            default:
                let isRecording = RecordingLoader.isRecording(try FixtureLoader.bytes(path))
                inputs.append(Input(path: path, isRecording: isRecording))
            }
        }
        self.paths = paths
        self.inputs = inputs
    }

    package var hasRecordings: Bool { inputs.contains(where: \.isRecording) }

    /// Reads them; recordings are judged by the fixtures of a folder, where one is given.
    package func cases(
        readings: ReadingsChoice,
        ratesFile: String?,
        judgedIn folder: String?,
        threads: Int
    ) throws(FixtureError) -> [FixtureCase] {
        guard !inputs.isEmpty else {
            let named = paths.joined(separator: ", ")
            throw FixtureError(.missing, file: named, "there is neither a fixture nor a recording here")
        }
        let loader = FixtureLoader(readings: readings, ratesFile: ratesFile)
        guard hasRecordings else { return try loader.load(inputs.map(\.path), threads: threads) }
        var judged: [FixtureCase] = []
        if let folder {
            let fixtures = FixtureLoader(readings: .rules, ratesFile: ratesFile)
            judged = try fixtures.load(try FixtureLoader.files(in: folder), threads: threads)
        }
        let recordings = RecordingLoader(readings: readings, judged: judged)
        var cases: [FixtureCase] = []
        for input in inputs {
            cases.append(try input.isRecording ? recordings.load(input.path) : loader.load(input.path))
        }
        return cases
    }
}
