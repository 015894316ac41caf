extension VaultImporter {
    /// Imports files as they come, a few side by side; memory holds only those under way.
    ///
    /// A file that is wrong is noted and does not stop the others; a database that fails does. `next` returns nil at
    /// the end and is called by one task at a time.
    package func addAll(
        lanes: Int,
        replaces: Bool = false,
        limit: Duration = .seconds(60),
        next: () async -> ImportSource?,
        progress: (ImportProgress) async -> Void = { _ in }
    ) async -> ImportSummary {
        await withTaskGroup(of: (String, Result<ImportOutcome, MovingError>).self) { group in
            var summary = ImportSummary()
            var underWay = 0
            while true {
                while underWay < max(1, lanes), summary.stoppedBy == nil, !Task.isCancelled, let source = await next() {
                    underWay += 1
                    group.addTask { (source.name, await self.result(source, replaces: replaces, limit: limit)) }
                }
                guard let (name, result) = await group.next() else { return summary }
                underWay -= 1
                Self.count(result, of: name, in: &summary)
                await progress(summary.progress)
            }
        }
    }

    private func result(
        _ source: ImportSource,
        replaces: Bool,
        limit: Duration
    ) async -> Result<ImportOutcome, MovingError> {
        do throws(MovingError) {
            let document = try FixtureDocument(
                parsing: source.bytes,
                readings: source.readings,
                rates: source.rates
            )
            return .success(try await add(document, replaces: replaces, until: .now + limit))
        } catch {
            return .failure(error)
        }
    }

    private static func count(
        _ result: Result<ImportOutcome, MovingError>,
        of name: String,
        in summary: inout ImportSummary
    ) {
        switch result {
        case .success(let outcome): summary.progress.count(outcome.change)
        case .failure(let error):
            summary.progress.failed += 1
            if summary.failures.count < ImportSummary.failuresKept {
                summary.failures.append(ImportSummary.Failure(name: name, error: error))
            }
            if case .database = error.code { summary.stoppedBy = summary.stoppedBy ?? error }
        }
    }
}
