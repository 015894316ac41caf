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
            list("hour hours stunde stunden heure heures hora horas ora ore uur godzin godziny timmar saat ساعة ساعات")
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
                week weeks woche wochen semaine semaines semana semanas settimana settimane weken tydzień tygodnie tygodni
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
    /// How words of sending begin.
    private static let sending = [
        "ship", "dispatch", "versand", "liefer", "expédi", "envi", "enví", "spedi", "verzonden", "verstu", "wysył",
        "skicka",
        "kargo",
    ]
    private static let mostOfUnit = 1_000

    /// The latest that the message promises; nil where it says no time.
    ///
    /// What is there already may be said to come back, or be taken back, in some days: `needsSending` counts only what comes
    /// after a word of sending in its sentence.
    package func days(needsSending: Bool) -> Int? {
        sentences.compactMap { words in
            let start = needsSending ? words.firstIndex { word in Self.sending.contains(where: word.hasPrefix) } : 0
            return start.flatMap { Self.days(in: words[$0...]) }
        }.max()
    }

    private static func days(in words: ArraySlice<String>) -> Int? {
        var most: Int?
        var isWorking = false
        var number: Int?
        for word in words {
            if let said = Int(word) {
                number = said
                isWorking = false
            } else if working.contains(word) {
                isWorking = true
            } else {
                if let number, let unit = unit(word) {
                    let count = min(number, mostOfUnit)
                    most = max(most ?? 0, days(count, unit == .days && isWorking ? .workingDays : unit))
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
        var months: [String: Int] = [:]
        for row in rows.split(separator: "\n") {
            for (place, name) in row.split(separator: " ").enumerated() { months[String(name)] = place + 1 }
        }
        return months
    }()
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
