import Foundation
import StageGraph
import Testing

@testable import Evaluation

@Suite struct StudentTTests {
    /// One and two degrees of freedom have formulas of their own; many degrees are the normal distribution.
    @Test func `agrees with the formulas there are to 1e-12`() {
        for step in -400...400 {
            let t = Double(step) / 20
            let cauchy = 0.5 + atan(t) / .pi
            #expect((StudentT(degrees: 1).cumulative(t) - cauchy).magnitude < 1e-12, "t \(t)")
            let two = 0.5 + t / (2 * (2 + t * t).squareRoot())
            #expect((StudentT(degrees: 2).cumulative(t) - two).magnitude < 1e-12, "t \(t)")
            let three = 0.5 + (t / 3.squareRoot() / (1 + t * t / 3) + atan(t / 3.squareRoot())) / .pi
            #expect((StudentT(degrees: 3).cumulative(t) - three).magnitude < 1e-12, "t \(t)")
            let normal = 0.5 * erfc(-t / 2.squareRoot())
            #expect((StudentT(degrees: 1e9).cumulative(t) - normal).magnitude < 1e-8, "t \(t)")
        }
    }

    @Test func `keeps its accuracy where the tail is tiny`() {
        // With two degrees the tail above t is about 1 / (2 t^2).
        let tail = StudentT(degrees: 2).upperTail(1e6)
        #expect((tail / 0.5e-12 - 1).magnitude < 1e-6)
        #expect(StudentT(degrees: 5).upperTail(.infinity) == 0 && StudentT(degrees: 5).cumulative(-.infinity) == 0)
    }
}
