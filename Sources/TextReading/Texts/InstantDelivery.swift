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
        return texts.indices.contains { place in
            texts[place].split(whereSeparator: { ".!?\n".contains($0) }).contains {
                isSaid(inSentence: $0, isTitle: place == 0)
            }
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

    private static func isSaid(inSentence sentence: Substring, isTitle: Bool) -> Bool {
        let clauses = sentence.split(whereSeparator: { ",;:()–—".contains($0) }).map { plain($0) }
        // What is said of the order's papers, or of a thing that is no more than beside it, is not said of the gift.
        guard !clauses.contains(where: { holds($0, anyOf: asides) }) else { return false }
        let takesDays = clauses.contains { holds($0, anyOf: spans) }
        return clauses.contains { clause in
            guard !holds(clause, anyOf: denials) else { return false }
            return says(clause, oneOf: ways) || !takesDays && says(clause, oneOf: hastes)
                || says(clause, oneOf: traits) { isTitle || isOfGift($0) }
        }
    }

    private static func holds(_ clause: String, anyOf phrases: [String]) -> Bool {
        phrases.contains { clause.contains(" \($0) ") }
    }

    /// Whether a clause holds one of the phrases, not as an extra, and what stands before it is as it should be.
    private static func says(
        _ clause: String,
        oneOf phrases: [String],
        where isRight: (_ before: String) -> Bool = { _ in true }
    ) -> Bool {
        phrases.contains { phrase in
            guard let found = clause.firstRange(of: " \(phrase) ") else { return false }
            let before = String(clause[..<found.lowerBound]) + " "
            return !isExtra(before) && isRight(before)
        }
    }

    /// Whether a clause that begins so goes on about the gift itself: "your voucher is", "it comes as a".
    private static func isOfGift(_ before: String) -> Bool {
        if forms.contains(where: { before.hasSuffix(" \($0) ") }) { return true }
        let subject = before.split(separator: " ").prefix { !subjectEnds.contains(String($0)) }
        return subject.last.map { gifts.contains(String($0)) } ?? false
    }

    /// "With a digital download", "includes a printable card": that comes on top of a parcel.
    private static func isExtra(_ before: String) -> Bool { holds(before, anyOf: extras) }

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

    private static let ways = phrases(
        """
        instant download|instant digital|immediate download|instant email
        download at once|download instantly|download immediately|digital download|digital delivery
        delivered digitally|delivered electronically|delivered online|egift|egiftcard|evoucher|ecard
        gift card by email|voucher by email|code by email|certificate by email|delivered by email|sent by email
        arrives by email|comes by email|by email at once|by email in minutes|by email within minutes|email delivery
        instantly by email|to print at home|print at home
        """
    )

    /// A courier is called instant as well, and then takes days.
    private static let hastes = phrases(
        "instant delivery|immediate delivery|delivered instantly|delivered immediately"
    )

    private static let spans = ["day", "days", "week", "weeks"]

    /// What is as often said of something beside the gift, or of what can be done to it.
    private static let traits = phrases(
        "printable|downloadable|emailed|digital gift card|digital gift voucher|digital voucher|digital code"
    )

    private static let gifts: Set<String> = [
        "code", "codes", "voucher", "vouchers", "gift", "ticket", "tickets", "pass", "passes", "card", "cards",
        "giftcard", "pattern", "patterns", "certificate",
    ]

    /// Where a clause's subject ends, or what is no more than said of it begins.
    private static let subjectEnds: Set<String> = [
        "is", "are", "will", "can", "gets", "comes", "arrives", "for", "of", "to",
    ]

    private static let forms = ["comes as", "arrives as", "as a", "as an", "this is a"]

    private static func phrases(_ table: String) -> [String] {
        TableText.list(table.split(whereSeparator: \.isNewline).joined(separator: "|"), by: "|")
    }

    private static let denials = ["no", "not", "never", "without", "cannot", "isn't", "isnt"]

    private static let extras = ["with", "includes", "including", "include", "plus", "bonus", "free", "and", "also"]

    private static let asides = [
        "tracking", "confirmation", "receipt", "invoice", "order", "orders", "updates", "newsletter", "proof", "app",
        "return", "returns", "label", "labels", "included", "optional",
        "instructions", "manual", "manuals", "rules", "firmware", "chart", "charts", "area", "surface", "surfaces",
        "side", "sides", "proofs", "photos", "to us", "accepted", "separately", "post", "posted", "ships", "courier",
    ]

    private static let wares = [
        "printer", "printers", "paper", "sheets", "film", "ink", "holder", "frame", "frames", "framed", "labels",
    ]
}
