import KnotDomain
import Testing

@Suite struct PriceReadingTests {
    private func read(
        _ text: String,
        _ listed: Int,
        _ code: String = "USD",
        title: String = "A seat"
    ) throws -> PriceReading {
        PriceReading(listed: listed, currency: try #require(Currency(code)), texts: [title, text])
    }

    @Test(arguments: [
        "$92 each way.", "$92 each additional guest", "$92, each guest receives a glass", "$92 each month",
        "$92 each-way",
        "From 92 guests each", "Each guest receives a $92 voucher.", "Two drinks per person. $92 total.",
        "$92 per couple", "$92 for two", "$92 a couple", "$92 the pair", "For two", "$92 per carload", "$92 per table",
        "$92 per guest room", "$91 per person", "$920 each", "$9.20 each",
        "€92 each", "CAD 92 per person", "$92 not per person", "Price is not per person", "£92 p.p.",
        "$92 for two people",
        "$92 per pair", "One drink per person, $92 for the evening", "$45 per person $92 per couple",
        "$45 per person $92 with wine",
        "$92 per hour",
        "", "92", "$", "each $", "$92. Each ticket is numbered.", "$92 and a head start",
    ])
    func `takes the listed price once`(text: String) throws {
        let reading = try read(text, 9_200)
        #expect(reading.party == 1)
        #expect(reading.total == 9_200)
    }

    @Test(arguments: [
        "$92 each", "$92 each.", "$92 each, wine included", "$92 each for dinner", "$92 per person",
        "$92.00 per person",
        "$92/person", "$92 / head", "$92 pp", "$92pp", "$92 p.p.", "$92 p. p.", "$92 p/p", "$92 a head", "$92 per head",
        "USD 92 per guest", "92 USD per person", "US$92 each", "$92 USD each", "92 dollars per person",
        "$92 (per person)",
        "$92, per person", "$92 plus tax per person", "$92+ per person", "Per person: $92", "Price per person is $92",
        "$92 apiece", "$92 per ticket", "$92-per-person", "PER PERSON $92", "$80–92 per person", "$92\u{A0}each",
        "$92 and up per person", "<b>$92</b> per person", "$92&nbsp;each", "$92 for each guest",
        "$92 each — wine extra", "Supper for two, $92 each", "$92 ea.", "$92 only per person", "$92 each person.",
    ])
    func `counts a price per head twice`(text: String) throws {
        let reading = try read(text, 9_200)
        #expect(reading.party == 2)
        #expect(reading.basis == .perHead)
        #expect(reading.total == 18_400)
    }

    @Test(arguments: [
        "92 per person", "92.00 per person", "Dinner from 92 per head", "Tickets at 92 p.p.", "92 a head",
        "92 (per guest)",
        "Price is per person", "price shown is per person", "Prices are per guest.",
        "The listed price shown is per head",
        "Preis gilt pro Person", "Le prix indiqué est par personne", "Precio es por persona",
    ])
    func `counts a price per head twice without a currency beside it`(text: String) throws {
        #expect(try read(text, 9_200).total == 18_400)
        #expect(try read(text, 9_200, title: "Dinner for two").total == 18_400)
    }

    @Test(arguments: [
        "91 per person", "92 minutes per session", "92 per couple", "92 per guest room", "Row R 92 per person",
        "Price per person depends on the day", "Price is per person for groups: $46 per person", "Price is for two",
        "Price per couple", "The price is for two; the tasting is per person",
    ])
    func `counts no other number or price twice`(text: String) throws {
        #expect(try read(text, 9_200).party == 1)
    }

    @Test(arguments: [
        ("flat shipping of $8.95", 895), ("Flat-rate shipping: $8.95", 895), ("plus a $4 booking fee", 400),
        ("$8.95 shipping.", 895), ("Shipping is $8.95", 895), ("A $5 service fee per ticket", 1_000), ("+ $3 fee", 300),
        ("Delivery charge $6. Handling fee $2.", 800), ("$8.95 flat rate shipping, $4 booking fee", 1_295),
        ("Shipping $8.95. Shipping costs $8.95", 895),
    ])
    func `adds a fee that everybody pays`(text: String, fee: Int) throws {
        let reading = try read(text, 9_200)
        #expect(reading.total == 9_200 + fee && reading.total(at: 5_000) == 5_000 + fee)
    }

    @Test(arguments: [
        "free shipping over $50", "Shipping is free from $35", "express shipping $15", "includes a $5 booking fee",
        "$5 booking fee included", "no booking fee", "Cancellation fee $20", "gift wrap $5", "£8.95 shipping",
        "International shipping $20", "$8.95 shipping to Canada", "$10 off shipping", "Spend $50 for free shipping",
        "Corkage fee $15", "shipping $120 of bricks", "entry fee $92", "optional delivery $6", "$5 fee refunded",
    ])
    func `adds nothing that is free, included, or paid by some`(text: String) throws {
        #expect(try read(text, 9_200).total == 9_200)
    }

    @Test(arguments: [
        ("£45 per person", 4_500, "GBP"), ("75 € pro Person", 7_500, "EUR"), ("75,50 € pro Person", 7_550, "EUR"),
        ("€1.250,00 p.P.", 125_000, "EUR"), ("USD 120 pp", 12_000, "USD"), ("Rs. 2,500 per head", 250_000, "INR"),
        ("¥8,000 per head", 8_000, "JPY"),
        ("8,000円 per person", 8_000, "JPY"), ("JPY 8000 each", 8_000, "JPY"), ("$1,250 each", 125_000, "USD"),
        ("1 250 kr per person", 125_000, "SEK"), ("CHF 45.– pro Person", 4_500, "CHF"),
        ("CHF 1'250 pro Person", 125_000, "CHF"),
        ("KWD 12.500 per person", 12_500, "KWD"), ("C$45 each", 4_500, "CAD"), ("$45 CAD each", 4_500, "CAD"),
        ("45 euros par personne", 4_500, "EUR"), ("₹2,500 per head", 250_000, "INR"),
        ("A$155 per person", 15_500, "AUD"), ("₹1,20,000 per head", 12_000_000, "INR"),
        ("Rs. 3,45,000 each", 34_500_000, "INR"), ("₹1,02,50,000 per person", 1_025_000_000, "INR"),
        ("INR 1,50,000.00 per head", 15_000_000, "INR"), ("$1,250,000 each", 125_000_000, "USD"),
    ])
    func `reads amounts as they are written around the world`(text: String, listed: Int, code: String) throws {
        #expect(try read(text, listed, code).party == 2)
    }

    @Test(arguments: ["₹1,2,000 per head", "₹1,20,00 per head", "₹12,3456 per head", "₹1,20,0000 per head"])
    func `reads no amount out of groups that nobody writes`(text: String) throws {
        for listed in [1_200_000, 120_000, 12_000_000, 12_345_600, 120_000_000] {
            #expect(try read(text, listed, "INR").party == 1)
        }
    }

    @Test(arguments: [
        ("KD 35 per person", 35_000, "KWD"), ("BD 4 per person", 4_000, "BHD"), ("4 JD per person", 4_000, "JOD"),
        ("Dhs 40 per person", 4_000, "AED"), ("Dhs. 40 per person", 4_000, "AED"), ("40 dirhams each", 4_000, "MAD"),
        ("RM40 per pax", 4_000, "MYR"), ("RM 40 nett per pax", 4_000, "MYR"), ("Rp 40.000 per orang", 4_000_000, "IDR"),
        ("R450 per person", 45_000, "ZAR"), ("R 450 p.p.", 45_000, "ZAR"), ("R1 250 per person", 125_000, "ZAR"),
        ("P500 p.p.", 50_000, "PHP"), ("LE 40 per person", 4_000, "EGP"), ("KSh 40/= per person", 4_000, "KES"),
        ("SR 40 per person", 4_000, "SAR"), ("40 NIS per person", 4_000, "ILS"), ("RMB 40 per person", 4_000, "CNY"),
        ("4,000원 per person", 4_000, "KRW"), ("1인당 4,000원", 4_000, "KRW"), ("4.000đ/người", 4_000, "VND"),
        ("40 baht per person", 4_000, "THB"), ("40 TL kişi başı", 4_000, "TRY"), ("40 lei per person", 4_000, "RON"),
        ("40:- per person", 4_000, "SEK"), ("450,- pr. person", 45_000, "NOK"), ("kr. 40 pr. person", 4_000, "DKK"),
        ("40 kr. pr. person", 4_000, "DKK"), ("40 zł za osobę", 4_000, "PLN"), ("40 zł/os.", 4_000, "PLN"),
        ("40 Kč na osobu", 4_000, "CZK"), ("40 Ft / fő", 4_000, "HUF"), ("40 руб. с человека", 4_000, "RUB"),
        ("40 грн за особу", 4_000, "UAH"), ("J$40 each", 4_000, "JMD"), ("₵40 per head", 4_000, "GHS"),
    ])
    func `reads amounts and heads as people write them at home`(text: String, listed: Int, code: String) throws {
        #expect(try read(text, listed, code).party == 2)
    }

    @Test(arguments: [
        ("$92 p.p.", "USD", 2), ("₱92 P.P.", "PHP", 2), ("$92 R per person", "USD", 1),
        ("Section R 92 per person", "USD", 1),
        ("Table P 92 per person", "USD", 1), ("le 92 par personne", "EUR", 1), ("le 92 par personne", "EGP", 1),
        ("Row RM 92 per person", "USD", 1), ("From 92:- per person", "USD", 1), ("$92 TL each", "USD", 1),
        ("It costs 92 kr. Each ticket is numbered.", "SEK", 1), ("92 руб. Человека ждут.", "RUB", 1),
    ])
    func `a home notation is money only beside a price of its own currency`(
        text: String,
        code: String,
        party: Int
    ) throws {
        #expect(try read(text, 9_200, code).party == party)
    }

    @Test(arguments: ["$46 each", "$46 per person, couples seated together", "46 dollars a head"])
    func `sees the total in twice an amount per head`(text: String) throws {
        let reading = try read(text, 9_200)
        #expect(reading.basis == .twicePerHead)
        #expect(reading.total == 9_200)
    }

    @Test(arguments: [
        "$92 each. Price is for two.", "$92 ticket admits two; $92 each", "$92 each. The price covers both of you.",
        "$92 per person; listing price is for a pair",
        "$92 each, price covers two guests",
        "$92 for two. $92 each", "Priced for two: $92, that is $92 each", "$92 covers both. $92 each",
        "$92 each. Covers two guests.", "$92 each, both places in the price", "$92 per couple or $92 each",
        "Price per couple $92 ($92 each)",
    ])
    func `believes a text that says the price is for two`(text: String) throws {
        let reading = try read(text, 9_200)
        #expect(reading.basis == .forTwo)
        #expect(reading.party == 1)
    }

    @Test(arguments: [
        "$92 each, so the price for two is $184", "$92 each. Price for two: $184", "$92 per person, $184 for two",
        "$92 each for two hours", "$92 per person. The price is for two hours", "$92 each, minimum two",
        "$92 each. A table for two.", "$92 each. The blanket covers two.",
    ])
    func `is not misled by a two that is not about the listed price`(text: String) throws {
        #expect(try read(text, 9_200).party == 2)
    }

    @Test func `lets for two in a title decide nothing`() throws {
        #expect(try read("", 9_200, title: "Dinner for two").basis == .listed)
        #expect(try read("$92 per person", 9_200, title: "Dinner for two").party == 2)
        #expect(try read("Dinner.", 9_200, title: "Dinner, $92 each").party == 2)
    }

    @Test func `keeps the party when the price has moved`() throws {
        #expect(try read("$92 each", 9_200).total(at: 10_000) == 20_000)
        #expect(try read("$92 each", 9_200).total(at: .max) == .max)
        #expect(try read("$0 each", 0).party == 1)
    }

    @Test func `survives whatever a provider writes`() throws {
        let seed: UInt64 = 8
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "$", "92", "each", " ", "per", "person", ".", ",", "/", "p", "-", "–", "€", "1,2,3",
            "999999999999999999999", "for",
            "two", "price", "is", "covers", "a", "head", "CAD", "\u{A0}", "'", "9.", ".9", "é", "🎁", "円", "(", "us",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            let reading = try read(text, 9_200)
            #expect(reading.party == 1 || reading.party == 2 && text.contains("92"), "seed \(seed): \(text)")
        }
        #expect(try read(String(repeating: "$92 ", count: 250_000), 9_200).party == 1)
    }
}
