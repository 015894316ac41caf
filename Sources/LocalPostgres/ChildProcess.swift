import Glibc

/// A short-lived program run to its end, with what it printed.
enum ChildProcess {
    struct Result: Equatable {
        /// The exit status, or 128 and the signal.
        let status: Int32
        /// Standard output and standard error, as they came.
        let output: String

        var lastLine: String {
            output.split(separator: "\n").last.map(String.init) ?? "it said nothing"
        }
    }

    /// Blocks until the program and everything that holds its output are done; only for threads of our own.
    ///
    /// The program gets its own session, no descriptor of ours and none of our environment: neither our terminal's
    /// signals nor `PG*` variables reach it.
    static func run(
        _ command: [String],
        environment: [String: String] = [:],
        input: String? = nil
    ) throws(LocalServerError) -> Result {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        guard makePipe(&ends) else { throw ServerFiles.failure(errno, "cannot make a pipe") }
        defer { _ = close(ends.read) }
        let pid: pid_t
        do throws(LocalServerError) {
            // The input is a few lines: it fits into the pipe before the program reads.
            let source = try input.map { (text) throws(LocalServerError) in try filledPipe(text) }
            defer { if let source { _ = close(source) } }
            pid = try spawn(command, environment: environment, input: source, output: ends.write)
        } catch {
            _ = close(ends.write)
            throw error
        }
        _ = close(ends.write)
        let output = drain(ends.read)
        return Result(status: wait(for: pid), output: output)
    }

    /// Starts a program; nil as input is no input.
    static func spawn(
        _ command: [String],
        environment: [String: String],
        input: Int32?,
        output: Int32
    ) throws(LocalServerError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
        for descriptor in 3..<Self.firstUnused {
            unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let ownSession: Int16 = 0x80  // POSIX_SPAWN_SETSID, which is not imported
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | ownSession)

        let variables = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        // The server's account may not be able to stay in the folder we are in.
        let command = ["/bin/sh", "-c", #"cd / && exec "$@""#, "sh"] + command
        let arguments = CStringList(command)
        let settings = CStringList(variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        // What a list holds is freed with it.
        defer {
            withExtendedLifetime(arguments) {}
            withExtendedLifetime(settings) {}
        }
        var pid = pid_t()
        // Both lists end with nil and live until the end of this function.
        let fault = unsafe posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments.pointers, settings.pointers)
        guard fault == 0 else { throw ServerFiles.failure(fault, "cannot run \(command[0])") }
        return pid
    }

    /// A number that no descriptor reaches, however many other threads open until the program runs.
    ///
    /// Others' descriptors may lack the flag that closes them. A server that kept the end of somebody's pipe would let them
    /// wait for as long as it lives. Closing one that is not open is no error.
    private static var firstUnused: Int32 {
        let highest = ServerFiles.names(in: "/proc/self/fd").compactMap { Int32($0) }.max() ?? 2
        return highest + 256
    }

    private static func makePipe(_ ends: inout (read: Int32, write: Int32)) -> Bool {
        var descriptors: [Int32] = [-1, -1]
        guard unsafe pipe(&descriptors) == 0 else { return false }
        ends = (descriptors[0], descriptors[1])
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return true
    }

    private static func filledPipe(_ text: String) throws(LocalServerError) -> Int32 {
        var ends: (read: Int32, write: Int32) = (-1, -1)
        guard makePipe(&ends) else { throw ServerFiles.failure(errno, "cannot make a pipe") }
        defer { _ = close(ends.write) }
        let bytes = Array(text.utf8)
        precondition(bytes.count <= 4096, "more input than a pipe takes at once")
        guard unsafe write(ends.write, bytes, bytes.count) == bytes.count else {
            let fault = errno
            _ = close(ends.read)
            throw ServerFiles.failure(fault, "cannot fill a pipe")
        }
        return ends.read
    }

    private static func drain(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // The call writes at most the buffer's own count.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    private static func wait(for pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 {
            // Somebody who reaps every child has been faster; the status is lost.
            if errno != EINTR { return 0 }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}

/// C strings for a call that takes a list ending with nil, freed with the value.
@safe struct CStringList: ~Copyable {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = texts.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        // By index: the formatter would join the keywords of a loop over an unsafe sequence.
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}

/// What the system says of running processes, through `/proc`.
enum ProcessTable {
    /// The working folder of a process that still runs; nil for an ended, unreaped or foreign one.
    static func folder(of pid: pid_t) -> String? {
        ServerFiles.linkTarget("/proc/\(pid)/cwd")
    }

    /// Whether a process runs; one that has ended and waits to be reaped does not.
    static func isRunning(_ pid: pid_t) -> Bool {
        guard let status = ServerFiles.read("/proc/\(pid)/stat") else { return false }
        // The state follows the name, which stands in parentheses and may hold anything.
        guard let end = status.lastIndex(of: ")") else { return false }
        let state = status[end...].dropFirst(2).first
        return state != "Z" && state != "X"
    }

    /// The processes that work in a folder: of a server, itself and its children.
    static func processes(in folder: String) -> [pid_t] {
        ServerFiles.names(in: "/proc").compactMap { pid_t($0) }.filter { self.folder(of: $0) == folder }
    }

    /// Blocks the thread for a moment; only for threads of our own.
    static func pause(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        _ = unsafe nanosleep(&time, nil)
    }

    /// Looks again until the condition holds; false when it still does not after the patience.
    static func wait(_ patience: Duration, until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + patience
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            pause(milliseconds: 5)
        }
        return true
    }
}
