import JSONDocument

extension OperationsOverview {
    /// One node of a stored run: its place in the graph, its time, and what it let through.
    package struct Node: Sendable, Equatable {
        package let name: String
        package let state: String
        /// In milliseconds from the run's start; nil where it never ran.
        package let start: Double?
        package let took: Double?
        package let incoming: Int?
        package let outgoing: Int?
        /// The nodes that feed it.
        package let after: [String]

        package init(
            name: String,
            state: String,
            start: Double?,
            took: Double?,
            incoming: Int?,
            outgoing: Int?,
            after: [String]
        ) {
            self.name = name
            self.state = state
            self.start = start
            self.took = took
            self.incoming = incoming
            self.outgoing = outgoing
            self.after = after
        }

        var json: JSONValue {
            [
                "name": .string(name), "state": .string(state), "start_ms": JSONValue(start),
                "took_ms": JSONValue(took),
                "in": JSONValue(incoming), "out": JSONValue(outgoing), "after": JSONValue(after),
            ]
        }
    }

    /// How a provider did in the last runs, and what is left of its day.
    package struct Provider: Sendable, Equatable {
        package let name: String
        /// Runs that asked it.
        package let asked: Int
        /// Of these, those that had nothing of it.
        package let failed: Int
        /// Of half of them no more, in milliseconds.
        package let took: Double?
        /// Why it failed last; nil where it did not.
        package let code: String?
        /// Calls left today, as this machine has counted; nil where no quota is known.
        package let left: Int?
        package let quota: Int?

        package init(name: String, asked: Int, failed: Int, took: Double?, code: String?, left: Int?, quota: Int?) {
            self.name = name
            self.asked = asked
            self.failed = failed
            self.took = took
            self.code = code
            self.left = left
            self.quota = quota
        }

        var json: JSONValue {
            [
                "provider": .string(name), "asked": .integer(asked), "failed": .integer(failed),
                "took_ms": JSONValue(took), "code": JSONValue(code), "left": JSONValue(left), "quota": JSONValue(quota),
            ]
        }
    }

    /// What is left of a provider's calls.
    package struct Quota: Sendable, Equatable {
        package let calls: Int
        package let left: Int?

        package init(calls: Int, left: Int?) {
            self.calls = calls
            self.left = left
        }
    }
}
