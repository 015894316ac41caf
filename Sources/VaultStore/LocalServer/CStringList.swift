import Glibc

/// C strings for a call that takes a list ending with nil, freed with the value.
@safe struct CStringList: ~Copyable {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = texts.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        // By index: the formatter would join the keywords of a loop over an unsafe sequence.
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}
