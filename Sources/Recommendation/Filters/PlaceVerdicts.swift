import KnotDomain
import TextReading

/// A judge's verdicts on the places of a pool, each place judged once.
package struct PlaceVerdicts: Sendable {
    private let judge: PlaceJudge
    private let verdicts: [Place: PlaceVerdict]

    init(_ judge: PlaceJudge, on offers: [Offer]) {
        self.judge = judge
        var verdicts: [Place: PlaceVerdict] = [:]
        for offer in offers where offer.needsGoingThere {
            if let place = offer.candidate.location, verdicts[place] == nil {
                verdicts[place] = judge.verdict(on: place)
            }
        }
        self.verdicts = verdicts
    }

    func verdict(on place: Place?) -> PlaceVerdict {
        place.flatMap { verdicts[$0] } ?? judge.verdict(on: place)
    }
}

extension PlaceJudge {
    /// The judge for one run: home is the vault's, and towns count as named where a steering hint names them.
    static func forRun(_ brief: Brief, _ digest: HintDigest, nearKilometres: Double) -> PlaceJudge {
        PlaceJudge(
            home: brief.vault.location,
            hints: digest.ranked.filter { $0.weight > 0 }.map(\.words),
            nearKilometres: nearKilometres
        )
    }
}

extension Offer {
    /// Whether somebody has to go where it is: a posted gift comes by itself.
    var needsGoingThere: Bool {
        candidate.location != nil && !(candidate.type == .gift && candidate.shipsInDays != nil)
    }
}
