import Glibc
import LocalPostgres

/// A throw-away server's folder, which goes away with this process however it ends.
///
/// A small shell waits at a pipe that only this process can write to: when the process ends, by itself or by a signal, the
/// pipe closes, and the shell stops the server and deletes the folder. What a lost shell leaves, the next run sweeps.
package struct TestServerFolder: Sendable {
    static let prefix = "knot-test-"

    /// Memory where there is enough of it: there a test's database is copied in 15 ms, on a slow disk in 500 ms.
    private static let parents = ["/dev/shm", "/tmp"]

    private static let parent: String = {
        var status = statvfs()
        let isRoomy =
            unsafe statvfs(parents[0], &status) == 0 && access(parents[0], W_OK) == 0
            && UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 2 << 30
        return isRoomy ? parents[0] : parents[1]
    }()

    package let path: String

    /// Chooses a path that does not exist yet; the label, of letters and digits, says whose it is.
    package init(_ label: String) throws {
        let name = "\(Self.prefix)\(getpid())-\(label)-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
        path = "\(Self.parent)/\(name)"
        try Self.watch(path)
    }

    /// Stops the server in a folder, or in `server` below it, at once and deletes the folder; the pid is checked, so nobody else's is hit.
    private static let sweep = """
        sweep() {
            for data in "$1/data" "$1/server/data"; do
                for try in 1 2 3 4 5 6 7 8 9 10; do
                    pid=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) || break
                    [ "$(readlink "/proc/$pid/cwd")" = "$data" ] || break
                    [ "$try" = 1 ] && kill -QUIT "$pid" 2>/dev/null
                    sleep 0.1
                done
            done
            rm -rf "$1"
        }
        """

    private static func watch(_ path: String) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw DatabaseTestError("the system has no pipe left") }
        // The write end stays open until this process ends; no child of ours may hold it.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // In the background with its own input, so that the shell that starts it can be reaped at once.
        let script = "\(sweep)\nexec 3<&0\n{ read -r line <&3; sweep \"$1\"; } >/dev/null 2>&1 &"
        try shell(script, path, input: ends[0])
        _ = close(ends[0])
    }

    /// Deletes what runs that are over have left; a folder belongs to the process whose number it bears.
    static func sweepLeftovers() throws {
        let folders = parents.flatMap { parent in ServerFiles.names(in: parent).map { (parent, $0) } }
        for (parent, name) in folders {
            guard name.hasPrefix(prefix), let pid = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }) else {
                continue
            }
            var status = stat()
            guard unsafe lstat("\(parent)/\(name)", &status) == 0, status.st_uid == geteuid() else { continue }
            if kill(pid, 0) != 0, errno == ESRCH { try shell("\(sweep)\nsweep \"$1\"", "\(parent)/\(name)", input: 0) }
        }
    }

    private static func shell(_ script: String, _ argument: String, input: Int32) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // The shell lives as long as this process: with the end of another test's pipe, also of one made at this moment,
        // it would let that test wait for ever. Closing a descriptor that is not open is no error.
        let highest = ServerFiles.names(in: "/proc/self/fd").compactMap { Int32($0) }.max() ?? 2
        for descriptor in 3..<highest + 256 { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Its own session: the interrupt of a terminal is for the tests, not for who cleans up after them.
        unsafe posix_spawnattr_setflags(&attributes, 0x80)
        let texts: [String] = ["/bin/sh", "-c", script, "sh", argument]
        let words = unsafe texts.map { unsafe strdup($0) }
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var pid = pid_t()
        // The list ends with nil and lives until the end of this function.
        let fault = unsafe posix_spawn(&pid, "/bin/sh", &actions, &attributes, words + [nil], environ)
        guard fault == 0 else { throw DatabaseTestError("cannot run /bin/sh") }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}
