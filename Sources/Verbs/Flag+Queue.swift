import Arguments
import Composition
import ReminderStore

extension Flag {
    /// Flags that only the verbs of the queue take.
    static let ofTheQueue: [Flag] = [
        Flag(name: .notification, kind: .text("ID"), help: "Notification whose reminder to send"),
        Flag(name: .job, kind: .text("ID"), help: "Job to show, retry or cancel (see `jobs list`)"),
        Flag(
            name: .state,
            kind: .choice(JobLedger.states + ["open", "all"]),
            value: "STATE",
            defaultText: "open",
            help: "State of the jobs; `open` means neither completed nor cancelled"
        ),
        Flag(name: .drain, kind: .none, help: "Stop when nothing is due instead of waiting"),
        Flag(
            name: .deliver,
            kind: .text("TARGET"),
            defaultText: "KNOT_DELIVERY",
            help: "Where to send: `outbox:FOLDER`, `webhook` (see KNOT_WEBHOOK_*) or `apns` (see KNOT_APNS_*)"
        ),
        Flag(
            name: .listen,
            kind: .text("ADDRESS"),
            help: "Address for /livez, /readyz and /metrics, such as `127.0.0.1:9464`, or a local port"
        ),
        Flag(
            name: .spans,
            kind: .text("FILE|URL"),
            written: [.run, .work, .runDue],
            help: "Append OpenTelemetry spans to a file, or send them (headers from OTEL_EXPORTER_OTLP_HEADERS)"
        ),
    ]
}
