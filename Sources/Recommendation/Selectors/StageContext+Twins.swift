import StageGraph

extension StageContext {
    /// Says why a set is smaller than three where there was more to choose from: a card is never shown twice in other words.
    func noteTwins(beside count: Int, of all: Int) {
        guard count < 3, all > count else { return }
        note(
            "near_duplicates",
            "\(all - count) more could be had, each nearly the same thing as one of the \(count) chosen",
            degrades: false
        )
    }
}
