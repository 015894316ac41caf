import CCurl

/// A handle of curl for one transfer at a time; the loop's thread alone touches it.
///
/// What all requests have in common is set once: to set it again for each costs more than the rest of a request.
@safe final class EasyHandle {
    /// Owned: made in `init`, freed in `deinit`.
    let pointer: UnsafeMutableRawPointer
    private let options: HTTPClient.Options
    /// The lines of a request that has none of its own; owned like the handle.
    let plainHeaders: UnsafeMutablePointer<curl_slist>
    /// What a request has in common with most others; nil where it has to be set.
    private var habits: Habits?

    private struct Habits: Equatable {
        let scheme: HTTPURL.Scheme
        let isPart: Bool
        let connect: Int
        let method: HTTPMethod
    }

    /// Without this line curl asks before it sends a large body, and waits a second for the answer.
    static let expectsNothing = "Expect:"

    /// The loop's, which outlives its handles.
    private let watch: UnsafeMutablePointer<knot_curl_watch>

    /// Nil where the system has no memory.
    init?(_ options: HTTPClient.Options, _ watch: UnsafeMutablePointer<knot_curl_watch>) {
        guard let made = unsafe curl_easy_init() else { return nil }
        guard let list = unsafe curl_slist_append(nil, Self.expectsNothing) else {
            unsafe curl_easy_cleanup(made)
            return nil
        }
        unsafe pointer = made
        unsafe plainHeaders = list
        unsafe self.watch = watch
        self.options = options
        guard setCommon() else { return nil }
    }

