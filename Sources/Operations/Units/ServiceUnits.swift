/// Files for a service manager that runs the worker and the planning: what `systemd` reads, and a table for cron.
package struct ServiceUnits: Sendable {
    package struct File: Sendable, Hashable {
        /// What the person names it by: `work.service`.
        package let name: String
        /// Where it belongs.
        package let path: String
        package let text: String
    }

    /// The program's own file, an absolute path.
    private let program: String

    package static let names = ["work.service", "plan.service", "plan.timer", "environment", "crontab"]

    /// Nil for a program whose path a unit cannot hold as it is.
    package init?(program: String) {
        let isPlain = program.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+".utf8.contains(byte)
        }
        guard program.hasPrefix("/"), isPlain else { return nil }
        self.program = program
    }

    /// All of them, in the order of `names`.
    package var files: [File] {
        let folder = "/etc/systemd/system/knot-recommend"
        return [
            File(name: "work.service", path: "\(folder)-work.service", text: work),
            File(name: "plan.service", path: "\(folder)-plan.service", text: plan),
            File(name: "plan.timer", path: "\(folder)-plan.timer", text: timer),
            File(name: "environment", path: Self.environmentPath, text: Self.environment),
            File(name: "crontab", path: "/etc/cron.d/knot-recommend", text: crontab),
        ]
    }

    private static let environmentPath = "/etc/knot-recommend/environment"

    private var work: String {
        """
        # Claims what is due, chooses, and delivers. It is ready after its first claim, and its watchdog is fed by the
        # loop that claims: what hangs is ended and started again. Stopping lets it finish what it holds.
        [Unit]
        Description=Knot: chooses and delivers what is due
        Wants=network-online.target
        After=network-online.target postgresql.service
        StartLimitIntervalSec=0

        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=\(program) work --listen 127.0.0.1:9464
        WatchdogSec=60
        TimeoutStartSec=90
        TimeoutStopSec=35
        Restart=on-failure
        RestartSec=5
        # Mistakes of a call, of data, of rights and of settings are the same after a restart.
        RestartPreventExitStatus=64 65 77 78
        SuccessExitStatus=143
        OOMPolicy=stop
        MemoryMax=2G

        \(Self.shared)

        [Install]
        WantedBy=multi-user.target

        """
    }

    private var plan: String {
        """
        # Plans 45 days ahead. Planning again changes nothing, so a run more or less does no harm.
        [Unit]
        Description=Knot: plans the reminders of the coming weeks
        Wants=network-online.target
        After=network-online.target postgresql.service

        [Service]
        Type=oneshot
        ExecStart=\(program) plan --all
        TimeoutStartSec=30min
        MemoryMax=2G

        \(Self.shared)

        """
    }

    private var timer: String {
        """
        # Every hour, at a minute that is this machine's own; what was missed while it was off is made up for.
        [Unit]
        Description=Knot: plans the reminders of the coming weeks

        [Timer]
        OnCalendar=hourly
        RandomizedDelaySec=5min
        FixedRandomDelay=true
        AccuracySec=1min
        Persistent=true

        [Install]
        WantedBy=timers.target

        """
    }

    private var crontab: String {
        """
        # For machines without systemd: plans every hour, and every five minutes delivers what is due and ends.
        # The user knot needs its own DATABASE_URL_FILE and, by delivery, KNOT_WEBHOOK_KEY_FILE or KNOT_APNS_KEY_FILE.
        SHELL=/bin/sh
        7 * * * * knot set -a; . \(Self.environmentPath); exec \(program) plan --all --quiet
        */5 * * * * knot set -a; . \(Self.environmentPath); exec \(program) work --drain --quiet

        """
    }

    /// What both services have in common: who they are, what they are told, and what they may not do.
    private static let shared = """
        # A user that exists while the service does, with folders of its own; secrets come as files that it alone reads.
        DynamicUser=yes
        User=knot
        StateDirectory=knot-recommend knot-recommend/outbox
        CacheDirectory=knot-recommend
        EnvironmentFile=-\(environmentPath)
        LoadCredential=knot:/etc/knot-recommend/secrets
        Environment=DATABASE_URL_FILE=%d/knot_database-url
        Environment=KNOT_WEBHOOK_KEY_FILE=%d/knot_webhook-key
        Environment=KNOT_APNS_KEY_FILE=%d/knot_apns.p8
        Environment=KNOT_CACHE=/var/cache/knot-recommend
        Environment=XDG_STATE_HOME=/var/lib
        UMask=0027

        # Rights: none.
        CapabilityBoundingSet=
        AmbientCapabilities=
        NoNewPrivileges=yes
        RestrictSUIDSGID=yes
        PrivateUsers=yes
        # Files: its own folders only.
        ProtectSystem=strict
        ProtectHome=yes
        PrivateTmp=yes
        PrivateDevices=yes
        DevicePolicy=closed
        RemoveIPC=yes
        # The kernel, the clock, other processes: out of reach.
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectClock=yes
        ProtectHostname=yes
        ProtectProc=invisible
        KeyringMode=private
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictNamespaces=yes
        MemoryDenyWriteExecute=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources
        SystemCallErrorNumber=EPERM
        # The network: the database and the services it calls, never a cloud's metadata.
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
        IPAddressDeny=link-local multicast
        # No core file: it would have secrets in it.
        LimitCORE=0
        TasksMax=256
        LimitNOFILE=4096
        """

    private static let environment = """
        # Settings of knot-recommend, a line each. Secrets are no settings: they are files in /etc/knot-recommend/secrets,
        # a folder of root's with the mode 0700, out of which the services get them. database-url has to be there;
        # webhook-key is for the webhook, apns.p8 for Apple's service.
        KNOT_DELIVERY=outbox
        KNOT_OUTBOX=/var/lib/knot-recommend/outbox
        #KNOT_DELIVERY=webhook
        #KNOT_WEBHOOK_URL=https://example.com/knot
        #KNOT_DELIVERY=apns
        #KNOT_APNS_KEY_ID=
        #KNOT_APNS_TEAM_ID=
        #KNOT_APNS_TOPIC=

        """
}
