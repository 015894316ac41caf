import JSONDocument

/// The reviewed tables, parsed once from the bytes embedded in the program.
struct RuleTables: Sendable {
    static let shared = RuleTables()

    let remedies: RemedyTable
    let conditions: ConditionTable
    let tastes: TasteTable

    private init() {
        remedies = RemedyTable(Self.document(PackageResources.remedies_json))
        conditions = ConditionTable(Self.document(PackageResources.conditions_json))
        tastes = TasteTable(Self.document(PackageResources.tastes_json))
    }

    private static func document(_ bytes: [UInt8]) -> JSONValue {
        do {
            return try JSONParser.parse(bytes)
        } catch {
            preconditionFailure("An embedded table of the rules reader is no JSON document: \(error)")
        }
    }
}
