import VectorSearch

/// What a contender's last search cost.
final class LastEffort {
    var value: SearchEffort?
}
