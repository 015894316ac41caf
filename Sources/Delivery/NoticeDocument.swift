import JSONDocument
import KnotDomain

/// A notice as the JSON that other systems read: `knot.notice/1`.
///
/// The device's token stays here: a system that sends on knows its people by the user's id.
enum NoticeDocument {
    static func json(_ notice: Notice) -> JSONValue {
        [
            "schema": "knot.notice/1",
            "id": .string(notice.id.description),
            "user_id": .string(notice.user.text),
            "vault_id": .string(notice.vault.text),
            "title": .string(notice.title),
            "body": .string(notice.body),
            "expires": .string(notice.expires.description),
            "occasions": .array(
                notice.occasions.map { occasion in
                    [
                        "milestone_id": .string(occasion.milestone.text),
                        "name": .string(occasion.name),
                        "day": .string(occasion.day.description),
                        "days_before": .integer(occasion.daysBefore),
                        "run_id": .string(occasion.run),
                    ]
                }
            ),
            "choices": .array(
                notice.choices.map { choice in
                    ["id": .string(choice.id), "kind": .string(choice.kind), "title": .string(choice.title)]
                }
            ),
        ]
    }

    /// One line, its members in this order.
    static func bytes(_ notice: Notice) -> [UInt8] { JSONWriter.bytes(json(notice)) }
}
