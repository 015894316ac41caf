import Glibc

extension LocalServer {
    /// Longest wait for a server to take connections; after a crash it first replays what was committed.
    private static let startLimit = Duration.seconds(120)
    private static let largestLog = 4 << 20

    /// The start itself; the caller holds the folder's lock.
    func startLocked(as account: ServerAccount) throws(LocalServerError) -> RunningServer {
        if let running = try running() { return running }
        let installation = try search.serving(majorVersion: dataVersion)
        if let file = PostmasterFile.read(inData: folder.data), isOurs(file) {
            // Somebody who was killed had started it: it only needs to get ready.
            return try awaitReadiness(of: file.pid)
        }
        try clearLeftovers()
        if dataVersion == nil { try makeData(installation, as: account) }
        try folder.makePrivate(folder.socketFolder, for: account)
        if let lines = settings.authentication {
            try ServerFiles.write(lines.joined(separator: "\n") + "\n", to: folder.authentication, mode: 0o644)
        }
        if let log = ServerFiles.read(folder.log, limit: Self.largestLog + 1), log.utf8.count > Self.largestLog {
            try ServerFiles.removeTree(folder.log)
        }
        return try awaitReadiness(of: try launch(installation, as: account))
    }

    /// Makes new data beside their final place, so that a start killed half-way leaves nothing that looks whole.
    private func makeData(_ installation: ServerInstallation, as account: ServerAccount) throws(LocalServerError) {
        let unfinished = folder.unfinishedData
        try ServerFiles.removeTree(unfinished)
        try ServerFiles.removeTree(folder.data)
        try folder.makePrivate(unfinished, for: account)
        let prefix = try account.prefix()
        try check(
            ChildProcess.run(
                prefix + [
                    installation.programs + "/initdb", "-D", unfinished, "-U", RunningServer.user, "--auth=trust",
                    "-E", "UTF8", "--locale=C.UTF-8",
                ] + (settings.isDurable ? [] : ["--no-sync"])
            ),
            "cannot make the data in \(folder.path)"
        )
        // The single-user server needs no socket and no client.
        try check(
            ChildProcess.run(
                prefix + [installation.programs + "/postgres", "--single", "-D", unfinished]
                    + (settings.isDurable ? [] : ["-F"]) + ["postgres"],
                input: "create database \(RunningServer.database)\n"
            ),
            "cannot make the database \(RunningServer.database) in \(folder.path)"
        )
        try ServerFiles.move(unfinished, to: folder.data)
    }

    /// Starts the server as an orphan, so that it outlives us and the system reaps it, and returns its process.
    private func launch(
        _ installation: ServerInstallation,
        as account: ServerAccount
    ) throws(LocalServerError) -> pid_t {
        var arguments = [installation.programs + "/postgres", "-D", folder.data, "-k", folder.socketFolder]
        for (name, value) in settings.values(majorVersion: installation.majorVersion) {
            arguments += ["-c", "\(name)=\(value)"]
        }
        if settings.authentication != nil { arguments += ["-c", "hba_file=\(folder.authentication)"] }
        // Whoever waits for our output must not wait for the server: it gets the log and nothing else.
        let script = #"log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!"#
        let result = try ChildProcess.run(
            ["/bin/sh", "-c", script, "sh", folder.log] + (try account.prefix()) + arguments
        )
        guard result.status == 0, let pid = pid_t(result.lastLine) else {
            throw failure("cannot start the server in \(folder.path)", result.output)
        }
        return pid
    }

    private func awaitReadiness(of pid: pid_t) throws(LocalServerError) -> RunningServer {
        var running: RunningServer?
        var problem: LocalServerError?
        let settled = ProcessTable.wait(Self.startLimit) {
            let isAlive = ProcessTable.isRunning(pid)
            do throws(LocalServerError) {
                running = try self.running()
            } catch {
                problem = error
            }
            return running != nil || problem != nil || !isAlive
        }
        if let running { return running }
        if let problem { throw problem }
        if !settled { kill(pid, SIGQUIT) }
        let lines = (ServerFiles.read(folder.log, limit: Self.largestLog) ?? "").split(separator: "\n").suffix(20)
        throw failure(
            settled
                ? "the server in \(folder.path) ended while starting"
                : "the server in \(folder.path) did not get ready within \(Self.startLimit)",
            lines.joined(separator: "\n")
        )
    }

