package import Arguments
package import Console
package import KnotDomain
import LocalPostgres
import PostgresClient
import TextEncoding

/// This program, as results, reports and the schema's history name it.
package enum ProgramVersion {
    package static let number = "0.1.0"
}

/// What decides a call besides the settings that have a flag: the database, the folders, and the model that is found.
package struct Surroundings: Sendable {
    /// One of them, with what decided it.
    package struct Item: Sendable, Equatable {
        package let name: String
        /// Nil where there is none.
        package let value: String?
        package let layer: SettingLayer
        /// The variable, flag or file that decided; empty for a default.
        package let source: String
    }

    package let items: [Item]

    package init(_ context: CommandContext) async {
        let environment = context.environment
        items = [
            Self.configuration(context), await Self.database(context), Self.devDatabase(context),
            Self.folder("cache", ModelSetup.cacheFolder(environment), ["KNOT_CACHE", "XDG_CACHE_HOME"], environment),
            Self.folder("state", WrittenFiles(environment).folder, ["XDG_STATE_HOME"], environment),
            Self.folder("time-zones", Self.zoneFolder(environment), ["TZDIR"], environment),
            Self.model(context),
        ]
    }

    private static func configuration(_ context: CommandContext) -> Item {
        let isNamed = !(context.environment["KNOT_CONFIG"] ?? "").isEmpty
        return Item(
            name: "configuration",
            value: context.settings.file,
            layer: isNamed ? .environment : .unset,
            source: isNamed ? "KNOT_CONFIG" : ""
        )
    }

    /// Which database a command would connect to; nothing is connected to, and no password is shown.
    private static func database(_ context: CommandContext) async -> Item {
        let variables = ["DATABASE_URL", "DATABASE_URL_FILE"] + CommandDatabase.connectionVariables
        let source = set(variables, context.environment)
        let value: String?
        do throws(CommandError) {
            value = try await CommandDatabase(context).configuredTarget()?.description
        } catch {
            value = "(\(error.what))"
        }
        let fallback = value == nil ? "" : "dev-db"
        return Item(
            name: "database",
            value: value,
            layer: source == nil ? .unset : .environment,
            source: source ?? fallback
        )
    }

    private static func devDatabase(_ context: CommandContext) -> Item {
        do throws(CommandError) {
            let folder = try CommandDatabase(context).devDatabase().folder
            return self.folder("dev-db", folder, ["KNOT_DEV_DB", "XDG_DATA_HOME"], context.environment)
        } catch {
            return Item(name: "dev-db", value: "(\(error.what))", layer: .unset, source: "")
        }
    }

    private static func folder(
        _ name: String,
        _ path: String?,
        _ variables: [String],
        _ environment: Environment
    ) -> Item {
        let source = set(variables, environment)
        return Item(name: name, value: path, layer: source == nil ? .unset : .environment, source: source ?? "")
    }

    /// The folder of the model that a run would use.
    private static func model(_ context: CommandContext) -> Item {
        let setting = context.settings.all.first { $0.name == .model }
        let layer = setting?.layer ?? .unset
        let named = setting?.value
        guard named != "none" else {
            return Item(name: "model-found", value: nil, layer: layer, source: setting?.source ?? "")
        }
        do throws(EncoderError) {
            let folder = try ModelSearch(environment: context.environment.all).directory(named: named)
            return Item(name: "model-found", value: folder, layer: layer, source: setting?.source ?? "")
        } catch {
            let isMissed = named != nil
            return Item(
                name: "model-found",
                value: isMissed ? "(there is none in \(named ?? ""))" : nil,
                layer: layer,
                source: setting?.source ?? ""
            )
        }
    }

    /// Where this machine has its time zones.
    package static func zoneFolder(_ environment: Environment) -> String {
        environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
    }

    /// The zones there; refused where none can be read, since everybody would be told by the clock of Greenwich.
    package static func zones(_ environment: Environment) throws(CommandError) -> ZoneDirectory {
        let zones = ZoneDirectory(path: zoneFolder(environment))
        guard let obstacle = zones.obstacle else { return zones }
        throw CommandError(.configuration, obstacle, at: "TZDIR", todo: "knot-recommend doctor looks at it again")
    }

    /// The first of some variables that is set to something.
    private static func set(_ variables: [String], _ environment: Environment) -> String? {
        variables.first { !(environment[$0] ?? "").isEmpty }
    }
}
