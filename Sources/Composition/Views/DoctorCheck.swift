package import Console
package import JSONDocument

/// One thing that `doctor` looked at.
package struct DoctorCheck: Sendable, Equatable {
    package enum Status: String, Sendable {
        case fine = "ok"
        case warning = "warn"
        case failure = "fail"
    }

    package let name: String
    package let status: Status
    /// What was found, and for anything but fine what to do.
    package let detail: String

    package init(_ name: String, _ status: Status, _ detail: String) {
        self.name = name
        self.status = status
        self.detail = detail
    }

    package init(_ name: String, _ error: CommandError) {
        self.init(name, .failure, "\(error.what), \(error.place): \(error.todo)")
    }

    /// What is found, or why it cannot be used.
    package init(_ name: String, _ finding: () throws(CommandError) -> String) {
        do throws(CommandError) { self.init(name, .fine, try finding()) } catch { self.init(name, error) }
    }

    package var json: JSONValue {
        ["name": .string(name), "status": .string(status.rawValue), "detail": .string(detail)]
    }
}
