import TestSupport

/// Keeps a core busy and hears nothing until the gate opens; a broken test ends too.
@Sendable func spin(until gate: Flag) {
    let end = LastResort.end
    while !gate.isUp, ContinuousClock.now < end {}
}
