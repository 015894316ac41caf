package import Arguments
import Composition
import Console
import KnotDomain
import PipelineInput
import PostgresClient
import Recommendation
import Shipped
import StageGraph

extension ValueKind {
    /// A shipped pipeline's name, or a file when it has a slash or ends in `.json`.
    package static let pipeline = ValueKind.form(
        ValueForm(
            placeholder: "NAME|FILE",
            expectation: "a shipped pipeline's name or the path of a .json file",
            hint: .filesOrWords(ShippedPipelines.names),
            isPath: { PipelineReference($0).isFile },
            accepts: { !$0.isEmpty && !$0.utf8.contains(0) }
        )
    )
    /// `node.parameter=value`.
    static let parameter = ValueKind.form(
        ValueForm(
            placeholder: "NODE.PARAMETER=VALUE",
            expectation: "node.parameter=value, such as combine.hints=0.7",
            accepts: { CommandLineSetting($0) != nil }
        )
    )
    static let duration = ValueKind.form(
        ValueForm(
            placeholder: "DURATION",
            expectation: "a time with its unit, such as 500ms, 2s or 1m",
            accepts: { DurationText.parse($0) != nil }
        )
    )
    static let day = ValueKind.form(
        ValueForm(
            placeholder: "DAY",
            expectation: "a day, such as 2026-05-16",
            accepts: { CivilDate(iso8601: $0) != nil }
        )
    )
    static let instant = ValueKind.form(
        ValueForm(
            placeholder: "TIME",
            expectation: "an instant, such as 2026-03-01T09:00:00Z",
            accepts: { Instant(iso8601: $0) != nil }
        )
    )
    /// What the database keeps a request under.
    static let request = ValueKind.form(
        ValueForm(
            placeholder: "ID",
            expectation: "1 to 500 characters",
            accepts: { (1...500).contains($0.unicodeScalars.count) && !$0.utf8.contains(0) }
        )
    )
    /// A person's id; the name of a role is none.
    static let person = ValueKind.form(
        ValueForm(
            placeholder: "ID",
            expectation: "a person's id, which is a UUID",
            accepts: { PostgresUUID($0) != nil }
        )
    )
}

extension ProgramOffer {
    /// The ids of the vaults in the database.
    static let vaults = ProgramOffer(CompletionOffer.vaults.rawValue)
    /// `node.parameter=` of every parameter of the pipeline.
    static let parameters = ProgramOffer(
        CompletionOffer.parameters.rawValue,
        suffix: "=",
        depends: .pipeline,
        usually: "choice-of-three"
    )
}

/// Words that a shell cannot know and asks the program itself for.
package enum CompletionOffer: String, Sendable, CaseIterable {
    /// The ids of the vaults in the database.
    case vaults
    /// `node.parameter=` of every parameter of the pipeline.
    case parameters
}

/// The languages `graph` writes.
package enum GraphFormat: String, Sendable, CaseIterable {
    case mermaid
    case dot
}
