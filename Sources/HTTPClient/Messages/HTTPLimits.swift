/// How much of an answer is taken, and how long each part of it may take.
///
/// The deadline of a call bounds all of it; these bound what happens before.
package struct HTTPLimits: Sendable, Hashable {
    /// Bytes of all header lines together.
    package var headerBytes: Int
    /// Bytes of the body as it is sent.
    package var bodyBytes: Int
    /// Bytes of the body once it is decompressed.
    package var decodedBytes: Int
    /// Whether a longer body is cut at the limit instead of refused: for pages, of which the beginning is enough.
    package var cutsBody: Bool
    /// For the connection with its TLS handshake.
    package var connect: Duration
    /// From the request to the first byte of the answer.
    package var firstByte: Duration
    /// Between two pieces of the answer.
    package var idle: Duration
    /// For the whole call, where the deadline is later.
    package var total: Duration
    /// Bytes a second that a body must bring on average, from two seconds after its beginning.
    package var bytesPerSecond: Int

    package init(
        headerBytes: Int = 32 << 10,
        bodyBytes: Int = 2 << 20,
        decodedBytes: Int = 4 << 20,
        cutsBody: Bool = false,
        connect: Duration = .seconds(2),
        firstByte: Duration = .seconds(5),
        idle: Duration = .seconds(5),
        total: Duration = .seconds(10),
        bytesPerSecond: Int = 1_024
    ) {
        self.headerBytes = headerBytes
        self.bodyBytes = bodyBytes
        self.decodedBytes = decodedBytes
        self.cutsBody = cutsBody
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
        self.bytesPerSecond = bytesPerSecond
    }
}
