import TextReading

extension PageWording {
    /// Words around a phrase that tell whether it is said of the item, and of now.
    struct Contexts: Sendable {
        /// What may stand before a phrase that is said of the item itself.
        let generic: Set<String>
        /// What makes a phrase a condition, a fear or a memory.
        let conditions: Set<String>
        /// What may follow a phrase at once.
        ///
        /// Any other word may be what it only describes: shows that were sold out say nothing of this one, and what somebody
        /// discontinued may be their packaging.
        let followers: Set<String>
        /// What may stand beside the words of a page that is not there.
        let besideMissing: Set<String>

        static let all = Contexts(
            generic: words(
                """
                this that these those the a an it it's its is isn't are has have been be and but or or's which
                item items product products article event events show concert class workshop course tour experience
                listing ticket tickets title edition book place restaurant shop's
                currently now sorry unfortunately oops we we're our all both please at the moment today still
                status availability stock state online sizes variants options
                price regular sale unit per from usd eur gbp cad aud qty quantity only
                temporarily permanently out of no longer
                leider dieser diese dieses der die das den artikel produkt veranstaltung konzert kurs ist sind wurde wir
                haben aktuell derzeit zurzeit momentan im moment gerade preis und
                désolé désolés ce cet cette ces le la les l'article l'événement produit article événement est sont
                actuellement malheureusement nous sommes a été prix victime
                este esta estos el los las lo sentimos producto artículo evento está están actualmente precio
                questo questa il lo gli i prodotto articolo evento è sono al momento spiacenti attualmente prezzo
                o os as produto item evento está estão no momento preço
                dit deze het de product artikel evenement helaas momenteel prijs zijn
                ten ta to produkt artykuł jest niestety obecnie
                den här det detta produkten varan är tyvärr just nu
                denne dette varen er desværre dessverre
                tämä tuote on valitettavasti
                tento tato toto je momentálně bohužel
                bu ürün şu anda maalesef
                этот товар сейчас к сожалению
                """
            ),
            conditions: words(
                """
                if when whenever once unless until till before may might could can cannot would often usually sometimes
                always almost nearly quickly soon were had every once case
                wenn falls sobald bevor oft bald fast schnell könnte
                si quand lorsque avant bientôt presque souvent
                cuando antes casi pronto
                se quando prima quasi presto
                caso antes quase
                als wanneer voordat bijna
                jeśli gdy zanim prawie
                om när innan nästan hvis når før næsten nesten
                """
            ),
            followers: words(
                """
                and but or in at for on until till due since as because by please notify email e-mail join sign check see
                more back here soon so with from to after during if when call contact refund refunds thank thanks
                und aber oder bis seit wegen bitte beim bei für
                et mais ou jusqu'au jusqu'à depuis pour en merci
                y pero hasta desde por para
                e ma fino dal per
                mas até desde
                en maar tot sinds voor
                i ale do od
                och men till sedan
                og men til siden
                """
            ),
            besideMissing: words(
                """
                404 410 http error oops sorry the page we this that you you're your is was we're could couldn't can't
                requested looking for product item listing fehler erreur errore erro fout błąd fel feil hata
                """
            )
        )

        /// Whether a word before a phrase denies it.
        static func isDenial(_ word: String) -> Bool { denials.contains(word) || word.hasSuffix("n't") }

        private static let denials = words(
            "not never aren't isn't nicht nie niemals keineswegs pas jamais nunca jamás nooit niet nigdy aldrig inte ikke não"
        )

        private static func words(_ text: String) -> Set<String> {
            Set(PlainLetters.words(of: PlainLetters.plain(text)))
        }
    }
}
