import Arguments
import Composition
import Console
import JSONDocument
import PipelineInput
import StageGraph
import Testing

@testable import Verbs

@Suite struct `A kind of value` {
    @Test(arguments: ["", "5", "ms", "-1s", "0s", "1e3s", "1441m", "1h", "1.2.3s", "1 s", "nans", "infs"])
    func `refuses what is no duration`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1_500)),
        ("1m", .seconds(60)),
        ("1440m", .seconds(86_400)),
    ])
    func `reads a duration with its unit`(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(arguments: ["", "a", "a.b", "a=1", ".b=1", "a.=1", "a.b=", "=", "a=b.c"])
    func `refuses what is no parameter`(text: String) {
        #expect(CommandLineSetting(text) == nil)
    }

    @Test(arguments: [
        ("combine.weights.hints=2", "combine", "weights.hints", JSONValue.integer(2)),
        ("a.b=0.5", "a", "b", .number(0.5)), ("a.b=true", "a", "b", .bool(true)),
        ("a.b=word", "a", "b", .string("word")),
        ("a.b=x=y", "a", "b", .string("x=y")), ("a.b=[1]", "a", "b", .array([.integer(1)])),
    ])
    func `splits a parameter and reads its value as JSON where it is such`(
        text: String,
        node: String,
        parameter: String,
        value: JSONValue
    ) throws {
        let setting = try #require(CommandLineSetting(text))
        #expect(setting.node.text == node)
        #expect(setting.parameter == parameter)
        #expect(setting.value == value)
    }

    @Test func `takes a slash or json at the end for a file`() {
        #expect(PipelineReference("classic") == .shipped("classic"))
        #expect(PipelineReference("classic.json") == .file("classic.json"))
        #expect(PipelineReference("./classic") == .file("./classic"))
    }

    @Test func `knows the whole range of a seed`() {
        #expect(ValueKind.unsigned.accepts("18446744073709551615"))
        #expect(!ValueKind.unsigned.accepts("18446744073709551616"))
        #expect(!ValueKind.file.accepts("a\u{0}b"))
    }
}
