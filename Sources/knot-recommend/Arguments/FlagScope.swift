/// Which verbs take a flag.
enum FlagScope: Sendable, Equatable {
    case every
    case only([VerbName])

    func includes(_ verb: VerbName) -> Bool {
        switch self {
        case .every: true
        case .only(let verbs): verbs.contains(verb)
        }
    }
}
