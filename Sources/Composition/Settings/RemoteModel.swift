import Console
import HTTPClient
import LiveProviders
import Recommendation
import Threads

/// The embedder of a service, for a choice whose person wants its texts told.
enum RemoteModel {
    static func embedder(_ context: CommandContext) throws(CommandError) -> any TextEmbedder {
        let service: any EmbeddingService
        do throws(EmbeddingVariables.Problem) {
            service = try EmbeddingVariables { context.environment[$0] }.service
        } catch {
            throw CommandError(
                .configuration,
                "no service of embeddings is set up: \(error.variable) \(error.reason)",
                at: "--model remote",
                todo: "set KNOT_EMBEDDING_SERVICE to google or openai, and what the README names for it"
            )
        }
        do throws(HTTPFailure) {
            let records = ModelSetup.cacheFolder(context.environment).map { ModelRecordFiles(cache: $0) }
            let profile = records?.profile(of: service.model)
            return RemoteEmbedder(service, over: try HTTPClient(), timers: DeadlineTimers(), profile: profile)
        } catch {
            throw .noHTTP(error)
        }
    }
}
