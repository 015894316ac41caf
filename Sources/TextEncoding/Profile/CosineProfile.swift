package import JSONDocument

/// What a model's cosines mean, told in those of the reference model, for which every threshold was made.
///
/// One model puts unrelated texts at 0.05 and another at 0.7. A profile takes a few marks of a model's own scale to the
/// same marks of the reference's and runs straight between them, so that what is nearer stays nearer.
package struct CosineProfile: Sendable, Equatable {
    /// A cosine of this model, and the one of the reference that means the same.
    package struct Mark: Sendable, Equatable {
        package let own: Double
        package let reference: Double
    }

    /// The model that thresholds were made for: its cosines mean what they are.
    package static let reference = CosineProfile(marks: [])

    /// Rising in both numbers, from (-1, -1) to (1, 1); empty for the reference.
    package let marks: [Mark]

    private init(marks: [Mark]) {
        self.marks = marks
    }

    /// Marks that do not rise in both numbers are left out; nil when none is left.
    package init?(through marks: [Mark]) {
        var kept = [Mark(own: -1, reference: -1)]
        for mark in marks + [Mark(own: 1, reference: 1)] {
            guard let last = kept.last, mark.own > last.own + Self.smallestStep,
                mark.reference > last.reference + Self.smallestStep
            else { continue }
            kept.append(mark)
        }
        guard kept.count > 2, kept.last?.own == 1 else { return nil }
        self.init(marks: kept)
    }

    /// Closer marks say nothing but how a few pairs happened to lie.
    private static let smallestStep = 0.005

    /// The reference's cosine that means the same; the very number for the reference itself.
    package func callAsFunction(_ cosine: Double) -> Double {
        guard let first = marks.first, let last = marks.last else { return cosine }
        if cosine <= first.own { return first.reference }
        if cosine >= last.own { return last.reference }
        var low = first
        for high in marks.dropFirst() {
            if cosine <= high.own {
                let share = (cosine - low.own) / (high.own - low.own)
                return low.reference + share * (high.reference - low.reference)
            }
            low = high
        }
        return last.reference
    }
}

extension CosineProfile {
    /// The name of the format.
    private static let format = "knot.profile/1"

    /// For the cache and for recordings.
    package var json: JSONValue {
        ["format": .string(Self.format), "marks": .array(marks.map { [.number($0.own), .number($0.reference)] })]
    }

    /// Reads what `json` writes; nil for anything else.
    package init?(_ json: JSONValue) {
        guard json["format"]?.string == Self.format, let list = json["marks"]?.array else { return nil }
        let marks = list.compactMap { mark -> Mark? in
            guard let numbers = mark.array, numbers.count == 2, let own = numbers[0].double,
                let reference = numbers[1].double
            else { return nil }
            return Mark(own: own, reference: reference)
        }
        guard marks.count == list.count else { return nil }
        if marks.isEmpty {
            self = .reference
        } else {
            self.init(through: marks)
        }
    }
}
