import JSONDocument

/// The reviewed tables, parsed once from the bytes embedded in the program.
struct RuleTables: Sendable {
    static let shared = RuleTables()

    let remedies: RemedyTable
    let conditions: ConditionTable
    let tastes: TasteTable
    /// The stems of every catalogue phrase of the tables, worked out once.
    private let stemsOfPhrase: [String: [UInt64]]

    private init() {
        remedies = RemedyTable(Self.document(PackageResources.remedies_json))
        conditions = ConditionTable(Self.document(PackageResources.conditions_json))
        tastes = TasteTable(Self.document(PackageResources.tastes_json))
        let lists =
            remedies.remedies.map(\.serves) + conditions.conditions.flatMap { [$0.serves, $0.avoid] }
            + tastes.tastes.values.flatMap { [$0.gifts, $0.experiences, $0.services, $0.avoid] }
        var stemsOfPhrase: [String: [UInt64]] = [:]
        for phrase in lists.joined() where stemsOfPhrase[phrase] == nil {
            stemsOfPhrase[phrase] = RulePhrase.stems(of: phrase)
        }
        self.stemsOfPhrase = stemsOfPhrase
    }

    /// As fingerprints.
    func stems(of phrase: String) -> [UInt64] { stemsOfPhrase[phrase] ?? RulePhrase.stems(of: phrase) }

    private static func document(_ bytes: [UInt8]) -> JSONValue {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            preconditionFailure("An embedded table of the rules reader is no JSON document: \(error)")
        }
    }
}
