package import FileInput
package import HTTPClient

/// Notices as signed calls of one address of somebody's, each under its id, so that whoever gets one twice can tell.
///
/// | answer | means |
/// |---|---|
/// | 2xx, and 409 for a notice that was sent before | delivered |
/// | 408, 425, 429, 5xx, none | later, not before `Retry-After` |
/// | 3xx, 401, 403, 404, 407, 410, 421 | nothing can be sent until somebody mends the address or the key: no notice is lost by it |
/// | other 4xx | later; refused for good the second time, if others were accepted in between |
///
/// Refusals in a row are the receiver's trouble and not the notices': it is left alone for a while, and no attempt is spent.
package struct WebhookDelivery: NoticeDelivery {
    package struct Settings: Sendable {
        package var url: HTTPURL
        /// The key, and while it is being replaced the other one too: each signs.
        package var keys: [Secret]

        package init(url: HTTPURL, keys: [Secret]) {
            self.url = url
            self.keys = keys
        }
    }

    package let name = "webhook"
    private let settings: Settings
    private let sender: any HTTPSender
    private let vetting: AddressVetting
    /// Seconds since 1970.
    private let now: @Sendable () -> Int64
    private let refusals = RefusalWatch()

    package init(
        _ settings: Settings,
        sender: any HTTPSender,
        vetting: AddressVetting,
        now: @escaping @Sendable () -> Int64 = ServiceClock.system.secondsSince1970
    ) {
        self.settings = settings
        self.sender = sender
        self.vetting = vetting
        self.now = now
    }

    package func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult {
        let permit = refusals.permit(at: .now)
        if case .refuse(let pause) = permit {
            let detail = "\(settings.url.shownHost) has refused one notice after another, so none is sent for a while."
            return .later(code: "webhook_breaker_open", detail: detail, after: pause)
        }
        do throws(HTTPFailure) {
            let place = try await vetting.place(of: settings.url, by: deadline)
            let request = request(notice, at: place.addresses)
            return result(of: try await sender.send(request, by: deadline), to: notice, permit)
        } catch {
            refusals.withdraw(permit)
            return DeliveryAnswer.result(of: error, name)
        }
    }

    private func request(_ notice: Notice, at addresses: [IPAddress]?) -> HTTPRequest {
        let body = NoticeDocument.bytes(notice)
        let timestamp = String(now())
        let signature = WebhookSignature.header(body, timestamp: timestamp, keys: settings.keys)
        return HTTPRequest(
            .post,
            settings.url.text,
            headers: [
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Knot-Id", Self.headerText(notice.id.description)),
                HTTPHeader("Knot-Timestamp", timestamp),
                HTTPHeader("Knot-Signature", signature),
            ],
            body: body,
            limits: DeliveryAnswer.limits,
            isIdempotent: true,
            addresses: addresses.map { $0.map(\.description) }
        )
    }

    /// Ids are plain words; what is none is written so that a header can hold it.
    private static func headerText(_ id: String) -> String {
        id.utf8.allSatisfy { (0x21..<0x7F).contains($0) } ? id : HTTPRequest.encoded(id)
    }

    private func result(
        of response: HTTPResponse,
        to notice: Notice,
        _ permit: CircuitBreaker.Permit
    ) -> DeliveryResult {
        if 200..<300 ~= response.status || response.status == 409 && notice.isRepeated {
            refusals.accepted(notice.id, permit, at: .now)
            return .delivered(receipt: nil)
        }
        let result = failure(of: response)
        guard case .refused(let code, let detail) = result else {
            refusals.withdraw(permit)
            return result
        }
        return refusals.refused(notice.id, permit, at: .now) ? result : .later(code: code, detail: detail, after: nil)
    }

    private func failure(of response: HTTPResponse) -> DeliveryResult {
        let code = "webhook_status_\(response.status)"
        let said = "\(settings.url.shownHost) answered \(response.status)"
        switch response.status {
        case 300..<400:
            return .misconfigured(code: code, detail: "\(said): set KNOT_WEBHOOK_URL to where it has moved.")
        case 401, 403:
            return .misconfigured(
                code: code,
                detail: "\(said): it does not accept KNOT_WEBHOOK_KEY; compare both sides."
            )
        case 407:
            return .misconfigured(code: code, detail: "\(said): a proxy asks for a password; let notices pass it.")
        case 404, 410, 421:
            return .misconfigured(code: code, detail: "\(said): nothing takes notices there; correct KNOT_WEBHOOK_URL.")
        case 408, 425, 429, 500...:
            return .later(code: code, detail: "\(said).", after: DeliveryAnswer.wait(response, now: now()))
        case 400..<500: return .refused(code: code, detail: "\(said): it will not take this notice.")
        default: return .later(code: code, detail: "\(said), which is no final answer.", after: nil)
        }
    }
}
