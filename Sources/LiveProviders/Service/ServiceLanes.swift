import KnotDomain
import Synchronization
import Threads

/// The threads on which each service is asked and its replies are read.
///
/// A service that answers with megabytes, or with what takes long to read, keeps its own calls waiting and no others.
enum ServiceLanes {
    private static let lanes = Mutex<[ProviderName: StageExecutor]>([:])
    /// One that is at work leaves another for the next call.
    private static let threads = 2

    /// The threads of a service, which begin with its first call.
    static func lane(of service: ProviderName) -> StageExecutor {
        lanes.withLock { lanes in
            if let lane = lanes[service] { return lane }
            let lane = StageExecutor(threads: threads)
            lanes[service] = lane
            return lane
        }
    }
}
