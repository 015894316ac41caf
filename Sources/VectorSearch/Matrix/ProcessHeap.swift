import CVectorKernels

/// The heap of this process.
package enum ProcessHeap {
    /// From now on it grows in large pieces and gives none back: a process that makes one answer and ends would ask the system
    /// for the same pages again and again.
    ///
    /// All threads then share one heap, so it is not for a process that works on many things at once. False where the
    /// system's heap takes no such wish.
    @discardableResult
    package static func keepForOneAnswer() -> Bool { knot_keep_heap() != 0 }
}
