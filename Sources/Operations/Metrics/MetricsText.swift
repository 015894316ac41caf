/// Measurements of one name, as Prometheus reads them.
package struct MetricFamily: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package struct Sample: Sendable, Hashable {
        /// What follows the family's name: `_bucket`, `_sum`, `_count`.
        package var suffix = ""
        /// In this order; the values are anybody's.
        package var labels: [Label] = []
        package var value: Double

        package struct Label: Sendable, Hashable {
            package let name: String
            package let value: String
        }
    }

    package let name: String
    package let kind: Kind
    package let help: String
    package let samples: [Sample]

    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// One number without labels.
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help, [Sample(value: value)])
    }

    /// One number for each value of a label, in the order of these values.
    package init(_ name: String, _ kind: Kind, _ help: String, by label: String, _ values: [String: Int]) {
        let samples = values.sorted { $0.key < $1.key }.map { value, count in
            Sample(labels: [.init(name: label, value: value)], value: Double(count))
        }
        self.init(name, kind, help, samples)
    }

    /// A histogram, with its buckets added up as they are wanted.
    package init(_ name: String, _ help: String, _ histogram: Histogram) {
        var total = 0
        var samples = zip(Histogram.bounds.map(MetricsText.number) + ["+Inf"], histogram.counts).map { bound, count in
            total += count
            return Sample(suffix: "_bucket", labels: [.init(name: "le", value: bound)], value: Double(total))
        }
        samples.append(Sample(suffix: "_sum", value: histogram.sum))
        samples.append(Sample(suffix: "_count", value: Double(total)))
        self.init(name, .histogram, help, samples)
    }
}

/// How often durations fell into each span: fixed bounds, in seconds.
package struct Histogram: Sendable, Hashable {
    /// From a hundredth of a second to two hours: attempts take seconds, waiting takes up to hours.
    static let bounds: [Double] = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200]

    /// Of each span, and of what is beyond them.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func count(_ duration: Duration) {
        // A clock that was set back makes nothing negative.
        let seconds = max(0, duration / .seconds(1))
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}

/// Families as text in the format 0.0.4 of Prometheus.
package enum MetricsText {
    package static let type = "text/plain; version=0.0.4; charset=utf-8"

    package static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
                let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
                text += "\(family.name)\(sample.suffix)\(list) \(number(sample.value))\n"
            }
        }
        return text
    }

    /// Whole numbers without a fraction, the rest in the shortest digits that mean the same.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
