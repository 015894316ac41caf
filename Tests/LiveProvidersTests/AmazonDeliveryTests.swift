import HTTPClient
import KnotDomain
import Recommendation
import Testing

@testable import LiveProviders

/// When an item of Amazon's comes is said in a sentence for people, in the language of its store.
@Suite("When an item of Amazon's comes")
struct AmazonDeliveryTests {
    private func days(_ kind: String, _ message: String?) async throws -> Int? {
        let written = message.map { #""\#($0)""# } ?? "null"
        let reply = Replies.amazon.replacing(
            #""type":"IN_STOCK","message":"In Stock""#,
            with: #""type":"\#(kind)","message":\#(written)"#
        )
        let query = ProviderQuery(
            provider: .amazon,
            phrases: ["kettle"],
            types: [.gift],
            budget: nil,
            place: nil,
            until: nil,
            limit: 10,
            // 23 November 2026.
            asOf: Adapters.now
        )
        let adapter = Adapters.amazon(
            ScriptedSender { $0.url.hasSuffix("/o2/token") ? .json(Replies.token) : .json(reply) }
        )
        let found = try await adapter.candidates(for: query)
        return try #require(found.first).shipsInDays
    }

    @Test(
        arguments: [
            ("Usually ships within 6 to 10 weeks", 70), ("Usually dispatched within 6 to 10 weeks", 70),
            ("Usually ships in 6 to 10 weeks", 70), ("Available to ship in 2-3 months", 93),
            ("Usually ships within 1 to 2 months", 62), ("Usually ships within 24 hours", 1),
            ("Available to ship in 1–2 days", 2), ("Usually dispatched within 4 to 5 business days", 7),
            ("Gewöhnlich versandfertig in 6 bis 10 Wochen", 70), ("Versandfertig in 1 - 2 Werktagen", 4),
            ("Expédié habituellement sous 2 à 3 semaines", 21), ("Habituellement expédié sous 1 à 2 mois", 62),
            ("Normalmente se envía en un plazo de 3 a 4 semanas", 28), ("Generalmente spedito entro 2-3 settimane", 21),
            ("Gewoonlijk verzonden binnen 2 tot 3 weken", 21), ("Zwykle wysyłka w ciągu od 2 do 3 tygodni", 21),
            ("Skickas vanligtvis inom 2 till 3 veckor", 21), ("Geralmente é enviado em 2 a 3 semanas", 21),
            ("Genellikle 2-3 hafta içinde kargoya verilir", 21), ("通常2～3週間以内に発送します。", 21),
            ("Expédié sous 24h", 1), ("Usually ships within two weeks", 14), ("Versandfertig in drei Wochen", 21),
            ("Se envía en 3 a 5 días laborables", 7), ("Spedito entro 3-5 giorni lavorativi", 7),
            ("Expédié sous 3 à 5 jours ouvrés", 7), ("通常1～2か月以内に発送します。", 62),
            ("يتم شحنها عادة خلال 2 إلى 3 أسابيع", 21),
        ]
    )
    func `is the later end of what it says, in each store's language`(message: String, wanted: Int) async throws {
        #expect(try await days("LEADTIME", message) == wanted, "\(message)")
    }

    @Test(
        arguments: [
            "This title will be released on March 15, 2027.", "Dieser Artikel erscheint am 15. März 2027.",
            "This item has not yet been released. Available March 15, 2027",
            "Pre-order now. This item will be available on March 15, 2027.", "Available from 15 Mar 2027",
            "Cet article paraîtra le 15 mars 2027.", "Este producto se lanzará el 15 de marzo de 2027.",
            "Questo articolo sarà disponibile a partire dal 15 marzo 2027.", "Dit item verschijnt op 15 maart 2027.",
            "Premiera: 15 marca 2027", "Släpps den 15 mars 2027", "Lançamento em 15 de março de 2027",
            "Bu ürün 15 Mart 2027 tarihinde çıkacak", "発売予定日は2027年3月15日です。", "Released on 2027-03-15",
            "Disponible le 15 mars 2027, au plus tôt", "Released 03/15/2027", "Erscheint am 15.03.2027",
            "سيتم إصدار هذا المنتج في 15 مارس 2027",
        ]
    )
    func `is the day that it says, in each store's language`(message: String) async throws {
        #expect(try await days("PREORDER", message) == 112, "\(message)")
    }

    @Test(arguments: ["LEADTIME", "PREORDER"])
    func `is late where nobody can read when, but not where it is there`(kind: String) async throws {
        for message in [nil, "", "Coming soon", "Usually ships within 99999999999999999999 days", "on 31.02.2027"] {
            #expect(try await days(kind, message) == 365, "\(message ?? "nothing")")
            #expect(try await days("IN_STOCK", message) == nil, "\(message ?? "nothing")")
        }
    }

    @Test(
        arguments: [
            ("Order within 3 hours and 5 minutes", nil), ("Only 2 left in stock (more on the way).", nil),
            ("Usually ships in 2 to 3 days", 3), ("In stock on March 15, 2027.", 112), ("New in 2027", nil),
            ("Original release: March 1, 1999. Usually ships within 2 to 3 weeks", 21),
            ("First published March 1, 1999", nil), ("通常1～2か月以内に発送します。", 62),
            ("Free returns within 30 days", nil), ("Gewöhnlich versandfertig in 3 bis 4 Tagen", 4),
        ] as [(String, Int?)]
    )
    func `is said of what is there only in words of sending, or by a day`(message: String, wanted: Int?) async throws {
        #expect(try await days("IN_STOCK", message) == wanted, "\(message)")
    }
}
