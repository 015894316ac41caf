/// Who set a parameter; later layers win.
package enum ParameterLayer: String, CaseIterable, Sendable, Comparable {
    case `default`
    case file
    case experiment
    case commandLine = "command_line"

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
