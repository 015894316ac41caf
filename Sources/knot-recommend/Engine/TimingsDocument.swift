import JSONDocument
import StageGraph

/// How long a run and its nodes took, in milliseconds: printed only when asked for, since no two runs measure the same.
enum TimingsDocument {
    static func json(_ report: RunReport) -> JSONValue {
        let nodes = report.nodes.compactMap { node -> JSONObject.Member? in
            guard let started = node.started, let ended = node.ended else { return nil }
            return JSONObject.Member(name: node.node.text, value: .number(milliseconds(ended - started)))
        }
        return ["total": .number(milliseconds(report.elapsed)), "nodes": .object(JSONObject(nodes))]
    }

    /// A result with its member `timings_ms`.
    static func added(to result: JSONValue, _ report: RunReport) -> JSONValue {
        guard var object = result.object else { return result }
        object["timings_ms"] = json(report)
        return .object(object)
    }

    /// To the microsecond: more digits would be noise.
    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .microseconds(1)).rounded() / 1_000
    }
}
