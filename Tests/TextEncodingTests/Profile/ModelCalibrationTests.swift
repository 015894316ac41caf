import JSONDocument
import TestSupport
import Testing
import VectorSearch

@testable import TextEncoding

/// Thresholds were made for one model; what another's cosines mean is found out by what is known without either.
@Suite(.onOwnThreads) struct ModelCalibrationTests {
    private static let calibration = ModelCalibration()

    private static func vectors(
        _ change: (inout [Float]) -> Void = { _ in }
    ) throws -> [String: Embedding] {
        let encoder = try Encoder(directory: try EncoderFixture.model(), threads: 2, precision: .single)
        var vectors: [String: Embedding] = [:]
        for (text, vector) in zip(calibration.texts, try encoder.encode(calibration.texts)) {
            var values = vector.values
            change(&values)
            vectors[text] = Embedding(values, model: "changed")
        }
        return vectors
    }

    @Test func `the reference finds what it was found to be, and its profile changes next to nothing`() throws {
        let findings = try #require(Self.calibration.findings(try Self.vectors()))
        let known = ModelCalibration.Findings.reference
        #expect(abs(findings.certainty - known.certainty) < 0.01, "\(findings)")
        for (found, wanted) in zip(findings.unrelated + findings.related, known.unrelated + known.related) {
            #expect(abs(found - wanted) < 0.01, "\(findings)")
        }
        let profile = try #require(findings.profile)
        for step in -20...20 {
            let cosine = Double(step) / 20
            #expect(abs(profile(cosine) - cosine) < 0.01)
        }
    }

    /// A constant part in every vector is what lifts all cosines of many models.
    @Test(arguments: [Float(0.5), 1, 2])
    func `a model that lies in a narrow cone is told on the reference's scale`(lift: Float) throws {
        let findings = try #require(Self.calibration.findings(try Self.vectors { $0[767] = lift }))
        let profile = try #require(findings.profile)
        let square = Double(lift * lift)
        for cosine in [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] {
            let own = (cosine + square) / (1 + square)
            #expect(abs(profile(own) - cosine) < 0.05, "\(own) means \(profile(own)) and not \(cosine)")
        }
    }

    @Test func `a model that knows nothing has no profile`() throws {
        var generator = SplitMix(state: 5)
        let vectors = try Self.vectors { values in
            for place in values.indices { values[place] = Float.random(in: -1...1, using: &generator) }
        }
        let findings = try #require(Self.calibration.findings(vectors))
        #expect(findings.certainty < 0.75 && findings.profile == nil)
        let same = try Self.vectors { values in for place in values.indices { values[place] = place == 0 ? 1 : 0 } }
        #expect(try #require(Self.calibration.findings(same)).profile == nil)
    }

    @Test func `nothing is found where a vector is missing`() throws {
        var vectors = try Self.vectors()
        vectors[Self.calibration.texts[7]] = nil
        #expect(Self.calibration.findings(vectors) == nil)
    }
}

@Suite(.onOwnThreads) struct CosineProfileTests {
    private typealias Mark = CosineProfile.Mark

    @Test func `the reference leaves every cosine as it is`() {
        for cosine in [-1, -0.3, 0, 0.1, 1.0 / 3, 0.95, 1, 1.0000001] {
            #expect(CosineProfile.reference(cosine) == cosine)
        }
    }

    @Test func `what is nearer stays nearer, and the ends stay where they are`() throws {
        let profile = try #require(
            CosineProfile(through: [Mark(own: 0.7, reference: 0.1), Mark(own: 0.85, reference: 0.5)])
        )
        #expect(profile(-1) == -1 && profile(1) == 1 && profile(2) == 1 && abs(profile(0.7) - 0.1) < 1e-12)
        let values = stride(from: -1.0, through: 1, by: 0.001).map { profile($0) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `marks that do not rise are left out, and none are no profile`() {
        let marks = [Mark(own: 0.5, reference: 0.2), Mark(own: 0.5, reference: 0.4), Mark(own: 0.8, reference: 0.1)]
        #expect(CosineProfile(through: marks)?.marks.count == 3)
        #expect(CosineProfile(through: []) == nil)
    }

    @Test func `is read as it was written, and nothing else is read`() throws {
        let profile = try #require(CosineProfile(through: [Mark(own: 0.7, reference: 0.1)]))
        #expect(CosineProfile(profile.json) == profile)
        #expect(CosineProfile(CosineProfile.reference.json) == .reference)
        #expect(CosineProfile(.null) == nil && CosineProfile(["format": "knot.profile/1", "marks": [[1]]]) == nil)
    }
}
