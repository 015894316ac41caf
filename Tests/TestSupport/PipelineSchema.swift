package import JSONDocument
package import StageGraph

/// The JSON Schema of pipeline files, made from a catalogue so that editors complete and check what the loader accepts.
package enum PipelineSchema {
    /// The whole schema; equal catalogues give equal documents.
    package static func document<Ports>(for catalog: StageCatalog<Ports>) -> JSONValue {
        let stages = catalog.facts.sorted { $0.kind < $1.kind }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "knot.pipeline/1", "title": "A pipeline",
            "description": "A graph of stages, or a patch of another one.", "type": "object",
            "required": ["schema", "name"], "oneOf": [["$ref": "#/$defs/whole"], ["$ref": "#/$defs/extension"]],
            "$defs": members(
                [
                    ("whole", whole), ("extension", extending), ("patch", patch), ("policy", policy), ("retry", retry),
                    ("id", id), ("duration", duration), ("feed", feed), ("kind", kinds(stages)),
                    ("node", node(stages)), ("change", change),
                ] + stages.map { ("parameters:\($0.kind)", parameters($0)) }
            ),
        ]
    }

    private static let head: [(String, JSONValue)] = [
        ("$schema", ["type": "string"]), ("schema", ["const": "knot.pipeline/1"]), ("name", ["type": "string"]),
        ("summary", ["type": "string"]),
    ]

    private static let whole: JSONValue = object(
        head + [
            ("deadline", reference("duration", "How long a run may take.")),
            ("result", reference("id", "The node whose output is the result.")),
            ("nodes", ["type": "array", "minItems": 1, "items": reference("node")]),
        ],
        required: ["schema", "name", "deadline", "result", "nodes"]
    )

    private static let extending: JSONValue = object(
        head + [
            ("extends", ["type": "string", "description": "A shipped name, or a path from this file."]),
            ("patch", reference("patch")),
        ],
        required: ["schema", "name", "extends"]
    )

    private static let patch: JSONValue = object([
        ("deadline", reference("duration")), ("result", reference("id")),
        (
            "nodes",
            [
                "type": "object", "description": "Changes by node id; null removes the node.",
                "additionalProperties": ["anyOf": [reference("change"), ["type": "null"]]],
            ]
        ),
        ("add", ["type": "array", "items": reference("node"), "description": "New nodes; \"after\" says where."]),
    ])

    private static let id: JSONValue = ["type": "string", "pattern": "^[a-z0-9_-]{1,64}$"]
    private static let duration: JSONValue = [
        "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m)$", "examples": ["250ms", "2s", "1m"],
    ]
    private static let policy: JSONValue = [
        "enum": JSONValue(NodePolicy.allCases.map(\.rawValue)),
        "description":
            "Whether the run fails with this node; default: optional where every consumer can go without it.",
    ]
    private static let retry: JSONValue = object(
        [("attempts", ["type": "integer", "minimum": 1, "maximum": 10]), ("base", reference("duration"))],
        required: ["attempts"]
    )
    private static let feed: JSONValue = [
        "anyOf": [reference("id"), ["type": "array", "minItems": 1, "uniqueItems": true, "items": reference("id")]]
    ]

    private static let fields: [(String, JSONValue)] = [
        ("inputs", ["type": "object", "additionalProperties": reference("feed")]),
        ("parameters", ["type": "object"]), ("policy", reference("policy")),
        ("minimum", ["type": "object", "additionalProperties": ["type": "integer", "minimum": 0, "maximum": 1_000]]),
        ("substitute", reference("id", "The node whose output stands in when this one fails.")),
        ("wait", reference("duration", "How long others wait for it, from its start.")),
        ("life", reference("duration", "How long all its attempts together may take.")), ("retry", reference("retry")),
    ]

    private static func kinds(_ stages: [StageFacts]) -> JSONValue {
        [
            "oneOf": .array(
                stages.map {
                    ["const": .string($0.kind), "description": .string("\($0.summary) (\($0.role.rawValue))")]
                }
            )
        ]
    }

    private static var change: JSONValue {
        // A patch may take any field away with null.
        object(
            [("kind", reference("kind"))]
                + fields.map { name, value in (name, ["anyOf": [value, ["type": "null"]]] as JSONValue) }
        )
    }

    private static func node(_ stages: [StageFacts]) -> JSONValue {
        let plain = object(
            [("id", reference("id")), ("kind", reference("kind")), ("after", reference("id"))] + fields,
            required: ["id", "kind"]
        )
        let rules = stages.map { stage -> JSONValue in
            let isKind: JSONValue = ["properties": ["kind": ["const": .string(stage.kind)]], "required": ["kind"]]
            let needed = stage.inputs.filter { $0.arity == .one }.map(\.name)
            var then: [(String, JSONValue)] = [
                ("properties", ["parameters": reference("parameters:\(stage.kind)"), "inputs": inputs(stage, needed)])
            ]
            if !needed.isEmpty { then.append(("required", ["inputs"])) }
            return ["if": isKind, "then": members(then)]
        }
        return members(
            (plain.object?.members ?? []).map { ($0.name, $0.value) } + [("allOf", .array(rules))]
        )
    }

    private static func inputs(_ stage: StageFacts, _ needed: [String]) -> JSONValue {
        object(
            stage.inputs.map { input in
                let target = input.arity == .many ? "feed" : "id"
                return (input.name, reference(target, "Takes \(input.typeName)."))
            },
            required: needed
        )
    }

    private static func parameters(_ stage: StageFacts) -> JSONValue {
        let declared = object(
            stage.parameters.map { declaration in
                (
                    declaration.name,
                    [
                        "description": .string(declaration.summary), "default": declaration.defaultValue,
                        "anyOf": value(declaration.domain),
                    ] as JSONValue
                )
            }
        )
        guard let family = stage.feedParameter, var form = declared.object else { return declared }
        form["additionalProperties"] = [
            "description": .string("The \(family.noun) of the node of this name at inputs.\(family.input)."),
            "anyOf": value(.double(family.range)),
        ]
        return .object(form)
    }

    /// A value by itself, or with its reason.
    private static func value(_ domain: ParameterDeclaration.Domain) -> JSONValue {
        [domain.schema, object([("value", domain.schema), ("why", ["type": "string"])], required: ["value"])]
    }

    private static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }

    private static func object(_ members: [(String, JSONValue)], required: [String] = []) -> JSONValue {
        var form: [(String, JSONValue)] = [
            ("type", "object"), ("additionalProperties", false), ("properties", Self.members(members)),
        ]
        if !required.isEmpty { form.append(("required", JSONValue(required))) }
        return Self.members(form)
    }

    private static func reference(_ name: String, _ description: String? = nil) -> JSONValue {
        var form: [(String, JSONValue)] = [("$ref", .string("#/$defs/\(name)"))]
        if let description { form.append(("description", .string(description))) }
        return members(form)
    }
}

extension ParameterDeclaration.Domain {
    fileprivate var schema: JSONValue {
        switch self {
        case .double(let range):
            ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .integer(let range):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .bool: ["type": "boolean"]
        case .choice(let words): ["enum": JSONValue(words)]
        }
    }
}
