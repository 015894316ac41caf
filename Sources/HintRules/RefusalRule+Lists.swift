/// How a refusal goes on from thing to thing.
extension RefusalRule {
    /// "no chocolate, caramel or nuts": short pieces without a verb go on with the refusal before them.
    func continuations(_ text: HintText, of refusals: [Refusal]) -> [Refusal] {
        // By the clause of each refusal what its list began with.
        var refused = Dictionary(refusals.map { (text.words[$0.marker].clause, $0) }) { $1 }
        var more: [Refusal] = []
        for (number, clause) in text.clauses.enumerated() {
            guard let before = refused[number - 1], refused[number] == nil,
                goesOn(text, at: clause, from: before.origin),
                !text.words[clause.lowerBound].kinds.contains(.turning)
            else { continue }
            let named = clause.filter { !isArticle(text, at: $0, in: clause) }
            let isList = named.count == clause.count || mayHaveArticles(text, at: number, behind: before)
            // When a gift came stands behind the last of them: "a kite and a harp last year".
            let objects = before.isOwned ? named.prefix { !text.kinds($0).contains(.nameless) } : named[...]
            guard isList, named.count <= 5, objects.contains(where: { text.words[$0].isContent }),
                objects.allSatisfy({ isListed(text.words[$0]) }),
                named.dropFirst(objects.count).allSatisfy({
                    isListed(text.words[$0]) || text.kinds($0).contains(.nameless)
                })
            else { continue }
            let refusal = Refusal(
                marker: clause.lowerBound,
                objects: clause.lowerBound..<((objects.last ?? clause.lowerBound) + 1),
                scope: clause,
                origin: before.origin,
                isOwned: before.isOwned
            )
            refused[number] = refusal
            more.append(refusal)
        }
        return more
    }

    private func isListed(_ word: HintWord) -> Bool {
        !RuleWords.pronouns.contains(word.text) && !RuleWords.partnerPronouns.contains(word.text)
            && (word.isContent || ["or", "and", "nor", "even", "any", "of", "the"].contains(word.text))
    }

    /// "a", "some", "his" before a thing.
    private func isArticle(_ text: HintText, at index: Int, in clause: Range<Int>) -> Bool {
        ["a", "an", "some", "his", "her", "their", "another", "new", "two"].contains(text.text(index))
            && index + 1 < clause.upperBound && text.words[index + 1].isContent
    }

    /// "Not a mug, a scarf" turns to something else; "already has a mug, a scarf" and "no mug, a scarf or a hat" go on.
    private func mayHaveArticles(_ text: HintText, at number: Int, behind before: Refusal) -> Bool {
        if before.isOwned || text.text(before.origin) == "already" { return true }
        let isTurn =
            text.text(before.origin) == "not"
            && !["do", "does", "did", "would", "should", "can", "could", "will"].contains(text.text(before.origin - 1))
        let sentence = text.words[text.clauses[number].lowerBound].sentence
        let rest = text.clauses[number...].prefix { text.words[$0.lowerBound].sentence == sentence }
        return !isTurn && rest.contains { $0.contains { ["or", "nor", "and"].contains(text.text($0)) } }
    }

    /// A list goes on within its sentence, and what is not borne behind a semicolon too: "allergic to nuts; kiwi".
    private func goesOn(_ text: HintText, at clause: Range<Int>, from origin: Int) -> Bool {
        let last = clause.lowerBound - 1
        if text.words[clause.lowerBound].sentence == text.words[last].sentence { return true }
        let other: WordKinds = [.liking, .wanting, .yearning, .trouble, .broken]
        return text.semicolons.contains(last) && Sensitivity.isWord(text.text(origin))
            && clause.allSatisfy { text.kinds($0).isDisjoint(with: other) }
    }
}
