/// How a node of a builder behaves in time and in failure; the same fields as in a definition file.
package struct NodeRules: Sendable {
    package var policy: NodePolicy?
    package var minimum: [String: Int]
    package var substitute: NodeID?
    package var wait: Duration?
    package var life: Duration?
    package var retry: RetryPolicy?

    package init(
        policy: NodePolicy? = nil,
        minimum: [String: Int] = [:],
        substitute: NodeID? = nil,
        wait: Duration? = nil,
        life: Duration? = nil,
        retry: RetryPolicy? = nil
    ) {
        self.policy = policy
        self.minimum = minimum
        self.substitute = substitute
        self.wait = wait
        self.life = life
        self.retry = retry
    }
}
