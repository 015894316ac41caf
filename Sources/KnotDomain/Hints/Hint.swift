package import JSONDocument

/// Something the partner said or did, as the user wrote or dictated it.
///
/// Its text is intimate and redacted by default.
package struct Hint: Hashable, Sendable {
    package enum Source: String, CaseIterable, Sendable {
        case textInput = "text_input"
        case voiceTranscription = "voice_transcription"
    }

    package let id: HintID
    package let text: String
    package let source: Source
    package let createdAt: Instant
    package let isUsed: Bool

    package init(id: HintID, text: String, source: Source, createdAt: Instant, isUsed: Bool) {
        self.id = id
        self.text = text
        self.source = source
        self.createdAt = createdAt
        self.isUsed = isUsed
    }
}

extension Hint {
    /// Reads one hint and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let id = reader.required("id")?.uuid(Hint.self)
        let text = reader.required("text").flatMap { Self.text(reading: $0) }
        let source = reader.required("source")?.choice(Source.self)
        let createdAt = reader.required("created_at")?.instant()
        let isUsed = reader.optional("is_used").map { $0.bool() } ?? false
        guard let id, let text, let source, let createdAt, let isUsed else { return nil }
        self.init(id: id, text: text, source: source, createdAt: createdAt, isUsed: isUsed)
    }

    /// A hint that is too long is refused, not cut: its end may say the opposite of its beginning.
    private static func text(reading reader: JSONReader) -> String? {
        // Four bytes a character, and as much again for what cleaning drops.
        guard let text = reader.text(limit: 8 * TextLimit.hintCharacters) else { return nil }
        let count = text.unicodeScalars.count
        guard count <= TextLimit.hintCharacters else {
            reader.note("is longer than \(TextLimit.hintCharacters) characters")
            return nil
        }
        return text
    }

    package var json: JSONValue {
        [
            "id": .string(id.text), "text": .string(text), "source": .string(source.rawValue),
            "created_at": .string(createdAt.iso8601), "is_used": .bool(isUsed),
        ]
    }
}
