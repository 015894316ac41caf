import KnotDomain
import Testing

@testable import Delivery

@Suite("A notice's document") struct NoticeDocumentTests {
    @Test(arguments: [
        "Ana: Birthday in 3 days", "\"quoted\" \\ / \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} e\u{301} ‹b›", "",
    ])
    func `is read back byte for byte, for another device`(title: String) throws {
        let moment = Instant(millisecondsSinceEpoch: 1_778_324_400_120)
        let notice = Notice.invented(title: title, expires: moment)
        let device = Notice.Device(platform: "ios", token: "other")
        let again = try #require(Notice(repeating: notice.document, device: device))
        #expect(again.document == notice.document && again.device == device && again.isRepeated)
        #expect(Array(notice.document.utf8) == NoticeDocument.bytes(notice))
    }

    @Test func `that is another text is none`() {
        let document = Notice.invented().document
        for text in [
            "", "{}", "null", document + " ", document.replacing("\"days_before\":3", with: "\"days_before\":\"3\""),
            document.replacing("knot.notice/1", with: "knot.notice/2"), String(document.dropLast()),
        ] {
            #expect(text != document && Notice(repeating: text, device: nil) == nil, "\(text)")
        }
    }
}
