/// Lines on two logarithmic axes.
struct Plot {
    struct Series {
        enum Kind {
            case ours
            case oursFloats
            case peer
            case limit
        }

        let name: String
        let kind: Kind
        let points: [(x: Double, y: Double)]
    }

    let title: String
    let subtitle: String
    let xLabel: String
    let yLabel: String
    let series: [Series]

    var xRange: ClosedRange<Double> { range(series.flatMap { $0.points.map(\.x) }) }
    var yRange: ClosedRange<Double> { range(series.flatMap { $0.points.map(\.y) }) }

    private func range(_ values: [Double]) -> ClosedRange<Double> {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        guard let least = positive.min(), let most = positive.max(), most > least else { return 1...10 }
        return least...most
    }
}
