import TextEncoding

/// Whether an offer's own words say that it comes at once: as a code by email, a download, a page to print at home.
///
/// In doubt it is a parcel: a gift that comes too late is worse than one that is not shown.
package enum InstantDelivery {
    /// Letters read of any one text.
    private static let longest = 2_000

    package static func isSaid(by title: String, _ description: String?) -> Bool {
        let texts = [title, description ?? ""].map { String($0.prefix(longest)) }
        guard texts.contains(where: mayBeSaid) else { return false }
        // A printer prints at home, and paper for it is printable.
        let name = plain(Substring(texts[0]))
        guard !wares.contains(where: { name.contains(" \($0) ") }) else { return false }
        return texts.contains { text in
            text.split(whereSeparator: { ".!?;\n".contains($0) }).contains { isSaid(inSentence: $0) }
        }
    }

    /// A quick look at a text's letters, of which most have none of these: it may say yes in vain.
    private static func mayBeSaid(in text: String) -> Bool {
        let bytes = text.utf8.map { $0 | 0x20 }
        return bytes.indices.contains { place in
            signs.contains { $0[0] == bytes[place] && bytes[place...].starts(with: $0) }
        }
    }

    private static let signs = [
        "download", "digital", "instant", "immediate", "electronic", "online", "mail", "print", "e-", "egift",
        "evoucher", "ecard",
    ].map {
        $0.utf8.map { $0 | 0x20 }
    }

    private static func isSaid(inSentence sentence: Substring) -> Bool {
        let clauses = sentence.split(whereSeparator: { ",:()–—".contains($0) }).map { plain($0) }
        // What is said of the order's papers, or of a thing that is no more than beside it, is not said of the gift.
        guard !clauses.contains(where: { clause in papers.contains { clause.contains(" \($0) ") } }) else {
            return false
        }
        return clauses.contains { clause in
            let isDenied = denials.contains { clause.contains(" \($0) ") }
            return !isDenied
                && ways.contains { way in
                    clause.firstRange(of: " \(way) ").map { !isExtra(before: $0.lowerBound, in: clause) } ?? false
                }
        }
    }

    /// "With a digital download", "includes a printable card": that comes on top of a parcel.
    private static func isExtra(before place: String.Index, in clause: String) -> Bool {
        let before = clause[..<place] + " "
        return extras.contains { before.contains(" \($0) ") }
    }

    /// A clause's folded words between single spaces, what is written with and without a hyphen in one way.
    private static func plain(_ clause: Substring) -> String {
        var words = Tokenizer.words(of: String(clause), limit: 80)
        for place in words.indices.dropLast().reversed()
        where words[place] == "e" && electronic.contains(words[place + 1]) {
            words[place] += words.remove(at: place + 1)
        }
        return " " + words.joined(separator: " ") + " "
    }

    private static let electronic: Set<String> = ["mail", "mailed", "gift", "giftcard", "voucher", "card", "ticket"]

    private static let ways = TableText.list(
        """
        instant download|instant digital|instant delivery|immediate download|immediate delivery|instant email
        download at once|download instantly|download immediately|downloadable|digital download|digital delivery
        delivered digitally|delivered instantly|delivered immediately|delivered electronically|delivered online
        digital gift card|digital gift voucher|digital voucher|digital code|egift|egiftcard|evoucher|ecard
        gift card by email|voucher by email|code by email|certificate by email|delivered by email|sent by email
        arrives by email|comes by email|by email at once|by email in minutes|by email within minutes|email delivery
        instantly by email|emailed|to print at home|print at home|printable
        """.split(whereSeparator: \.isNewline).joined(separator: "|"),
        by: "|"
    )

    private static let denials = ["no", "not", "never", "without", "cannot", "isn't", "isnt"]

    private static let extras = ["with", "includes", "including", "include", "plus", "bonus", "free", "and"]

    private static let papers = [
        "tracking", "confirmation", "receipt", "invoice", "order", "orders", "updates", "newsletter", "proof", "app",
        "return", "returns", "label", "labels", "included", "optional",
    ]

    private static let wares = ["printer", "printers", "paper", "sheets", "film", "ink", "holder", "frame", "labels"]
}
