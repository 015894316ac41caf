package import Arguments

/// The verbs of this program: what each does is in one of the rooms of verbs.
extension VerbName {
    package static let run = VerbName("run")
    package static let refresh = VerbName("refresh")
    package static let explain = VerbName("explain")
    package static let history = VerbName("history")
    package static let feedback = VerbName("feedback")
    package static let learn = VerbName("learn")
    package static let vault = VerbName("vault")
    package static let hint = VerbName("hint")
    package static let importVaults = VerbName("import")
    package static let export = VerbName("export")
    package static let forget = VerbName("forget")
    package static let calendar = VerbName("calendar")
    package static let plan = VerbName("plan")
    package static let rehearse = VerbName("rehearse")
    package static let work = VerbName("work")
    package static let runDue = VerbName("run-due")
    package static let jobs = VerbName("jobs")
    package static let serve = VerbName("serve")
    package static let units = VerbName("units")
    package static let catalogue = VerbName("catalogue")
    package static let embed = VerbName("embed")
    package static let providers = VerbName("providers")
    package static let migrate = VerbName("migrate")
    package static let devDatabase = VerbName("dev-db")
    package static let check = VerbName("check")
    package static let expand = VerbName("expand")
    package static let graph = VerbName("graph")
    package static let replay = VerbName("replay")
    package static let judge = VerbName("judge")
    package static let evaluate = VerbName("evaluate")
    package static let impact = VerbName("impact")
    package static let config = VerbName("config")
    package static let doctor = VerbName("doctor")
    package static let completions = VerbName("completions")
}

extension VerbName {
    /// The verbs under the headings of the overview, in its order.
    package static let groups: KeyValuePairs<String, [VerbName]> = [
        "Choose": [.run, .refresh, .explain, .history, .feedback, .learn],
        "Vaults": [.vault, .hint, .importVaults, .export, .forget],
        "Reminders": [.calendar, .plan, .rehearse, .work, .runDue, .jobs, .serve, .units],
        "Offers and services": [.catalogue, .embed, .providers],
        "Database": [.migrate, .devDatabase],
        "Pipelines and measuring": [.check, .expand, .graph, .replay, .judge, .evaluate, .impact],
        "This program": [.config, .doctor, .completions, .version, .help],
    ]

    package static let allCases = groups.flatMap(\.value)

    /// Every verb except these.
    static func all(but others: [VerbName]) -> [VerbName] { allCases.filter { !others.contains($0) } }
}
