import Evaluation
import FileInput
import KnotDomain

/// The fixtures and recordings that an evaluation was given, in the order they were named.
struct EvaluatedInputs: Sendable {
    private let options: EvaluateVerbOptions
    private let loader: FixtureLoader

    init(_ options: EvaluateVerbOptions) {
        self.options = options
        loader = FixtureLoader(readings: options.readings.choice, ratesFile: options.rates)
    }

    func cases() throws(CommandError) -> [FixtureCase] {
        let files: [(path: String, isRecording: Bool)]
        do throws(FixtureError) {
            files = try found()
        } catch {
            throw CommandError(error)
        }
        let hasRecordings = files.contains(where: \.isRecording)
        if options.namesFolderToo, !hasRecordings {
            throw .usage(
                .evaluate,
                "the fixtures are named twice",
                todo: "use --fixtures DIR or FILE|DIR, not both; only recordings find their judgments in DIR"
            )
        }
        do throws(FixtureError) {
            guard !files.isEmpty else {
                let named = options.fixtures.joined(separator: ", ")
                throw FixtureError(.missing, file: named, "there is neither a fixture nor a recording here")
            }
            let judged = hasRecordings ? try judged() : []
            let recordings = RecordingLoader(readings: options.readings.choice, judged: judged)
            var cases: [FixtureCase] = []
            for file in files {
                cases.append(try file.isRecording ? recordings.load(file.path) : loader.load(file.path))
            }
            return cases
        } catch {
            throw CommandError(error)
        }
    }

    private func found() throws(FixtureError) -> [(path: String, isRecording: Bool)] {
        var files: [(path: String, isRecording: Bool)] = []
        for path in options.fixtures {
            switch FileStatus(path: path)?.kind {
            case .folder:
                files += try FixtureLoader.files(in: path).map { ($0, false) }
                files += try FixtureLoader.recordings(in: path).map { ($0, true) }
            // The loader says what is wrong with a file that is not there.
            case nil where !FileContents.isStandardInput(path): files.append((path, false))
            default: files.append((path, RecordingLoader.isRecording(try FixtureLoader.bytes(path))))
            }
        }
        return files
    }

    /// Where no folder was asked for and the usual one is not there, recordings are not judged.
    private func judged() throws(FixtureError) -> [FixtureCase] {
        guard options.namesFolderToo || FileStatus(path: options.judgments)?.kind == .folder else { return [] }
        let fixtures = FixtureLoader(readings: .rules, ratesFile: options.rates)
        var judged: [FixtureCase] = []
        for file in try FixtureLoader.files(in: options.judgments) { judged.append(try fixtures.load(file)) }
        return judged
    }
}
