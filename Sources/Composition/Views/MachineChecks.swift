package import Console
import Glibc
import KnotDomain
import Scheduling

/// The checks that need nothing but the machine: zones, memory, places to write.
package enum MachineChecks {
    package static func all(_ environment: Environment) -> [DoctorCheck] {
        [timeZones(environment), cores(), memory(), writing(environment)]
    }

    /// A zone database that does not know a change of law is too old: reminders there go out an hour off.
    package static func timeZones(_ environment: Environment) -> DoctorCheck {
        let path = Surroundings.zoneFolder(environment)
        let directory = ZoneDirectory(path: path)
        let version = directory.version ?? "of unknown version"
        guard directory.rules(named: "America/Vancouver") != nil else {
            return DoctorCheck("time zones", .failure, "no zone files in \(path): install the package tzdata")
        }
        if let fact = ZoneFact.unknown(to: directory).first {
            let missing = "\(fact.zone): \(fact.what), since \(fact.release)"
            return DoctorCheck(
                "time zones",
                .warning,
                "tzdata \(version) in \(path) is stale (\(missing)): update the package tzdata"
            )
        }
        return DoctorCheck("time zones", .fine, "tzdata \(version) in \(path)")
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
