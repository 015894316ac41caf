/// The partner's name and how it is shortened: "Mar" for Marit, "M" too.
struct PartnerNames: Hashable, Sendable {
    /// A handful, each once.
    private let names: [String]

    init(_ name: String) {
        var names: [String] = []
        for word in HintText(name).words where !names.contains(word.text) { names.append(word.text) }
        self.names = names
    }

    func contains(_ word: HintWord) -> Bool {
        let text = word.text
        if names.contains(text) { return true }
        guard word.isCapitalized, text != "i", !RuleWords.partnerPronouns.contains(text), text.unicodeScalars.count != 2
        else {
            return false
        }
        return names.contains { name in
            if text.unicodeScalars.count == 1 { return name.hasPrefix(text) && !["a", "i"].contains(text) }
            return name.hasPrefix(text) || text.hasPrefix(name) && name.unicodeScalars.count >= 3
                || isPetForm(text, of: name)
        }
    }

    /// "Cilla" for Priscilla, "Olly" for Oliver.
    private func isPetForm(_ text: String, of name: String) -> Bool {
        if text.utf8.count >= 4, name.hasSuffix(text) { return true }
        guard text.utf8.count <= 6 else { return false }
        var stem = text[...]
        if stem.hasSuffix("ie") { stem = stem.dropLast(2) } else if stem.hasSuffix("y") { stem = stem.dropLast() }
        guard stem.utf8.count < text.utf8.count else { return false }
        if let last = stem.last, stem.dropLast().last == last { stem = stem.dropLast() }
        return stem.utf8.count >= 2 && name.hasPrefix(stem)
    }
}
