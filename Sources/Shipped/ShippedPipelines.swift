import EmbeddedFiles
import Recommendation
package import StageGraph

/// The pipelines that come with the program; files are left to whoever may read files.
package struct ShippedPipelines: DefinitionSource {
    package static let names = ["choice-of-three", "classic"]
    package static let standard = "choice-of-three"

    package init() {}

    package func definition(
        _ reference: String,
        extendedBy file: String?
    ) throws(DefinitionSourceError) -> DefinitionFile {
        switch reference {
        case "choice-of-three":
            return DefinitionFile(name: "choice-of-three", bytes: EmbeddedFile.bytes(named: "choice-of-three.json"))
        case "classic": return DefinitionFile(name: "classic", bytes: EmbeddedFile.bytes(named: "classic.json"))
        default:
            throw DefinitionSourceError(
                .unknownName,
                "there is no pipeline named \(reference); shipped are \(Self.names.joined(separator: " and "))"
            )
        }
    }

    /// A shipped pipeline's plan; shipped files are proven by a test, so a problem here is a broken build.
    package static func plan(_ name: String) throws(PipelineError) -> Plan {
        try Plan(try PipelineLoader(source: ShippedPipelines()).load(name), catalog: .knot)
    }
}
