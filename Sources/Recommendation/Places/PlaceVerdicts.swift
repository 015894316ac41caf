import KnotDomain

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
