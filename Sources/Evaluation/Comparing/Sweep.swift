/// The effect of one parameter over a range, everything else as it is.
package struct Sweep: Sendable {
    /// `node.parameter`.
    package let name: String
    /// What the pipeline itself has.
    package let base: Double?
    package let points: [SweepPoint]

    package init(name: String, base: Double?, points: [SweepPoint]) {
        self.name = name
        self.base = base
        self.points = points
    }
}
