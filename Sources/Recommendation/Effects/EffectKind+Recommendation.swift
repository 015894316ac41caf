package import StageGraph

extension EffectKind {
    package static var vaultRead: Self { "vault.read" }
    package static var hintReading: Self { "hint.reading" }
    package static var providerSearch: Self { "provider.search" }
    package static var embedding: Self { "text.embedding" }
    package static var availabilityProbe: Self { "availability.probe" }
    package static var clock: Self { "clock.now" }
    package static var write: Self { "choices.write" }
}
