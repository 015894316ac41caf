import JSONDocument
import KnotDomain
import Testing

@testable import TextEncoding

@Suite struct `The reviewed prototypes` {
    private func problems(_ change: (inout JSONObject) -> Void) throws -> [JSONProblem] {
        var root = try #require(try JSONParser.parse(Self.text).object)
        change(&root)
        do throws(LexiconError) {
            _ = try Prototypes(json: JSONWriter.bytes(.object(root), style: .compact))
            return []
        } catch {
            return error.problems
        }
    }

    /// A complete file with one text for each value.
    private static let text: String = {
        func section(_ names: [String]) -> String {
            "{" + names.map { "\"\($0)\": [\"text of \($0)\"]" }.joined(separator: ", ") + "}"
        }
        return """
            {"format": "knot.prototypes/1", "interests": \(section(KnownInterest.allCases.map(\.rawValue))),
             "vibes": \(section(Vibe.allCases.map(\.rawValue))),
             "love_languages": \(section(LoveLanguage.allCases.map(\.rawValue)))}
            """
    }()

    @Test func `are refused with every problem at once`() throws {
        #expect(throws: LexiconError.self) { try Prototypes(json: Array("nonsense".utf8)) }
        let found = try problems { root in
            root["format"] = "knot.prototypes/0"
            var vibes = root["vibes"]?.object ?? JSONObject([])
            vibes["romantic"] = []
            vibes["vintage"] = [.string("twice"), .string("twice")]
            vibes["minimalist"] = [.string(String(repeating: "long ", count: 60))]
            vibes["bohemian"] = [.integer(3)]
            vibes["gloomy"] = [.string("rain")]
            root["vibes"] = .object(vibes)
        }
        for place in ["format", "romantic", "vintage", "minimalist", "bohemian", "gloomy"] {
            #expect(found.contains { $0.path.contains(place) }, "\(place): \(found)")
        }
    }

    @Test func `need every value of the vocabulary`() throws {
        #expect(try problems { $0["love_languages"] = nil }.count == 1)
        #expect(try problems { _ in }.isEmpty)
    }

    @Test func `know every value, each by two texts of its own at least`() {
        let shared = Prototypes.shared
        #expect(shared.subjects.count == 53 && Set(shared.texts).count == shared.texts.count)
        for (place, range) in shared.ranges.enumerated() {
            #expect(range.count >= 2, "\(shared.subjects[place])")
            #expect(shared.place(of: shared.subjects[place]) == place)
        }
        #expect(shared.ranges.last?.upperBound == shared.texts.count)
    }
}
