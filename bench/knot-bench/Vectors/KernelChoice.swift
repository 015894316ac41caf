import VectorSearch

/// One way through the kernels: whose, and whether by byte codes or by the rows themselves.
struct KernelChoice {
    let kernels: Kernels
    let usesCodes: Bool
    let role: ContenderRole?

    var name: String { kernels.name }

    /// What binds this kernel's arithmetic; plain loops are bound by nothing that could be measured.
    var arithmetic: Limit? {
        switch name {
        case "vnni": usesCodes ? .vnni : .avx512
        case "avx512": .avx512
        case "avx2": .avx2
        case "sse2": .sse2
        default: nil
        }
    }

    /// What binds it where there are no codes.
    var arithmeticOfFloats: Limit? { name == "vnni" ? .avx512 : arithmetic }

    var label: String { usesCodes ? "\(name) int8" : "\(name) f32\(isForced ? kernels.askingWords : "")" }

    /// Whether rows are asked for in the other way than this CPU's maker makes us choose.
    private var isForced: Bool { (try? Kernels(named: name)) != kernels }

    /// The same kernels by floats, with the other way of asking for rows; nil where codes are read, or nothing is asked for.
    var otherwise: KernelChoice? {
        guard !usesCodes, let other = kernels.otherwise else { return nil }
        return KernelChoice(kernels: other, usesCodes: false, role: nil)
    }

    /// The same kernels without codes.
    var byFloats: KernelChoice { KernelChoice(kernels: kernels, usesCodes: false, role: role) }

    /// The kernels of this CPU, the fastest first.
    static let present: [KernelChoice] = Kernels.available.reversed().map { kernels in
        let widest = Kernels.available.last { !$0.useCodes }
        let role: ContenderRole? = kernels == .best ? .default : kernels == widest ? .floats : nil
        return KernelChoice(kernels: kernels, usesCodes: kernels.useCodes, role: role)
    }

    /// How many products this one may be asked for in one call, so that a slow one does not hold up the rest.
    var mostPairs: Int {
        switch name {
        case "scalar": 10_000_000
        case "sse2": 30_000_000
        case "avx2": 70_000_000
        default: .max
        }
    }
}

extension Kernels {
    /// How rows are asked for ahead.
    var askingWords: String { passCaches ? ", past caches" : ", into caches" }
}
