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
        }
    }
}
