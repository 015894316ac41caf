import Arguments
import Composition
import ReminderStore

extension Flag {
    /// What only the verbs of the queue take.
    static let ofTheQueue: [Flag] = [
        Flag(
            name: .drain,
            kind: .none,
            help: "Ends when nothing is due any more, instead of waiting for it."
        ),
        Flag(
            name: .deliver,
            kind: .text("WAY"),
            defaultText: "KNOT_DELIVERY",
            help: "Where notices go: outbox:FOLDER, or webhook or apns as their variables say."
        ),
        Flag(
            name: .listen,
            kind: .text("ADDRESS"),
            help: "Where it answers /livez, /readyz and /metrics; a port alone is this machine's.",
            helps: [.serve: "Where it shows the page; a port alone is this machine's."]
        ),
        Flag(
            name: .spans,
            kind: .text("FILE|URL"),
            written: [.run, .work, .runDue],
            help: "Draws OpenTelemetry spans from the job to each call: lines appended to a file, or to a collector's "
                + "address, with the headers of OTEL_EXPORTER_OTLP_HEADERS."
        ),
        Flag(
            name: .notification,
            kind: .text("ID"),
            help: "The notification whose reminder is made and sent."
        ),
        Flag(
            name: .job,
            kind: .text("ID"),
            help: "The job to show, to try again or to call off; jobs list names them."
        ),
        Flag(
            name: .state,
            kind: .choice(JobsVerb.states),
            defaultText: "open",
            help: "Which jobs are listed: those of one state, all, or open, which are those that have not ended well."
        ),
    ]
}
