import KnotDomain
import TestSupport
import Testing

@testable import TextReading

/// What of a person's likes and place may be told to a service.
@Suite("Public phrases")
struct PublicPhrasesTests {
    private let phrases = PublicPhrases(Scene().vault)

    @Test(arguments: [
        "東京", "京都", "千葉", "八王子", "九龍", "München", "St. John's", "6th of October City", "6th of October",
        "10th of Ramadan",
    ])
    func `keep a town whose name holds a numeral, or a number that the town is called by`(name: String) {
        #expect(phrases.place(Place(city: name, state: nil, country: nil))?.city == name)
    }

    @Test(
        arguments: [
            ("12 Elm Street, 31201 Macon", "Macon"), ("31201 Macon", "Macon"), ("SW1A 1AA London", "London"),
            ("Macon ٣١٢٠١", "Macon"), ("１２ Elm Street, Macon", "Macon"), ("神南一丁目三号 東京", "東京"), ("12½ Macon", "Macon"),
        ]
    )
    func `keep no number of a house or a postman beside a town`(written: String, town: String) {
        #expect(phrases.place(Place(city: written, state: nil, country: nil))?.city == town)
    }

    @Test(
        arguments: [
            ("c/o Wilhelmine Oddenbury, Macon", "Macon"), ("Thistledown Lodge, Macon", "Macon"),
            ("Lindenstraße 5, Berlin", "Berlin"), ("Via Roma, 12, Milano", "Milano"), ("PO Box 77", nil),
            ("Wilhelmine Oddenbury", nil), ("Thistledown Lodge", nil), ("Flat 4b", nil), ("Macon GA", "Macon"),
            ("Macon, Georgia", "Macon"), ("Rue de Rivoli 99, 75001 Paris", "Paris"), ("вул. Лісова 3, Київ", "Київ"),
        ] as [(String, String?)]
    )
    func `keep only what the gazetteer knows as a town`(written: String, town: String?) {
        let told = phrases.place(Place(city: written, state: "care of Wilhelmine", country: nil))
        #expect(told?.city == town)
        #expect(told?.state == nil)
    }

    @Test func `keep the region that a town lies in`() {
        #expect(phrases.place(Place(city: "Macon", state: "GA", country: "US"))?.state == "GA")
        #expect(phrases.place(Place(city: "Macon", state: "Georgia", country: "US"))?.state == "Georgia")
    }

    @Test func `keep no address of mail in the place of a town`() {
        #expect(phrases.place(Place(city: "dot@example.com", state: nil, country: "US"))?.city == nil)
        #expect(phrases.place(Place(city: "dot@example.com, Macon", state: nil, country: "US"))?.city == "Macon")
    }

    @Test func `keep the numerals of a like that are part of a word`() {
        #expect(phrases.like("三味線") == "三 味 線")
        #expect(phrases.like("千代紙") == "千 代 紙")
    }

    @Test(arguments: ["vinyl 0903123456", "vinyl 09031-23456", "vinyl ٠٩٠٣١٢", "vinyl ０９０３１２", "vinyl 〇九〇三一二三四"])
    func `keep no number of a like in any digits, nor one that numerals spell`(like: String) {
        #expect(phrases.like(like) == "vinyl")
    }
}
