import JSONDocument

/// The reviewed tables, parsed once from the bytes embedded in the program.
struct RuleTables: Sendable {
    static let shared = RuleTables()

    let remedies: RemedyTable
    let conditions: ConditionTable
    let tastes: TasteTable
    /// The stems of every catalogue phrase of the tables, worked out when the rules first compare one.
    private static let stemsOfPhrase: [String: [UInt64]] = {
        let lists =
            shared.remedies.remedies.map(\.serves) + shared.conditions.conditions.flatMap { [$0.serves, $0.avoid] }
            + shared.tastes.tastes.values.flatMap { [$0.gifts, $0.experiences, $0.services, $0.avoid] }
        var stemsOfPhrase: [String: [UInt64]] = [:]
        for phrase in lists.joined() where stemsOfPhrase[phrase] == nil {
            stemsOfPhrase[phrase] = RulePhrase.stems(of: phrase)
        }
        return stemsOfPhrase
    }()

    private init() {
        remedies = RemedyTable(Self.document(PackageResources.remedies_json))
        conditions = ConditionTable(Self.document(PackageResources.conditions_json))
        tastes = TasteTable(Self.document(PackageResources.tastes_json))
    }

    /// As fingerprints.
    func stems(of phrase: String) -> [UInt64] { Self.stemsOfPhrase[phrase] ?? RulePhrase.stems(of: phrase) }

    private static func document(_ bytes: [UInt8]) -> JSONValue {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            preconditionFailure("An embedded table of the rules reader is no JSON document: \(error)")
        }
    }
}
