package import KnotDomain

/// What the feedback on an earlier item says, in the product's own scale.
package enum HistorySignal {
    /// (rating − 3) / 2, bought 0.5, chosen or shared 0.3, saved 0.2, handed off 0.1, refreshed −0.5.
    package static func value(of feedback: Feedback) -> Double {
        if let rating = feedback.rating { return Double(min(5, max(1, rating)) - 3) / 2 }
        switch feedback.action {
        case .purchased: return 0.5
        case .selected, .shared: return 0.3
        case .saved: return 0.2
        case .handoff: return 0.1
        case .refreshed: return -0.5
        case .rated: return 0
        }
    }

    /// Whether the item was turned down for itself: a complaint about the price or a wish for variety is no refusal.
    static func isRefusal(_ item: HistoryItem) -> Bool {
        let mild: Set<String> = [
            RefreshReason.tooExpensive.rawValue, RefreshReason.tooCheap.rawValue, RefreshReason.showDifferent.rawValue,
        ]
        return item.feedback.contains { feedback in
            let turnedDown = feedback.action == .refreshed || (feedback.rating ?? 3) <= 1
            return turnedDown && !mild.contains(feedback.reason ?? "")
        }
    }
}