    /// What curl names it by.
    var key: UInt { unsafe UInt(bitPattern: pointer) }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(plainHeaders)
    }

    /// Forgets the last request, so that nothing of it is sent again; false where the handle is of no more use.
    ///
    /// Connections, names and TLS sessions belong to the loop and stay.
    func forget() -> Bool {
        if habits?.method == .post {
            unsafe curl_easy_reset(pointer)
            return setCommon()
        }
        // The lists and the context were the transfer's; a URL may have a key in it.
        return unsafe knot_curl_set_list(pointer, CURLOPT_HTTPHEADER, nil) == CURLE_OK
            && knot_curl_set_list(pointer, CURLOPT_CONNECT_TO, nil) == CURLE_OK
            && setContext(nil)
            && knot_curl_set_text(pointer, CURLOPT_URL, nil) == CURLE_OK
    }

    /// Bytes of the body that have come, before they are decompressed.
    var wireBytes: Int {
        var bytes: Int64 = 0
        // The value outlives the call, which fills it.
        _ = unsafe knot_curl_get_size(pointer, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return Int(bytes)
    }

    /// How long after its start the request was ready to be sent; nil while the connection is being made.
    var timeUntilSent: Duration? {
        var microseconds: Int64 = 0
        // The value outlives the call, which fills it.
        _ = unsafe knot_curl_get_size(pointer, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Connections that had to be made for the transfer; none where one was there.
    var connectionsMade: Int {
        var count = 0
        // The value outlives the call, which fills it.
        _ = unsafe knot_curl_get_long(pointer, CURLINFO_NUM_CONNECTS, &count)
        return count
    }

    /// Says what the sinks are called with; false where curl refuses it.
    ///
    /// Whoever calls keeps that until the transfer is over.
    @discardableResult
    func setContext(_ context: UnsafeMutableRawPointer?) -> Bool {
        unsafe knot_curl_set_pointer(pointer, CURLOPT_HEADERDATA, context) == CURLE_OK
            && knot_curl_set_pointer(pointer, CURLOPT_WRITEDATA, context) == CURLE_OK
            && knot_curl_set_pointer(pointer, CURLOPT_PREREQDATA, context) == CURLE_OK
    }

    /// Sets what every request has in common; false where curl refuses an option.
    private func setCommon() -> Bool {
        habits = nil
        // An empty proxy is none at all; without it curl takes one from the environment.
        var texts = [(CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"), (CURLOPT_USERAGENT, options.agent)]
        if let authorities = options.authorities { texts.append((CURLOPT_CAINFO, authorities)) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOPROGRESS, 1),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, 6),  // TLS 1.2 at least, whose name is a macro with a cast
            (CURLOPT_NETRC, 0), (CURLOPT_TCP_NODELAY, 1),
            // A name that is not resolved in time is left to its thread instead of waited for.
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_HTTP_VERSION, 4),  // HTTP/2 where TLS agrees on it
            // Made anew for each transfer: twice that is so much to the allocator that it gives pages back each time.
            (CURLOPT_BUFFERSIZE, 32 << 10),
        ]
        for (option, value) in numbers where unsafe knot_curl_set_long(pointer, option, value) != CURLE_OK {
            return false
        }
        guard unsafe knot_curl_set_sink(pointer, CURLOPT_HEADERFUNCTION, Transfer.takesHead) == CURLE_OK,
            unsafe knot_curl_set_sink(pointer, CURLOPT_WRITEFUNCTION, Transfer.takesBody) == CURLE_OK,
            unsafe knot_curl_set_gate(pointer, Transfer.takesRequest) == CURLE_OK,
            unsafe knot_curl_set_sockets(pointer, watch)
        else { return false }
        // curl copies each text before it returns.
        for (option, value) in texts where unsafe knot_curl_set_text(pointer, option, value) != CURLE_OK {
            return false
        }
        return true
    }

    private func set(_ habits: Habits) -> Bool {
        // Several calls to one host share a connection of HTTP/2; without TLS there is none.
        let sharing = habits.scheme == .https ? 1 : 0
        let method =
            switch habits.method {
            case .get: CURLOPT_HTTPGET
            case .head: CURLOPT_NOBODY
            case .post: CURLOPT_POST
            }
        // curl copies each text before it returns. An empty text stands for every encoding that curl knows. Of a part the
        // place is that of plain bytes, which are asked for; servers that compress it all the same are understood.
        return unsafe knot_curl_set_text(pointer, CURLOPT_PROTOCOLS_STR, habits.scheme.rawValue) == CURLE_OK
            && knot_curl_set_text(pointer, CURLOPT_ACCEPT_ENCODING, habits.isPart ? "identity" : "") == CURLE_OK
            && knot_curl_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, habits.connect) == CURLE_OK
            && knot_curl_set_long(pointer, CURLOPT_PIPEWAIT, sharing) == CURLE_OK
            && knot_curl_set_long(pointer, method, 1) == CURLE_OK
    }

    /// Sets everything that a request means; false where curl refuses an option.
    func set(
        _ request: HTTPRequest,
        to url: HTTPURL,
        headers: UnsafeMutablePointer<curl_slist>?,
        places: UnsafeMutablePointer<curl_slist>?
    ) -> Bool {
        let connect = max(1, Int(request.limits.connect / .milliseconds(1)))
        let wanted = Habits(scheme: url.scheme, isPart: request.isPart, connect: connect, method: request.method)
        if habits != wanted {
            guard set(wanted) else { return false }
            habits = wanted
        }
        // curl copies the text before it returns, and the lists are kept by whoever calls until the transfer is over.
        guard unsafe knot_curl_set_text(pointer, CURLOPT_URL, url.text) == CURLE_OK,
            unsafe knot_curl_set_list(pointer, CURLOPT_HTTPHEADER, headers) == CURLE_OK,
            unsafe knot_curl_set_list(pointer, CURLOPT_CONNECT_TO, places) == CURLE_OK
        else { return false }
        guard request.method == .post else { return true }
        let body = request.body ?? []
        guard unsafe knot_curl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count)) == CURLE_OK else {
            return false
        }
        // Without a body curl would read one from standard input.
        guard !body.isEmpty else { return unsafe knot_curl_set_text(pointer, CURLOPT_COPYPOSTFIELDS, "") == CURLE_OK }
        // As many bytes as were just said are copied before the call returns.
        return unsafe body.withUnsafeBytes {
            unsafe knot_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) == CURLE_OK
        }
    }
}

extension HTTPFailure {
    /// What a result of curl means.
    init(_ code: CURLcode, host: String) {
        let kind: Kind =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR: .connect
            // Limits of time are the reader's, all but that of the connection.
            case CURLE_OPERATION_TIMEDOUT: .connect
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_INVALIDCERTSTATUS:
                .tls
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
                CURLE_HTTP2_STREAM:
                .reset
            case CURLE_URL_MALFORMAT: .refusedURL
            case CURLE_FILESIZE_EXCEEDED: .tooLarge
            case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT: .unavailable
            default: .protocolError
            }
        // curl's words for a result are fixed texts, without anything of the request.
        let words = unsafe String(cString: curl_easy_strerror(code))
        // "SSL" stays what it is.
        let isWord = words.dropFirst().first?.isLowercase ?? false
        self.init(kind, host: host, isWord ? words.prefix(1).lowercased() + words.dropFirst() : words)
    }
}
