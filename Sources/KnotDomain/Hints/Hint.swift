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
