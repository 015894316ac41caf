extension NodeBody {
    static func transform<S: TransformStage>(_ stage: S) -> NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            Product(value: try await stage.run(inputs, in: context))
        }
    }

    static func sink<S: SinkStage>(_ stage: S) -> NodeBody {
        NodeBody { (inputs, context) async throws(StageFailure) in
            Product(value: try await stage.write(inputs, in: context))
        }
    }
}
