package import Verbs

extension Verb {
    /// Reminders, workers, services and the database.
    package static let ofOperators: [Verb] = [
        .importVaults, .export,
        .plan, .rehearse, .work, .runDue, .jobs, .serve, .units,
        .providers, .migrate, .devDatabase, .doctor,
    ]
}
