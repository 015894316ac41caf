import Glibc

/// The target that the variable names.
private let fuzzed: FuzzTarget? = {
    guard let name = unsafe getenv("KNOT_FUZZ") else { return nil }
    // The text is copied before anything else can run.
    return FuzzTarget(rawValue: unsafe String(cString: name))
}()

/// What libFuzzer calls with bytes of its own making; it ends the process where a promise is broken.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let fuzzed else { preconditionFailure("KNOT_FUZZ names no target") }
    // The caller keeps so many bytes there until this returns.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let complaint = fuzzed.complaint(about: bytes) { preconditionFailure(complaint) }
    return 0
}
