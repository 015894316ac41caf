import FoundationEssentials

#if canImport(Glibc)
import Glibc
#endif

/// Draws a plot as SVG that reads on light and on dark paper.
struct PlotDrawing {
    private static let width = 840.0
    private static let height = 500.0
    private static let left = 76.0
    private static let right = 600.0
    private static let top = 64.0
    private static let bottom = 442.0

    private let plot: Plot
    private let xDecades: ClosedRange<Int>
    private let yDecades: ClosedRange<Int>

    init(_ plot: Plot) {
        self.plot = plot
        xDecades = Self.decades(plot.xRange)
        yDecades = Self.decades(plot.yRange)
    }

    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img">
        <title>\(Self.escaped(plot.title))</title>
        <style>\(Self.style)</style>
        <rect class="paper" width="\(Int(Self.width))" height="\(Int(Self.height))"/>
        <text class="title" x="16" y="26">\(Self.escaped(plot.title))</text>
        <text class="small" x="16" y="45">\(Self.escaped(plot.subtitle))</text>
        \(axes)
        \(lines)
        \(labels)
        </svg>

        """
    }

    private static let style = """
        text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-size:16px;font-weight:600}.small{fill:#57606a}\
        .paper{fill:#fff}.grid{stroke:#d8dee4;stroke-width:1}.fine{stroke:#eef1f4;stroke-width:1}\
        path{fill:none;stroke-width:1.6}.ours path{stroke:#0b6e4f;stroke-width:3}.ours circle{fill:#0b6e4f}\
        .ours text{fill:#0b6e4f;font-weight:600}\
        .floats path{stroke:#3aa17e;stroke-width:2.2}.floats circle{fill:#3aa17e}.floats text{fill:#2c8265}\
        .limit path{stroke:#8c959f;stroke-dasharray:6 4}.limit circle{fill:none}.limit text{fill:#57606a}\
        .p0 path{stroke:#c2410c}.p0 circle{fill:#c2410c}.p1 path{stroke:#7c3aed}.p1 circle{fill:#7c3aed}\
        .p2 path{stroke:#1d4ed8}.p2 circle{fill:#1d4ed8}.p3 path{stroke:#a16207}.p3 circle{fill:#a16207}\
        .p4 path{stroke:#be185d}.p4 circle{fill:#be185d}.lead{stroke:#8c959f;stroke-width:.6}\
        @media (prefers-color-scheme:dark){text{fill:#e6edf3}.small,.limit text{fill:#9198a1}.paper{fill:#0d1117}\
        .grid{stroke:#2d333b}.fine{stroke:#1c2128}.ours path{stroke:#4ade9f}.ours circle{fill:#4ade9f}\
        .ours text{fill:#4ade9f}.floats path{stroke:#2fa37a}.floats circle{fill:#2fa37a}.floats text{fill:#3fb98c}\
        .p0 path{stroke:#fb923c}.p0 circle{fill:#fb923c}.p1 path{stroke:#c4a1ff}.p1 circle{fill:#c4a1ff}\
        .p2 path{stroke:#79a8ff}.p2 circle{fill:#79a8ff}.p3 path{stroke:#eab308}.p3 circle{fill:#eab308}\
        .p4 path{stroke:#f472b6}.p4 circle{fill:#f472b6}}
        """

    private var axes: String {
        var parts: [String] = []
        for decade in xDecades {
            let x = place(x: pow(10, Double(decade)))
            parts.append(Self.line(x, Self.top, x, Self.bottom, "grid"))
            parts.append(Self.text(x, Self.bottom + 18, Self.power(decade), anchor: "middle"))
        }
        for decade in yDecades {
            let y = place(y: pow(10, Double(decade)))
            parts.append(Self.line(Self.left, y, Self.right, y, "grid"))
            parts.append(Self.text(Self.left - 8, y + 4, Self.power(decade), anchor: "end"))
            guard decade < yDecades.upperBound else { continue }
            for step in 2...9 {
                let fine = place(y: Double(step) * pow(10, Double(decade)))
                parts.append(Self.line(Self.left, fine, Self.right, fine, "fine"))
            }
        }
        let middle = (Self.left + Self.right) / 2
        parts.append(Self.text(middle, Self.bottom + 40, plot.xLabel, anchor: "middle"))
        let y = (Self.top + Self.bottom) / 2
        parts.append(
            "<text x=\"18\" y=\"\(Self.number(y))\" text-anchor=\"middle\" "
                + "transform=\"rotate(-90 18 \(Self.number(y)))\">\(Self.escaped(plot.yLabel))</text>"
        )
        return parts.joined(separator: "\n")
    }

    private var lines: String {
        plot.series.enumerated().map { index, series in
            let places = series.points.map { (place(x: $0.x), place(y: $0.y)) }
            let path = places.enumerated().map { ($0.offset == 0 ? "M" : "L") + Self.pair($0.element) }.joined()
            let dots = places.map { "<circle cx=\"\(Self.number($0.0))\" cy=\"\(Self.number($0.1))\" r=\"3\"/>" }
                .joined()
            return "<g class=\"\(style(of: index))\"><path d=\"\(path)\"/>\(dots)</g>"
        }
        .joined(separator: "\n")
    }

    /// Names at the lines' right ends, pushed apart where they would touch.
    private var labels: String {
        let ends = plot.series.enumerated().compactMap { index, series in
            series.points.last.map { (index: index, x: place(x: $0.x), y: place(y: $0.y)) }
        }
        .sorted { $0.y < $1.y }
        var below = Self.top - 12
        var placed: [(index: Int, x: Double, y: Double, label: Double)] = []
        for end in ends {
            below = max(end.y, below + 16)
            placed.append((end.index, end.x, end.y, below))
        }
        // What ran over the lower edge moves up again, in the same order.
        var above = Self.bottom + 8
        for index in placed.indices.reversed() {
            placed[index].label = min(placed[index].label, above)
            above = placed[index].label - 16
        }
        return placed.map { end in
            let x = Self.right + 22
            return "<g class=\"\(style(of: end.index))\">" + Self.line(end.x + 5, end.y, x - 4, end.label, "lead")
                + Self.text(x, end.label + 4, plot.series[end.index].name, anchor: "start") + "</g>"
        }
        .joined(separator: "\n")
    }

    private func style(of index: Int) -> String {
        switch plot.series[index].kind {
        case .ours: "ours"
        case .oursFloats: "floats"
        case .limit: "limit"
        case .peer: "p\(plot.series[..<index].count { $0.kind == .peer } % 5)"
        }
    }

    private func place(x: Double) -> Double {
        let share = (log10(x) - Double(xDecades.lowerBound)) / Double(xDecades.count - 1)
        return Self.left + share * (Self.right - Self.left)
    }

    private func place(y: Double) -> Double {
        let share = (log10(y) - Double(yDecades.lowerBound)) / Double(yDecades.count - 1)
        return Self.bottom - share * (Self.bottom - Self.top)
    }

    private static func decades(_ range: ClosedRange<Double>) -> ClosedRange<Int> {
        let lower = Int(log10(range.lowerBound).rounded(.down))
        return lower...max(lower + 1, Int(log10(range.upperBound).rounded(.up)))
    }

    private static func power(_ decade: Int) -> String {
        switch decade {
        case 0...6: ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"][decade]
        case -4 ... -1: Statistics.fixed(pow(10, Double(decade)), decimals: -decade)
        default: "1e\(decade)"
        }
    }

    private static func number(_ value: Double) -> String { Statistics.fixed(value, decimals: 1) }
    private static func pair(_ place: (Double, Double)) -> String { "\(number(place.0)) \(number(place.1))" }

    private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
        "<line class=\"\(style)\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\"/>"
    }

    private static func text(_ x: Double, _ y: Double, _ text: String, anchor: String) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