    /// Ends what a killed server has left: processes that still work on the data, and files that name none.
    private func clearLeftovers() throws(LocalServerError) {
        guard let data = ServerFiles.entry(at: folder.data), data.isFolder else { return }
        // Children of a killed server notice by themselves at once; whoever does not is told, and then made to.
        for signal in [SIGQUIT, SIGKILL] {
            let ended = ProcessTable.wait(.seconds(2)) { ProcessTable.processes(in: folder.data).isEmpty }
            if ended { break }
            for pid in ProcessTable.processes(in: folder.data) { kill(pid, signal) }
        }
        guard ProcessTable.wait(.seconds(5), until: { ProcessTable.processes(in: folder.data).isEmpty }) else {
            throw LocalServerError(
                .stopFailed,
                "processes of an earlier server still work in \(folder.data)",
                todo: "end them and start again"
            )
        }
        // Only now, with nobody in the folder: the number in the file may by now be anybody's, which would stop a start.
        for path in [folder.data + "/postmaster.pid", folder.socketFolder + "/" + ServerFolder.socketName + ".lock"] {
            if unsafe unlink(path) != 0, errno != ENOENT { throw ServerFiles.failure(errno, "cannot delete \(path)") }
        }
    }

    private func check(_ result: ChildProcess.Result, _ what: String) throws(LocalServerError) {
        guard result.status == 0 else { throw failure(what, result.output) }
    }

    /// Finds the reason in what a server's program printed.
    func failure(_ what: String, _ output: String) -> LocalServerError {
        let lines = output.split(separator: "\n")
        let reason = lines.last { $0.contains("FATAL:") || $0.contains("PANIC:") || $0.contains("error:") }
        let said = String(reason ?? lines.last ?? "it said nothing")
        if output.contains("No space left on device") || output.contains("Disk quota exceeded") {
            return LocalServerError(.diskFull, "\(what): \(said)", todo: "free some space")
        }
        if output.contains("Permission denied") || output.contains("Operation not permitted") {
            return LocalServerError(.notPermitted, "\(what): \(said)", todo: "choose another folder")
        }
        return LocalServerError(.startFailed, "\(what): \(said)", todo: "see \(folder.log)")
    }
}

extension LocalServer {
    /// The stop itself, for who holds the folder's lock; false when no server ran.
    func stopLocked() throws(LocalServerError) -> Bool {
        guard let file = PostmasterFile.read(inData: folder.data), isOurs(file) else { return false }
        // Fast: open transactions are rolled back, everything committed is written. Immediate only when that hangs:
        // the next start then replays the log, and nothing committed is lost either.
        for (signal, patience) in [(SIGINT, Duration.seconds(20)), (SIGQUIT, .seconds(10)), (SIGKILL, .seconds(5))] {
            guard kill(file.pid, signal) == 0 || errno == ESRCH else {
                throw ServerFiles.failure(errno, "cannot stop the server in \(folder.path)")
            }
            if ProcessTable.wait(patience, until: { !isOurs(file) }) { return true }
        }
        throw LocalServerError(
            .stopFailed,
            "the server in \(folder.path), process \(file.pid), does not end",
            todo: "look at \(folder.log)"
        )
    }
}

/// How a server of ours is set: what differs from PostgreSQL's own defaults.
package struct ServerSettings: Sendable, Equatable {
    /// Whether a commit survives a power cut; false only for servers whose data nobody keeps.
    package var isDurable: Bool
    /// Further settings by name; they win over ours.
    package var extra: [String: String]
    /// Lines of a `pg_hba.conf` that stands for the default, which trusts whoever reaches the private socket.
    package var authentication: [String]?

    package init(isDurable: Bool = true, extra: [String: String] = [:], authentication: [String]? = nil) {
        self.isDurable = isDurable
        self.extra = extra
        self.authentication = authentication
    }

    /// Every setting that is passed to the server, sorted by name.
    func values(majorVersion: Int) -> [(name: String, value: String)] {
        var values = [
            "listen_addresses": "",
            "unix_socket_permissions": "0700",
            "max_connections": "100",
            "shared_buffers": "64MB",
            "max_wal_size": "256MB",
            "min_wal_size": "32MB",
            "wal_level": "minimal",
            "max_wal_senders": "0",
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_min_messages": "warning",
            // Statements carry what people noted of each other: the log names errors, not texts.
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
            "cluster_name": "knot-recommend",
        ]
        if !isDurable {
            values["fsync"] = "off"
            // All tests share one server of a version, each with connections of its own.
            values["max_connections"] = "500"
            values["full_page_writes"] = "off"
            values["autovacuum"] = "off"
            if majorVersion >= 18 { values["io_method"] = "sync" }
        }
        return values.merging(extra) { $1 }.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}
