import JSONDocument

/// One thing that `doctor` looked at.
struct DoctorCheck: Sendable, Equatable {
    enum Status: String, Sendable {
        case fine = "ok"
        case warning = "warn"
        case failure = "fail"
    }

    let name: String
    let status: Status
    /// What was found, and for anything but fine what to do.
    let detail: String

    init(_ name: String, _ status: Status, _ detail: String) {
        self.name = name
        self.status = status
        self.detail = detail
    }

    var json: JSONValue {
        ["name": .string(name), "status": .string(status.rawValue), "detail": .string(detail)]
    }
}
