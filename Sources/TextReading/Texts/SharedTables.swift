/// The tables that every run reads by.
package enum SharedTables {
    /// Makes them before anything is read by them: that takes milliseconds, and there is time for it while a vault comes.
    package static func prepare() {
        _ = (HarmSet.everyWord, AvoidVocabulary.shared, GiftKind.isTelling(0, ofGift: true))
        _ = (Gazetteer.shared.towns(named: "Macon"), Regions.code(of: "georgia", in: "US"))
        _ = PublicPhrases.phrase("a cup of tea")
    }
}
