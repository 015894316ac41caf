/// Keeps a core busy and hears nothing, for at most the time given so that a broken test ends too.
@Sendable func spin(for time: Duration) {
    let end = ContinuousClock.now + time
    var turns = 0
    while ContinuousClock.now < end { turns &+= 1 }
}
