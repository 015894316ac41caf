import FoundationEssentials
import HTTPClient
import JSONDocument
import StageGraph

extension TrafficTape.Entry {
    var json: JSONValue {
        switch self {
        case .addresses(let name, let addresses): ["name": .string(name), "addresses": JSONValue(addresses)]
        case .lateService(let name): ["late_service": .string(name)]
        case .failedLook(let url, let failure):
            [
                "page": .string(url),
                "failure": [
                    "class": .string(failure.failureClass.rawValue), "code": .string(failure.code),
                    "detail": .string(failure.detail),
                ],
            ]
        case .call(let service, let digest, let asked, let answer):
            .object(
                JSONObject(
                    [
                        .init(name: "service", value: .string(service)), .init(name: "call", value: .string(digest)),
                        .init(name: "asked", value: JSONValue(asked)),
                    ] + answer.members
                )
            )
        }
    }

    init?(json: JSONValue) {
        if let name = json["name"]?.string, let addresses = json["addresses"]?.array {
            self = .addresses(of: name, addresses.compactMap(\.string))
        } else if let name = json["late_service"]?.string {
            self = .lateService(name)
        } else if let url = json["page"]?.string, let failure = json["failure"], let code = failure["code"]?.string,
            let detail = failure["detail"]?.string,
            let failureClass = failure["class"]?.string.flatMap(FailureClass.init(rawValue:))
        {
            self = .failedLook(url: url, StageFailure(failureClass, code: code, detail))
        } else if let service = json["service"]?.string, let digest = json["call"]?.string,
            let answer = TrafficTape.Answer(json)
        {
            self = .call(
                service: service,
                digest: digest,
                asked: (json["asked"]?.array ?? []).compactMap(\.string),
                answer
            )
        } else {
            return nil
        }
    }
}

extension TrafficTape.Answer {
    var members: [JSONObject.Member] {
        switch self {
        case .none: return [.init(name: "answer", value: .null)]
        case .failure(let failure):
            let value: JSONValue = [
                "kind": .string(failure.kind.rawValue), "host": .string(failure.host),
                "detail": .string(failure.detail),
            ]
            return [.init(name: "failure", value: value)]
        case .reply(let reply):
            var members: [JSONObject.Member] = [
                .init(name: "status", value: .integer(reply.status)),
                .init(name: "headers", value: TrafficTape.object(reply.headers)),
            ]
            if reply.isCut { members.append(.init(name: "is_cut", value: true)) }
            if let age = reply.age { members.append(.init(name: "age_seconds", value: .integer(age))) }
            // What is no text is kept all the same: a reader has to stand it.
            if let text = String(validating: reply.body, as: UTF8.self) {
                members.append(.init(name: "text", value: .string(text)))
            } else {
                members.append(.init(name: "base64", value: .string(Data(reply.body).base64EncodedString())))
            }
            return members
        }
    }

    init?(_ json: JSONValue) {
        if json["answer"] == .null {
            self = .none
            return
        }
        if let failure = json["failure"] {
            guard let kind = failure["kind"]?.string.flatMap(HTTPFailure.Kind.init(rawValue:)) else { return nil }
            let host = failure["host"]?.string ?? ""
            self = .failure(HTTPFailure(kind, host: host, failure["detail"]?.string ?? ""))
            return
        }
        let bytes = json["base64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        guard let status = json["status"]?.int, let body = json["text"]?.string.map({ Array($0.utf8) }) ?? bytes else {
            return nil
        }
        self = .reply(
            TapedReply(
                status: status,
                headers: TrafficTape.texts(json["headers"]),
                body: body,
                isCut: json["is_cut"] == true,
                age: json["age_seconds"]?.int
            )
        )
    }
}
