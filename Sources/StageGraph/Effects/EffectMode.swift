/// Whether effects happen, are written down as they happen, or come from a recording.
package enum EffectMode: Sendable {
    case live
    case recording(EffectRecorder)
    case replaying(CassettePlayer)
}
