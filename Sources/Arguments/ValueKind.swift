/// What may follow a flag, so that the parser, help and completions agree on it.
package enum ValueKind: Sendable, Equatable {
    /// The flag stands alone.
    case none
    case text(String)
    case file
    case folder
    /// A file, a folder or one of some words.
    case path(orWords: [String])
    case integer(ClosedRange<Int>)
    case unsigned
    case choice([String])
    /// What only the program understands.
    case form(ValueForm)

    /// What help shows in the value's place; empty when there is none.
    package var placeholder: String {
        switch self {
        case .none: ""
        case .text(let name): name
        case .file: "FILE"
        case .folder: "DIR"
        case .path(let words): (["FILE", "DIR"] + words).joined(separator: "|")
        case .integer, .unsigned: "N"
        case .choice(let words): words.joined(separator: "|")
        case .form(let form): form.placeholder
        }
    }

    /// What would fit, as the end of a sentence that begins "needs".
    package var expectation: String {
        switch self {
        case .none: "no value"
        case .text(let name): "a value (\(name))"
        case .file: "the path of a file"
        case .folder: "the path of a folder"
        case .path(let words): (["the path of a file or a folder"] + words).joined(separator: ", or ")
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .unsigned: "a whole number from 0 to 18446744073709551615"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .form(let form): form.expectation
        }
    }

    /// Whether only the program understands it.
    package var isForm: Bool {
        if case .form = self { true } else { false }
    }

    /// Whether a text of this kind is the path of a file or folder, and not a name or a word.
    package func isPath(_ text: String) -> Bool {
        switch self {
        case .file, .folder: true
        case .path(let words): !words.contains(text)
        case .form(let form): form.isPath(text)
        default: false
        }
    }

    /// Whether a text would do; existence of files is looked at when they are opened, not here.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .none: text.isEmpty
        case .text, .file, .folder, .path: !text.isEmpty && !text.utf8.contains(0)
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .unsigned: UInt64(text) != nil
        case .choice(let words): words.contains(text)
        case .form(let form): form.accepts(text)
        }
    }
}

/// A form of values that the program brings: the same words for it are the same form.
package struct ValueForm: Sendable, Equatable {
    package let placeholder: String
    package let expectation: String
    package let hint: CompletionHint
    package let isPath: @Sendable (String) -> Bool
    package let accepts: @Sendable (String) -> Bool

    package init(
        placeholder: String,
        expectation: String,
        hint: CompletionHint = .nothing,
        isPath: @escaping @Sendable (String) -> Bool = { _ in false },
        accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.placeholder = placeholder
        self.expectation = expectation
        self.hint = hint
        self.isPath = isPath
        self.accepts = accepts
    }

    package static func == (first: ValueForm, second: ValueForm) -> Bool {
        (first.placeholder, first.expectation) == (second.placeholder, second.expectation)
    }
}
