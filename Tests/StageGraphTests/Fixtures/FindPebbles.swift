import JSONDocument
import StageGraph

/// Brings the pebbles of its own node.
struct FindPebbles: SourceStage {
    static let kind = "source.pebbles"
    static let summary = "Finds pebbles."
    static let count = Parameter("count", default: 8, in: 0...10_000, "How many to find.")
    static var parameters: [ParameterDeclaration] { [count.declaration] }

    static func objections(to setting: StageSetting) -> [StageObjection] {
        setting.parameters[count] == 13 ? [StageObjection("parameters.count", "13 brings bad luck")] : []
    }

    let quarry: Quarry
    let count: Int

    func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Pebble] {
        try await context.effects.perform("find", key: .string(context.node.text), codec: Pebble.codec) {
            () async throws(StageFailure) in
            try await quarry.enter(context)
            if let pebbles = quarry.pools[context.node] { return pebbles }
            var generator = context.generator()
            let pebbles = (0..<count).map {
                Pebble("\(context.node)-\($0)", weight: (generator.unit() * 100).rounded() / 10)
            }
            return quarry.lies(context) ? pebbles + pebbles.prefix(1) : pebbles
        }
    }
}
