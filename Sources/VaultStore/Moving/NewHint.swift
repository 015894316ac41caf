import Digest
import JSONDocument
import KnotDomain

/// What became of hints that were to be added.
package struct AddedHints: Sendable, Hashable {
    /// In the order of the texts.
    package let ids: [PostgresUUID]
    /// How many were not there before.
    package let newCount: Int
}

/// A hint on its way into a vault, whose id says what it is: asked for again, it is the same row.
struct NewHint: Sendable {
    let id: PostgresUUID
    private let text: String
    private let source: Hint.Source
    private let place: Int

    /// The same words twice in one list are two hints.
    static func list(_ texts: [String], source: Hint.Source, request: String, vault: PostgresUUID) -> [NewHint] {
        var counts: [String: Int] = [:]
        return texts.enumerated().map { place, text in
            let number = counts[text, default: 0]
            counts[text] = number + 1
            let name: JSONValue = [
                "vault": .string(vault.description), "request": .string(request), "source": .string(source.rawValue),
                "text": .string(text), "number": .integer(number),
            ]
            return NewHint(id: PostgresUUID(naming: name), text: text, source: source, place: place)
        }
    }

    func check(at moment: Instant, of count: Int) throws(MovingError) {
        let reader = JSONReader(
            [
                "id": .string(id.description), "text": .string(text), "source": .string(source.rawValue),
                "created_at": .string(moment.iso8601),
            ]
        )
        guard Hint(reading: reader) == nil else { return }
        let which = count == 1 ? "the hint cannot be kept" : "hint \(place + 1) of \(count) cannot be kept, so none is"
        throw MovingError(.invalid, which, problems: reader.problems.list)
    }

    /// The row of one of `count` hints that were noticed in their order: the last at the moment, each before it a
    /// millisecond earlier, so that the order stays and a later one can take back an earlier one.
    func row(at moment: Instant, of count: Int) -> JSONObject {
        let (earlier, overflows) = moment.millisecondsSinceEpoch.subtractingReportingOverflow(Int64(count - 1 - place))
        let noticed = overflows ? moment : Instant(millisecondsSinceEpoch: earlier)
        return JSONObject([
            .init(name: "id", value: .string(id.description)),
            .init(name: "hint_text", value: .string(text.withoutZeros)),
            .init(name: "source", value: .string(source.rawValue)),
            .init(name: "created_at", value: .string(noticed.iso8601)), .init(name: "is_used", value: false),
        ])
    }
}
