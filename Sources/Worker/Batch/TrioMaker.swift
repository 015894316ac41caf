package import ChoiceService
import KnotDomain
import Recommendation
import Scheduling
import Synchronization

/// Makes and stores the sets of reminders, in groups, through the same service that everybody asks.
package struct TrioMaker: Sendable {
    /// What an error of the service means for a job.
    package enum Verdict: Sendable, Equatable {
        case fails(JobFailure)
        /// Another set of the vault was faster: choose again.
        case again
        /// Somebody else has the job now.
        case lost
        /// Nothing can be chosen until somebody mends something: the worker gives its jobs back and ends.
        case stops(WorkerStop)
    }

    private let service: ChoiceService
    private let atOnce: Int
    private let judge: @Sendable (ChoiceError) -> Verdict

    /// Makes so many at once; `judge` says what errors mean that only the service's ports know.
    package init(
        _ service: ChoiceService,
        atOnce: Int,
        judge: @escaping @Sendable (ChoiceError) -> Verdict
    ) {
        self.service = service
        self.atOnce = atOnce
        self.judge = judge
    }

    /// One reminder that needs a set.
    struct Order: Sendable {
        let job: ClaimedReminder
        let history: String
        let asOf: Instant
    }

    /// What became of each order; nil where its set is stored.
    func make(_ orders: [Order]) async -> [JobID: Verdict] {
        let output = Endings()
        let requests = orders.map { order in
            var request = ChoiceRequest(
                vault: order.job.vault,
                occasion: .milestone(order.job.key.milestone),
                asOf: order.asOf
            )
            request.reminder = ChoiceRequest.Reminder(
                request: order.job.key.description,
                job: order.job.id.description,
                token: order.job.claim.token,
                history: order.history
            )
            return request
        }
        var stopped: ChoiceError?
        do throws(ChoiceError) {
            try await service.choose(all: Requests(requests), atOnce: atOnce, into: output)
        } catch {
            stopped = error
        }
        var verdicts: [JobID: Verdict] = [:]
        let endings = output.byJob
        for order in orders {
            switch endings[order.job.id.description] {
            case .success(let made)?:
                guard !made.isStored else { continue }
                verdicts[order.job.id] = .fails(Self.short(of: made.lackingSources))
            case .failure(let error)?: verdicts[order.job.id] = verdict(error)
            case nil: verdicts[order.job.id] = verdict(stopped ?? .cancelled)
            }
        }
        return verdicts
    }

    /// A set of fewer than three is the fault of the services that did not answer, where there are such.
    private static func short(of sources: [String]) -> JobFailure {
        if sources.isEmpty {
            return JobFailure(.data, code: "short_set", "there are fewer than three choices: look at the catalogue")
        }
        let names = Set(sources).sorted().joined(separator: ", ")
        return JobFailure(
            .provider,
            code: "short_set",
            "there are fewer than three choices, without all that \(names) could give: "
                + "knot-recommend providers check tries services"
        )
    }

    private func verdict(_ error: ChoiceError) -> Verdict {
        switch error {
        case .overtaken(.byAnotherSet, _): .again
        case .overtaken(.byAnotherWorker, _): .lost
        default: judge(error)
        }
    }

    /// The requests of a batch, all of them known.
    private struct Requests: RequestSource {
        private var left: ArraySlice<ChoiceRequest>

        init(_ requests: [ChoiceRequest]) { left = requests[...] }

        mutating func next(most: Int) async throws(ChoiceError) -> [ChoiceRequest] {
            defer { left = left.dropFirst(most) }
            return Array(left.prefix(most))
        }
    }

    private final class Endings: ChoiceOutput {
        private let endings = Mutex<[String: Result<ChoiceEnding.Made, ChoiceError>]>([:])

        var byJob: [String: Result<ChoiceEnding.Made, ChoiceError>] { endings.withLock { $0 } }

        func take(_ came: [ChoiceEnding]) async {
            endings.withLock { endings in
                for ending in came {
                    if let reminder = ending.request.reminder { endings[reminder.job] = ending.result }
                }
            }
        }
    }
}

/// Why a worker ends by itself: nothing it could do would come to anything.
package struct WorkerStop: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case configuration
        case notPermitted
        /// What is needed did not answer, and this worker does not wait for it.
        case unavailable
    }

    package let kind: Kind
    package let code: String
    /// One sentence with what to do.
    package let detail: String

    package init(_ kind: Kind, code: String, _ detail: String) {
        self.kind = kind
        self.code = code
        self.detail = detail
    }
}
