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

extension Notice {
    /// The JSON that other systems get, byte for byte.
    package var document: String { JSONWriter.text(NoticeDocument.json(self)) }

    /// Reads a notice from its document, for the device that its person has now, or returns `nil` for any other text.
    package init?(repeating document: String, device: Device?) {
        guard let value = try? JSONParser.parse(Array(document.utf8)) else { return nil }
        let reader = JSONReader(value)
        let occasions = reader.required("occasions")?.items().compactMap { Occasion(reading: $0) } ?? []
        let choices = reader.required("choices")?.items().compactMap { Choice(reading: $0) } ?? []
        guard let id = reader.required("id")?.string(), let user = reader.required("user_id")?.string(),
            let vault = reader.required("vault_id")?.string(), let title = reader.required("title")?.string(),
            let body = reader.required("body")?.string(), let expires = reader.required("expires")?.instant(),
            reader.problems.list.isEmpty
        else { return nil }
        self.init(
            id: NoticeID(id),
            user: UserID(user),
            vault: VaultID(vault),
            title: title,
            body: body,
            occasions: occasions,
            choices: choices,
            device: device,
            expires: expires,
            isRepeated: true
        )
        // Another version may write it with other bytes.
        if self.document != document { return nil }
    }
}

extension Notice.Occasion {
    fileprivate init?(reading reader: JSONReader) {
        guard let milestone = reader.required("milestone_id")?.string(), let name = reader.required("name")?.string(),
            let day = reader.required("day")?.civilDate(), let daysBefore = reader.required("days_before")?.int(),
            let run = reader.required("run_id")?.string()
        else { return nil }
        self.init(milestone: MilestoneID(milestone), name: name, day: day, daysBefore: daysBefore, run: run)
    }
}

extension Notice.Choice {
    fileprivate init?(reading reader: JSONReader) {
        guard let id = reader.required("id")?.string(), let kind = reader.required("kind")?.string(),
            let title = reader.required("title")?.string()
        else { return nil }
        self.init(id: id, kind: kind, title: title)
    }
}
