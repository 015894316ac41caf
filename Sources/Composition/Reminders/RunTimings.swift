import JSONDocument
import StageGraph

/// What is kept of a run besides its set: its nodes with their times and counts, for whoever looks after it.
///
/// Ids of the pipeline, states, codes and numbers; nothing that anybody wrote.
enum RunTimings {
    /// Each node as a list: id, kind, state, start and length in milliseconds, items that came in and went out, the code of
    /// its failure, and the places of the nodes that feed it.
    static func json(_ report: RunReport) -> JSONValue {
        let nodes = report.nodes.indices.map { index -> JSONValue in
            let node = report.nodes[index]
            let took = node.started.flatMap { start in node.ended.map { $0 - start } }
            return [
                .string(node.node.text), .string(node.kind), .string(node.state.rawValue),
                node.started.map(milliseconds) ?? .null, took.map(milliseconds) ?? .null,
                JSONValue(node.incoming), JSONValue(node.outgoing), JSONValue(node.failure?.code),
                .array(report.plan.feeders[index].map { .integer($0) }),
            ]
        }
        return ["total_ms": milliseconds(report.elapsed), "nodes": .array(nodes)]
    }

    /// To the tenth: who looks for less measures otherwise.
    private static func milliseconds(_ time: Duration) -> JSONValue {
        .number((time / .microseconds(100)).rounded() / 10)
    }
}
