import KnotDomain

/// How a hint stands to its thing and how strongly it should steer.
struct StanceRule: Sendable {
    private typealias W = RuleWords

    struct Judgement: Sendable {
        let stance: HintReading.Stance
        let strength: Double
        /// The word that expresses the wish; what follows it is wished for.
        let wish: Int?
    }

    private static let strongWishes: [[String]] = [
        ["all", "she", "wants"], ["all", "he", "wants"], ["all", "they", "want"], ["always", "wanted"], ["dying", "to"],
        ["would", "love"], ["she", "love", "to"], ["he", "love", "to"], ["they", "love", "to"], ["she", "love", "a"],
        ["he", "love", "a"], ["they", "love", "a"], ["nicest", "thing"], ["best", "thing"], ["one", "day"], ["next", "time"],
        ["nobody", "ever"], ["never", "had"], ["never", "been"], ["never", "taken"], ["never", "seen"], ["never", "owned"],
        ["dreams", "of"], ["stood", "in", "front"], ["real", "money"], ["for", "her", "birthday", "she"], ["pay", "real"],
        ["lit", "up"], ["keeps", "asking"], ["took", "a", "pic"], ["took", "a", "picture"], ["took", "a", "photo"],
        ["wants", "to", "learn"], ["wishes", "she"], ["wishes", "he"], ["wishes", "they"], ["wish", "she"], ["wish", "he"],
        ["looking", "at"], ["still", "talking"], ["still", "talks"], ["could", "use"], ["like", "to", "try"], ["she", "love", "it"],
        ["i", "love", "somebody"], ["asked", "what", "she"], ["asked", "what", "he"], ["asked", "what", "they"], ["pointed", "at"],
        ["someday"], ["wanted", "a"], ["in", "her", "cart"], ["in", "his", "cart"], ["screenshot"], ["screenshots"], ["bookmarked"],
        ["wants", "a"], ["going", "to", "learn"], ["she", "like", "to"], ["he", "like", "to"], ["she", "like", "all"], ["asked", "for"],
        ["wants"], ["wanted"], ["fancies"], ["craves"], ["wish"], ["wishes"], ["hoping"], ["longs"], ["quiere"], ["veut"], ["voudrait"],
    ]
    private static let likings = W.set(
        """
        love loves loved adore adores favorite favourite obsessed obsession crazy mad enjoys enjoy happiest laughed laughs best \
        hums humming hum cries cried glowing beams comfort fan proud delighted likes liked weakness encanta ama adora aime \
        keeps reads collects collected smiles smiled grin grinning giddy geeks sings singing melts
        """)
    private static let troubles = W.set(
        """
        broke broken dead stopped stuck cracked cracks split leaking leaks dull blunt lost cold freezing frozen numb aches aching \
        ache hurts hurt sore faded fading fades crying stolen rotten wrecked destroyed killing exhausted tired struggling struggles \
        dark blurry behind needs scared worried misses missing miss stained creased frayed rusty squeaks scream screams noisy loud \
        flickers dies dying wet soaked dripping ran scratched bent gone worn wore holes hole ruined torn smudged buzzing skates skips \
        cannot nowhere dreading dreads quiet low sad lonely alone stress stressed deadline swamped overwhelmed guessing shivering \
        snapped smashed shattered sticks frying packed burnt burned burning bitten bugs squirrels drifts drift flat chews chewed nobody
        """)
    private static let facts = W.set("free off works working shift land lands flight flights leave leaves booked until till schedule roster on-call")

    func judge(
        _ text: HintText, subject: SubjectRule.Wish, refusedClauses: Set<Int>, conditions: Int, remedies: Int
    ) -> Judgement {
        if subject.subject == .user || subject.subject == .other {
            return Judgement(stance: .wants, strength: 0, wish: subject.verb >= 0 ? subject.verb : nil)
        }
        let open = text.words.indices.filter { !refusedClauses.contains(text.words[$0].clause) }
        let wish = strongestWish(text, in: open)
        let isLiked = open.contains { Self.likings.contains(text.text($0)) }
        let troubleCount = open.count { Self.troubles.contains(text.text($0)) }
            + open.count { text.text($0) == "not" && ["can", "will", "does", "do"].contains(text.text($0 - 1)) }
        let isTrouble = troubleCount > 0
        let isRefused = !refusedClauses.isEmpty || conditions > 0
        if isRefused {
            let refusesFirst = refusedClauses.contains(0) || open.count * 2 < text.words.count
            if wish == nil || refusesFirst && !hasContrast(text, refusedClauses) {
                let isCondition = conditions > 0 && isTrouble && refusedClauses.isEmpty
                return Judgement(stance: isCondition ? .needs : .avoids, strength: 0.7, wish: nil)
            }
        }
        if let wish {
            return Judgement(stance: .wants, strength: wish.strength, wish: wish.word)
        }
        if isTrouble, remedies > 0 { return Judgement(stance: .needs, strength: troubleCount > 1 ? 0.92 : 0.86, wish: nil) }
        if isTimetable(text) { return Judgement(stance: .fact, strength: 0.8, wish: nil) }
        if isLiked { return Judgement(stance: .likes, strength: remedies > 0 ? 0.85 : 0.75, wish: nil) }
        if isTrouble { return Judgement(stance: .needs, strength: 0.75, wish: nil) }
        if remedies > 0 { return Judgement(stance: .likes, strength: 0.75, wish: nil) }
        return Judgement(stance: .fact, strength: 0.45, wish: nil)
    }

    private func strongestWish(_ text: HintText, in open: [Int]) -> (word: Int, strength: Double)? {
        for mark in Self.strongWishes {
            for index in open where text.has(mark, at: index) {
                if text.text(index - 1) == "not" || text.text(index - 1) == "nobody" { continue }
                return (index + mark.count - 1, mark.count > 1 ? 0.95 : 0.9)
            }
        }
        return nil
    }

    /// A positive clause after the refusal that says what she can have.
    private func hasContrast(_ text: HintText, _ refused: Set<Int>) -> Bool {
        text.clauses.indices.contains { number in
            !refused.contains(number) && RuleWords.turning.contains(text.text(text.clauses[number].lowerBound))
        }
    }

    /// Days, hours and who is free when.
    private func isTimetable(_ text: HintText) -> Bool {
        let days = text.words.count { RuleWords.monthsAndDays.contains($0.text) || $0.isNumber }
        return days > 0 && text.contains(anyOf: Self.facts) || days > 1
    }
}
