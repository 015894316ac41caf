package import KnotDomain

/// When an item comes, as a shop says it: in a sentence for people, in the language of the shop.
package struct DeliveryMessage {
    /// The numbers and words of each sentence, in small letters.
    private let sentences: [[String]]

    private static let mostCharacters = 200

    package init(_ text: String) {
        var sentences: [[String]] = [[]]
        var word = ""
        var ends = false
        func close() {
            if !word.isEmpty { sentences[sentences.count - 1].append(word) }
            word = ""
        }
        for character in text.prefix(Self.mostCharacters).lowercased() {
            // Digits of other scripts are as good; "3週間" is a number and a word.
            let digit = character.isNumber ? character.wholeNumberValue.flatMap { $0 < 10 ? $0 : nil } : nil
            if word.last.map({ $0.isNumber != (digit != nil) }) ?? false { close() }
            if digit != nil || character.isLetter {
                if ends { sentences.append([]) }
                ends = false
                word += digit.map(String.init) ?? String(character)
            } else {
                close()
                ends = ends && character.isWhitespace || ".!?。".contains(character)
            }
        }
        close()
        self.sentences = sentences
    }

    // MARK: In how many days

    /// Words of time with their days; working days are counted with the weekends that may lie between them.
    private enum Unit { case hours, days, workingDays, weeks, months }

    private static let units: [(unit: Unit, words: Set<String>)] = [
        (
            .hours,
            list(
                """
                hour hours hr hrs h stunde stunden std heure heures hora horas ora ore uur godzin godziny timmar saat ساعة
                ساعات
                """
            )
        ),
        (
            .days,
            list(
                "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar dni dzień gün يوم أيام"
            )
        ),
        (.workingDays, list("werktag werktage werktagen arbeitstage arbeitstagen werkdag werkdagen arbetsdagar")),
        (
            .weeks,
            list(
                """
                week weeks wk wks woche wochen semaine semaines semana semanas settimana settimane weken tydzień tygodnie tygodni
                vecka veckor hafta أسبوع أسابيع
                """
            )
        ),
        (
            .months,
            list(
                """
                month months monat monate monaten mois mes meses mese mesi maand maanden miesiąc miesiące miesięcy månad
                månader mês ay شهر أشهر
                """
            )
        ),
    ]
    /// The same where words are not apart, by how they begin.
    private static let joined: [(unit: Unit, words: [String])] = [
        (.hours, ["時間"]), (.workingDays, ["営業日"]), (.weeks, ["週間"]), (.months, ["か月", "ヶ月", "カ月", "ヵ月"]),
        (.days, ["日"]),
    ]
    private static let working = list("business working werk")
    /// The same behind the days.
    private static let workingBehind = list("laborables hábiles lavorativi ouvrés ouvrables úteis")
    /// How words of sending begin.
    private static let sending = [
        "ship", "dispatch", "versand", "liefer", "expédi", "envi", "enví", "spedi", "verzonden", "verstu", "wysył",
        "skicka",
        "kargo",
    ]
    /// The same where words are not apart, anywhere in a sentence.
    private static let joinedSending = ["発送", "出荷", "お届け"]
    private static let mostOfUnit = 1_000

    /// Small numbers as they are spelled, in the same order in each language.
    private static let spelled: [String: Int] = {
        let rows = """
            one two three four five six seven eight nine ten eleven twelve
            eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
            un deux trois quatre cinq six sept huit neuf dix onze douze
            uno dos tres cuatro cinco seis siete ocho nueve diez once doce
            uno due tre quattro cinque sei sette otto nove dieci undici dodici
            één twee drie vier vijf zes zeven acht negen tien elf twaalf
            """
        return places(in: rows)
    }()

    /// The latest that the message promises; nil where it says no time.
    ///
    /// What is there already may be said to come back, or be taken back, in some days: `needsSending` counts only what comes
    /// after a word of sending in its sentence.
    package func days(needsSending: Bool) -> Int? {
        sentences.compactMap { words in
            let isJoined = words.contains { word in Self.joinedSending.contains(where: word.contains) }
            let sent = words.firstIndex { word in Self.sending.contains(where: word.hasPrefix) }
            let start = !needsSending || isJoined ? 0 : sent
            return start.flatMap { Self.days(in: words[$0...]) }
        }.max()
    }

    private static func days(in words: ArraySlice<String>) -> Int? {
        var most: Int?
        var isWorking = false
        var number: Int?
        for (place, word) in zip(words.indices, words) {
            if let said = Int(word) ?? spelled[word] {
                number = said
                isWorking = false
            } else if working.contains(word) {
                isWorking = true
            } else {
                if let number, let unit = unit(word) {
                    let count = min(number, mostOfUnit)
                    let isWorkday = isWorking || place + 1 < words.endIndex && workingBehind.contains(words[place + 1])
                    most = max(most ?? 0, days(count, unit == .days && isWorkday ? .workingDays : unit))
                }
                number = nil
            }
        }
        return most
    }

    private static func unit(_ word: String) -> Unit? {
        units.first { $0.words.contains(word) }?.unit ?? joined.first { $0.words.contains(where: word.hasPrefix) }?.unit
    }

    private static func days(_ count: Int, _ unit: Unit) -> Int {
        switch unit {
        case .hours: (count + 23) / 24
        case .days: count
        case .workingDays: count + 2 * ((count + 4) / 5)
        case .weeks: count * 7
        case .months: count * 31
        }
    }

    // MARK: On which day

    private static let months: [String: Int] = {
        let rows = """
            january february march april may june july august september october november december
            jan feb mar apr may jun jul aug sep oct nov dec
            jan feb mär apr mai jun jul aug sep okt nov dez
            janv févr mars avr mai juin juil août sept oct nov déc
            ene feb mar abr may jun jul ago sep oct nov dic
            gen feb mar apr mag giu lug ago set ott nov dic
            jan fev mar abr mai jun jul ago set out nov dez
            jan feb mrt apr mei jun jul aug sep okt nov dec
            januar februar märz april mai juni juli august september oktober november dezember
            janvier février mars avril mai juin juillet août septembre octobre novembre décembre
            enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
            gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
            januari februari maart april mei juni juli augustus september oktober november december
            stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
            januari februari mars april maj juni juli augusti september oktober november december
            janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
            ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
            يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
            """
        return places(in: rows)
    }()

    /// The place of each word in its row, from 1.
    private static func places(in rows: String) -> [String: Int] {
        var places: [String: Int] = [:]
        for row in rows.split(separator: "\n") {
            for (place, name) in row.split(separator: " ").enumerated() { places[String(name)] = place + 1 }
        }
        return places
    }
    /// What stands between the parts of a date.
    private static let between = list("th st nd rd de do of 年 月")

    /// The first day that the message says; of a date that can be read in two ways the later one.
    package var day: CivilDate? {
        let words = sentences.joined().filter { !Self.between.contains($0) }
        for start in words.indices.dropLast(2) {
            let (one, two, three) = (words[start], words[start + 1], words[start + 2])
            let readings: [(year: Int?, month: Int?, day: Int?)] = [
                (Int(three), Self.months[two], Int(one)), (Int(three), Self.months[one], Int(two)),
                (Int(one), Int(two), Int(three)), (Int(three), Int(two), Int(one)), (Int(three), Int(one), Int(two)),
            ]
            let days = readings.compactMap { reading -> CivilDate? in
                guard let year = reading.year, (1_000...9_999).contains(year), let month = reading.month,
                    let day = reading.day
                else { return nil }
                return CivilDate(year: year, month: month, day: day)
            }
            if let latest = days.max(by: { $0.daysSinceEpoch < $1.daysSinceEpoch }) { return latest }
        }
        return nil
    }

    private static func list(_ words: String) -> Set<String> { Set(words.split { $0.isWhitespace }.map(String.init)) }
}
