import Glibc
import KnotDomain

/// The checks that need nothing but the machine: zones, memory, places to write.
enum MachineChecks {
    static func all(_ environment: Environment) -> [DoctorCheck] {
        [timeZones(environment), cores(), memory(), writing(environment)]
    }

    /// British Columbia keeps daylight time for good from 2026 on: a zone database that does not know is too old.
    static func timeZones(_ environment: Environment) -> DoctorCheck {
        let path = zoneFolder(environment)
        let directory = ZoneDirectory(path: path)
        let version = directory.version ?? "of unknown version"
        guard let rules = directory.rules(named: "America/Vancouver") else {
            return DoctorCheck("time zones", .failure, "no zone files in \(path): install the package tzdata")
        }
        guard let moment = Instant(iso8601: "2026-12-01T00:00:00Z"), rules.offsetSeconds(at: moment) == -7 * 3_600
        else {
            return DoctorCheck(
                "time zones",
                .warning,
                "tzdata \(version) in \(path) is stale (Vancouver's change of 2026 is missing): update the package tzdata"
            )
        }
        return DoctorCheck("time zones", .fine, "tzdata \(version) in \(path)")
    }

    static func zoneFolder(_ environment: Environment) -> String {
        environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
    }

    private static func cores() -> DoctorCheck {
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return DoctorCheck("cores", .fine, "\(count) online")
    }

    private static func memory() -> DoctorCheck {
        let bytes = sysconf(Int32(_SC_AVPHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let megabytes = bytes >> 20
        guard megabytes >= 256 else {
            return DoctorCheck("memory", .warning, "\(megabytes) MiB free: large pools of candidates may not fit")
        }
        return DoctorCheck("memory", .fine, "\(megabytes) MiB free")
    }

    /// Recordings and traces are written where the person says, most often here.
    private static func writing(_ environment: Environment) -> DoctorCheck {
        let isWritable = unsafe access(".", W_OK) == 0
        return isWritable
            ? DoctorCheck("writing", .fine, "this folder can be written to")
            : DoctorCheck(
                "writing",
                .warning,
                "this folder cannot be written to: name another one for --record and --trace"
            )
    }
}
