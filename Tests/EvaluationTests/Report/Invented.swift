import KnotDomain
import Recommendation
import Shipped
import StageGraph

@testable import Evaluation

/// Evaluations of nobody's vaults, for pages to be made of.
enum Invented {
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</style></title></svg><svg onload=alert(1)>",
        "' onmouseover='alert(1)", "&lt;b&gt; &amp; \u{202E}drawkcab\u{0}", String(repeating: "W", count: 1_000_000),
        "Gift \u{1F381}\u{1F469}\u{200D}\u{1F33E} für 愛してる שלום",
    ]

    static func page(_ summary: EvaluationSummary? = nil) throws -> String {
        ReportPage(try summary ?? Self.summary()).html
    }

    static func summary(
        title: String = "Lined gloves",
        label: String = "choice-of-three",
        against: Bool = true,
        sweep: Bool = true,
        vaults count: Int = 12
    ) throws -> EvaluationSummary {
        let plan = try ShippedPipelines.plan("choice-of-three")
        func evaluation(_ label: String, _ lift: Int) -> PipelineEvaluation {
            PipelineEvaluation(
                label: label,
                plan: plan,
                cases: [],
                vaults: (0..<count).map { vault($0, title: title, lift: lift) },
                bootstrap: Bootstrap(topics: count, seed: 1, draws: 200)
            )
        }
        let new = evaluation(label, 1)
        let points = (0..<5).map {
            SweepPoint(value: Double($0) / 4, evaluation: evaluation("point", $0 % 3), base: new, seed: 1)
        }
        return EvaluationSummary(
            new,
            against: against ? evaluation("classic", 0) : nil,
            sweep: sweep ? Sweep(name: "combine.hints", base: 0.5, points: points) : nil,
            readings: title,
            seed: 1,
            provenance: Provenance(
                version: "9.8.7",
                command: "knot-recommend evaluate --set combine.hints=0.1",
                model: title,
                changes: ["combine.hints=0.1"],
                cases: []
            )
        )
    }

    static func vault(_ index: Int, title: String, lift: Int) -> EvaluatedVault {
        let cards = (0..<3).map { place -> EvaluatedCard in
            let grade = min(3, (index + place) % 3 + lift)
            return EvaluatedCard(
                candidate: CandidateID("c\(index)-\(place)-\(lift)"),
                type: CandidateType.allCases[place],
                title: title,
                merchant: title,
                price: "EUR 42.00",
                reason: "You noted: \(title)",
                score: 0.7,
                contributions: [
                    Total.Part(name: "hints", value: 0.5 + Double(place) / 10), Total.Part(name: title, value: 0.3),
                    Total.Part(name: "timing", value: -0.1), Total.Part(name: "nothing", value: 0.001),
                ],
                grade: place == 2 && index == 3 ? nil : grade,
                isForbidden: grade == 0,
                why: title,
                broken: grade == 0 ? [.forbidden] : [],
                identity: "https://shop.example/\(index)/\(place)"
            )
        }
        let grades = cards.map { Double($0.grade ?? 0) }
        return EvaluatedVault(
            name: "vault-\(index)",
            story: title,
            traits: VaultTraits(
                tier: OccasionTier.allCases[index % 3],
                loveLanguage: LoveLanguage.allCases[index % 5],
                hintCount: index,
                historyCount: index % 4
            ),
            isJudged: true,
            outcome: .complete,
            failure: nil,
            cards: cards,
            gates: [.forbidden: cards.count(where: \.isForbidden)],
            figures: [
                .meanGrade: grades.reduce(0, +) / 3, .precision: Double(grades.count { $0 >= 2 }) / 3,
                .ndcg: grades[0] / 3, .dcg: grades[0] * 2, .delight: grades.contains(3) ? 1 : 0,
                .diversity: 0.8, .judged: 1,
            ]
        )
    }
}
