import CLatePostgres
import CPostgres

/// The one owner of a libpq connection: every call that touches its pointers is in this file.
///
/// It belongs to one thread, that of the actor which holds it, and never blocks there: `wait` is the only call that
/// sleeps. All values it takes and hands out are copies.
@safe final class WireConnection {
    /// Owned: freed in `deinit`; never nil after `init`, though it may be a connection that failed.
    private let handle: OpaquePointer

    /// Whether the system has libpq, which is loaded here.
    static let hasLibrary = knot_load_postgres()

    /// Begins to connect with libpq's keywords; nil when there is no memory.
    init?(settings: [(keyword: String, value: String)]) {
        let started = unsafe Self.withCStrings(settings.map(\.keyword)) { keywords in
            unsafe Self.withCStrings(settings.map(\.value)) { values in
                // Both lists end with a null pointer and outlive the call; a URL in dbname may set all other keywords.
                unsafe PQconnectStartParams(keywords, values, 1)
            }
        }
        guard let handle = unsafe started else { return nil }
        unsafe self.handle = handle
        // With the SQLSTATE in the text of a refused connection, nobody has to read it in the server's language.
        unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // What a server says beside its answers is dropped; libpq would print it.
        unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    // MARK: Connecting

    enum Progress {
        case wantsReading
        case wantsWriting
        case connected
        case failed
    }

    /// The settings in force after URL, environment, service and pass file were read.
    var settings: [String: String] {
        guard let options = unsafe PQconninfo(handle) else { return [:] }
        // Owned by us; libpq ends the list with an option without a keyword.
        defer { unsafe PQconninfoFree(options) }
        var settings: [String: String] = [:]
        var place = unsafe options
        while let keyword = unsafe Self.text(place.pointee.keyword) {
            if let value = unsafe Self.text(place.pointee.val) { settings[keyword] = value }
            unsafe place += 1
        }
        return settings
    }

    /// True when libpq can read the text as a URL or as `key=value` pairs.
    static func isReadable(_ text: String) -> Bool {
        // The message is dropped on purpose: it repeats the text, which may hold a password.
        guard let options = unsafe PQconninfoParse(text, nil) else { return false }
        unsafe PQconninfoFree(options)
        return true
    }

    var isFailed: Bool { unsafe PQstatus(handle) == CONNECTION_BAD }

    func proceedConnecting() -> Progress {
        switch unsafe PQconnectPoll(handle) {
        case PGRES_POLLING_READING: .wantsReading
        case PGRES_POLLING_WRITING: .wantsWriting
        case PGRES_POLLING_OK: .connected
        default: .failed
        }
    }

    /// Lets libpq go on to the next address of the host, as if this one had refused.
    func giveUpAddress() {
        let socket = socket
        if socket >= 0 { knot_pg_socket_give_up(socket) }
    }

    func becomeNonblocking() -> Bool { unsafe PQsetnonblocking(handle, 1) == 0 }

    var needsPassword: Bool { unsafe PQconnectionNeedsPassword(handle) != 0 }
    var socket: Int32 { unsafe PQsocket(handle) }
    var backendID: Int32 { unsafe PQbackendPID(handle) }
    var serverVersion: Int { Int(unsafe PQserverVersion(handle)) }
    var isEncrypted: Bool { unsafe PQsslInUse(handle) != 0 }
    /// libpq's text; may hold values and never leaves the room unread.
    var errorMessage: String { unsafe Self.text(PQerrorMessage(handle)) ?? "" }
    var isIdle: Bool { unsafe PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// What is needed to cancel from another thread; nil when there is no memory.
    func makeCancelKey() -> CancelKey? { unsafe CancelKey(owning: PQgetCancel(handle)) }

    // MARK: Sending

    /// From here to `leavePipeline` statements are sent without waiting for answers.
    func enterPipeline() -> Bool { unsafe PQenterPipelineMode(handle) == 1 }
    func leavePipeline() -> Bool { unsafe PQexitPipelineMode(handle) == 1 }
    func sendSync() -> Bool { unsafe PQpipelineSync(handle) == 1 }
    func send(script: String) -> Bool { unsafe PQsendQuery(handle, script) == 1 }

    func sendPrepare(_ name: String, text: String, types: [PostgresType]) -> Bool {
        let oids = types.map { Oid($0.oid) }
        return unsafe PQsendPrepare(handle, name, text, Int32(oids.count), oids) == 1
    }

    /// Sends a prepared statement's values, all of them binary; the server answers in binary form.
    func sendPrepared(_ name: String, binds: [SQLBind]) -> Bool {
        unsafe withBinds(binds) { values, lengths, formats in
            unsafe PQsendQueryPrepared(handle, name, Int32(binds.count), values, lengths, formats, 1) == 1
        }
    }

    /// Sends a statement that is not kept prepared.
    func send(_ text: String, binds: [SQLBind], answersText: Bool) -> Bool {
        let oids = binds.map { Oid($0.type.oid) }
        return unsafe withBinds(binds) { values, lengths, formats in
            let format: Int32 = answersText ? 0 : 1
            return unsafe PQsendQueryParams(handle, text, Int32(oids.count), oids, values, lengths, formats, format)
                == 1
        }
    }

    /// Lays all values into one buffer and hands out pointers into it for the time of the call.
    private func withBinds(
        _ binds: [SQLBind],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Bool
    ) -> Bool {
        var buffer: [UInt8] = []
        var offsets: [Int] = []
        for bind in binds {
            offsets.append(buffer.count)
            buffer += bind.bytes ?? []
        }
        // An empty value is not null: its pointer must point somewhere.
        buffer.append(0)
        let lengths = binds.map { Int32($0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: binds.count)
        return unsafe buffer.withUnsafeBytes { bytes in
            let start = bytes.baseAddress
            let pointers = unsafe zip(binds, offsets).map { bind, offset in
                unsafe bind.bytes == nil ? nil : start.map { unsafe ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe body(pointers, lengths, formats)
        }
    }

    // MARK: Waiting and receiving

    /// Zero when all is sent, 1 when more is to be sent, negative when the connection broke.
    func flush() -> Int32 { unsafe PQflush(handle) }
    /// False when the connection broke.
    func consume() -> Bool { unsafe PQconsumeInput(handle) == 1 }
    /// True while the next result has not fully arrived.
    var isBusy: Bool { unsafe PQisBusy(handle) == 1 }

    /// Takes all notifications that have arrived and says how many there were.
    func takeNotifications() -> Int {
        var count = 0
        while let notification = unsafe PQnotifies(handle) {
            // Owned by us; nothing of it is kept.
            unsafe PQfreemem(notification)
            count += 1
        }
        return count
    }

    /// The next result, copied; nil at the end of one statement's results.
    func nextResult() -> WireResult? {
        guard let result = unsafe PQgetResult(handle) else { return nil }
        // The copy is made before the result is freed, and nothing else holds it.
        defer { unsafe PQclear(result) }
        return unsafe Self.copy(result)
    }

    private static func copy(_ result: OpaquePointer) -> WireResult {
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            WireResult(kind: .done, rows: unsafe rows(result))
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR:
            WireResult(kind: .failed, diagnosis: unsafe diagnosis(result))
        case PGRES_PIPELINE_ABORTED: WireResult(kind: .skipped)
        case PGRES_PIPELINE_SYNC: WireResult(kind: .sync)
        default: WireResult(kind: .unexpected)
        }
    }

    private static func rows(_ result: OpaquePointer) -> Rows {
        let width = unsafe PQnfields(result)
        let count = Int(unsafe PQntuples(result))
        let columns = (0..<width).map { column in
            Rows.Column(
                name: unsafe text(PQfname(result, column)) ?? "",
                type: PostgresType(oid: UInt32(unsafe PQftype(result, column))),
                isText: unsafe PQfformat(result, column) == 0
            )
        }
        var bytes: [UInt8] = []
        var starts: [Int] = []
        var lengths: [Int32] = []
        starts.reserveCapacity(count * Int(width))
        lengths.reserveCapacity(count * Int(width))
        if count > 0 { bytes.reserveCapacity(Int(unsafe PQresultMemorySize(result))) }
        for row in 0..<Int32(count) {
            for column in 0..<width {
                starts.append(bytes.count)
                if unsafe PQgetisnull(result, row, column) == 1 {
                    lengths.append(-1)
                    continue
                }
                let length = unsafe PQgetlength(result, row, column)
                lengths.append(length)
                // libpq owns this many bytes until the result is freed, after this copy.
                if let value = unsafe PQgetvalue(result, row, column) {
                    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: value, count: Int(length)))
                }
            }
        }
        let cells = Rows.Cells(columns: columns, bytes: bytes, starts: starts, lengths: lengths)
        return Rows(cells, count: count, tag: unsafe text(PQcmdStatus(result)) ?? "")
    }

    private static func diagnosis(_ result: OpaquePointer) -> WireDiagnosis {
        WireDiagnosis(
            severity: unsafe field(result, knot_pg_diag_severity) ?? "",
            sqlState: unsafe field(result, knot_pg_diag_sqlstate),
            message: unsafe field(result, knot_pg_diag_message) ?? text(PQresultErrorMessage(result)) ?? "",
            table: unsafe field(result, knot_pg_diag_table),
            column: unsafe field(result, knot_pg_diag_column),
            constraint: unsafe field(result, knot_pg_diag_constraint)
        )
    }

    private static func field(_ result: OpaquePointer, _ code: Int32) -> String? {
        unsafe text(PQresultErrorField(result, code))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }

    /// Lends copies of texts as C takes a list of them: each ends with a zero, the list with a null pointer.
    private static func withCStrings<Value>(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        var buffer: [CChar] = []
        var offsets: [Int] = []
        for text in texts {
            offsets.append(buffer.count)
            buffer += text.utf8CString
        }
        return unsafe buffer.withUnsafeBufferPointer { bytes in
            // Every offset lies inside the buffer, which outlives the call.
            var list: [UnsafePointer<CChar>?] = unsafe offsets.map { offset in
                unsafe bytes.baseAddress.map { unsafe $0 + offset }
            }
            unsafe list.append(nil)
            return unsafe body(list)
        }
    }

    /// What ends a running statement from another thread, over a connection of its own.
    @safe final class CancelKey: @unchecked Sendable {
        // Proof of @unchecked Sendable: PQcancel may be called from any thread, and the key never changes.
        /// Owned: freed in `deinit`.
        private let key: OpaquePointer

        fileprivate init?(owning key: OpaquePointer?) {
            guard let key = unsafe key else { return nil }
            unsafe self.key = key
        }

        deinit {
            unsafe PQfreeCancel(key)
        }

        /// Blocks until the server has taken note, which a lost network can make long.
        func cancel() {
            var message = [CChar](repeating: 0, count: 256)
            // A failure changes nothing here: who asked waits a while for the statement's end and then hangs up.
            _ = unsafe PQcancel(key, &message, Int32(message.count))
        }
    }
}

/// The parts of an error that libpq hands out, copied.
struct WireDiagnosis: Sendable, Hashable {
    /// `ERROR`, `FATAL`, `PANIC`; empty when the error is libpq's own.
    var severity = ""
    var sqlState: String?
    var message = ""
    var table: String?
    var column: String?
    var constraint: String?

    /// True when the server ends the connection with it, or libpq lost it.
    var isFatal: Bool { severity != "ERROR" }
}

/// One result of libpq, copied out of its memory.
struct WireResult: Sendable {
    enum Kind: Sendable, Equatable {
        /// Rows, or a command's tag.
        case done
        case failed
        /// Not tried, since an earlier statement of the pipeline failed.
        case skipped
        /// The end of a pipeline.
        case sync
        /// COPY and other things that were not asked for.
        case unexpected
    }

    let kind: Kind
    var rows = Rows()
    var diagnosis = WireDiagnosis()
}
