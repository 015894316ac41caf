/// How a worker goes about its work.
package struct WorkerSettings: Sendable, Hashable {
    /// How long a claim holds; whoever dies leaves its jobs to others after that.
    package var lease = Duration.seconds(60)
    /// How often leases are lengthened; nil leaves them as they are, for who wants to see them run out.
    package var renewsEvery: Duration? = .seconds(20)
    /// Work on a job stops so long before its lease ends.
    package var margin = Duration.seconds(5)
    /// A job that is held for longer is not renewed any more.
    package var longestHold = Duration.seconds(600)
    /// How many jobs are claimed at once.
    package var batch = 50
    /// How many batches are under way at once.
    package var batchesAtOnce = 2
    /// How many vaults are chosen for at once.
    package var choosesAtOnce = 4
    /// How many notices are handed over at once.
    package var deliversAtOnce = 16
    /// What handing one notice over may take.
    package var deliveryLimit = Duration.seconds(30)
    /// How long what was handed over waits for others, so that one transaction ends them all.
    package var finishPatience = Duration.milliseconds(20)
    package var shortestPoll = Duration.seconds(1)
    package var longestPoll = Duration.seconds(15)
    package var rescuesEvery = Duration.seconds(20)
    package var rescueLimit = 100
    /// Within this time the queue makes jobs due that it took back from a dead worker for the first time.
    package var resumeWait = Duration.seconds(11)
    /// The pauses before an end is written again that the queue did not take.
    package var endingPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]
    /// How often a set is chosen anew that another one of its vault was faster than.
    package var choosings = 3
    /// How long what was begun may go on after the worker was told to stop.
    package var grace = Duration.seconds(25)
    /// A worker that ends when nothing is due gives up after so many failures to ask, one after another.
    package var failuresWhenDraining = 5

    package init() {}
}
