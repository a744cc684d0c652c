"""Tries to get out of the sandbox, in every way its profile is there for. Prints one line for each that worked, and for each
thing that ought to work and did not. Arguments: a JSON object with what is baited outside."""
import array, ctypes, errno, fcntl, json, os, resource, signal, socket, struct, subprocess, sys, termios

bait = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
machine = os.uname().machine
NR = json.loads(sys.argv[2])


def call(name, *args):
    """The raw call: its result, or minus errno."""
    result = libc.syscall(NR[name], *args)
    return -ctypes.get_errno() if result == -1 else result


def reads(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(16)) > 0
    except OSError:
        return False


def lists(path):
    try:
        return len(os.listdir(path)) > 0
    except OSError:
        return False


def writes(path):
    try:
        with open(path, "ab") as file:
            file.write(b"x")
        return True
    except OSError:
        return False


def makes(path):
    try:
        os.mkdir(path)
        return True
    except FileExistsError:
        return False
    except OSError:
        return False


def connects(family, address, kind=socket.SOCK_STREAM):
    try:
        with socket.socket(family, kind) as s:
            s.settimeout(1)
            s.connect(address)
            if kind == socket.SOCK_DGRAM:
                s.send(b"x")
        return True
    except OSError:
        return False


def opens(family, kind=socket.SOCK_STREAM, proto=0):
    try:
        socket.socket(family, kind, proto).close()
        return True
    except OSError:
        return False


def other_network():
    """Interfaces that are not the loopback."""
    return [name for _, name in socket.if_nameindex() if name != "lo"] != []


def resolves():
    try:
        socket.getaddrinfo("localhost.example.com", 80)
        return True
    except OSError:
        return False


def same_namespace(name):
    return os.readlink(f"/proc/self/ns/{name}") == bait["namespaces"].get(name)


def environ_outside():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if bait["secret"].encode() in open(f"/proc/{pid}/environ", "rb").read():
                return True
        except OSError:
            pass
    return False


def signals_outside():
    try:
        os.kill(bait["pid"], 0)
        return b"sleep" in open(f"/proc/{bait['pid']}/cmdline", "rb").read()
    except OSError:
        return False


def roots_outside():
    return any(reads(f"/proc/{pid}/root{bait['private']}") for pid in filter(str.isdigit, os.listdir("/proc")))


def descriptors_outside():
    """Anything open beside the three and what reading this list takes."""
    found = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            continue
        if int(fd) > 2 and "/proc/" not in target and "escapes.py" not in target:
            found.append(target)
    return found


def injects():
    """Types into the terminal it came from."""
    try:
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSTI, b"x")
        return True
    except OSError:
        return False


def new_user_namespace():
    pid = os.fork()
    if pid == 0:
        os._exit(0 if call("unshare", 0x10000000) == 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def cloned_user_namespace():
    pid = call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return pid > 0


def gains_rights():
    """PR_GET_NO_NEW_PRIVS: without it a setuid program would become root."""
    return os.geteuid() == 0 or libc.prctl(39, 0, 0, 0, 0) != 1


def hard_links():
    try:
        os.link(bait["file"], "/tmp/linked")
        return writes("/tmp/linked")
    except OSError:
        return False


def through_link():
    try:
        os.symlink(bait["private"], "/tmp/way-out")
        return reads("/tmp/way-out") or writes("/tmp/way-out")
    except OSError:
        return False


def changes_mode():
    try:
        os.chmod(bait["file"], 0o777)
        return True
    except OSError:
        return False


def changes_time():
    try:
        os.utime(bait["file"])
        return True
    except OSError:
        return False


def removes():
    try:
        os.rename(bait["file"], bait["file"] + ".gone")
        return True
    except OSError:
        return False


def remounts():
    target = bait["workspace"].encode()
    return call("mount", b"none", target, None, 32 | 4096, None) == 0


def moves_mounts():
    return call("umount2", bait["hidden"].encode(), 2) == 0


def traces():
    pid = os.fork()
    if pid == 0:
        signal.pause()
    result = call("ptrace", 16, pid, 0, 0)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return result >= 0


def refuses(name, *args):
    """Whether the kernel let it come so far as to look at its arguments."""
    return call(name, *args) not in (-errno.EPERM, -errno.ENOSYS)


def device():
    try:
        os.mknod("/tmp/disk", 0o600 | 0o060000, os.makedev(8, 0))
        return True
    except OSError:
        return False


def cgroup_writable():
    return any(os.access(os.path.join(at, "cgroup.procs"), os.W_OK) for at, _, _ in os.walk("/sys/fs/cgroup"))


def is_read_only(path):
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def capacity(path):
    found = os.statvfs(path)
    return found.f_blocks * found.f_frsize


def visible_names():
    """What lies in the root beyond the system."""
    system = set("bin sbin lib lib32 lib64 libx32 usr etc opt nix gnu sys proc dev tmp var".split())
    ways = {path.split("/")[1] for path in (bait["workspace"], bait["home"], bait["tools"])}
    return set(os.listdir("/")) - system - ways != set()


WORKED_OUTSIDE = {
    "reads a private file of the home": lambda: reads(bait["private"]),
    "lists the home": lambda: ".ssh" in os.listdir(bait["home"]),
    "writes into the home": lambda: writes(bait["home"] + "/planted"),
    "reads a secret file of the folder": lambda: reads(bait["hidden"]),
    "lists a secret directory of the folder": lambda: lists(bait["hidden_directory"]),
    "reads our state": lambda: reads(bait["state"]),
    "reads a secret through a link in the folder": lambda: reads(bait["linked_secret"]),
    "reads another project": lambda: reads(bait["other_project"]),
    "reads through ..": lambda: reads(bait["workspace"] + "/../" + os.path.basename(os.path.dirname(bait["other_project"])) + "/text"),
    "sees names of other folders": visible_names,
    "reads /etc/shadow": lambda: reads("/etc/shadow"),
    "reads /root": lambda: lists("/root"),
    "reads /run": lambda: lists("/run"),
    "writes a file of the folder": lambda: writes(bait["file"]),
    "makes a file in the folder": lambda: writes(bait["workspace"] + "/new"),
    "plants a hook": lambda: writes(bait["workspace"] + "/.git/hooks/pre-commit"),
    "writes beside the folder": lambda: writes(os.path.dirname(bait["workspace"]) + "/new"),
    "writes into the root": lambda: makes("/planted"),
    "writes into /etc": lambda: writes("/etc/planted"),
    "writes into /usr": lambda: writes("/usr/planted"),
    "writes into a directory of tools": lambda: writes(bait["tools"] + "/planted"),
    "renames a file of the folder": removes,
    "changes the mode of a file": changes_mode,
    "changes the time of a file": changes_time,
    "links a file to write it": hard_links,
    "follows its own link out": through_link,
    "reaches a port of the machine": lambda: connects(socket.AF_INET, ("127.0.0.1", bait["port"])),
    "reaches a port of the machine by IPv6": lambda: connects(socket.AF_INET6, ("::1", bait["port"])),
    "reaches the network": lambda: connects(socket.AF_INET, ("203.0.113.1", 9), socket.SOCK_DGRAM),
    "sees another network": other_network,
    "resolves a name": resolves,
    "reaches an abstract socket": lambda: connects(socket.AF_UNIX, "\0" + bait["abstract"]),
    "reaches a socket file in the folder": lambda: connects(socket.AF_UNIX, bait["socket"]),
    "opens a unix socket": lambda: opens(socket.AF_UNIX),
    "opens a vsock": lambda: opens(40),
    "opens a crypto socket": lambda: opens(38, socket.SOCK_SEQPACKET),
    "opens a packet socket": lambda: opens(17, socket.SOCK_RAW),
    "opens a raw socket": lambda: opens(socket.AF_INET, socket.SOCK_RAW, 1),
    "opens a bluetooth socket": lambda: opens(31, socket.SOCK_RAW, 1),
    "opens a netlink socket beyond interfaces": lambda: opens(16, socket.SOCK_RAW, 9),
    "sees a process outside": lambda: os.path.isdir(f"/proc/{bait['pid']}/root") and signals_outside(),
    "signals a process outside": signals_outside,
    "reads the environment of others": environ_outside,
    "reads files through /proc": roots_outside,
    "has descriptors of others": descriptors_outside,
    "has a secret of the environment": lambda: bait["secret"] in json.dumps(dict(os.environ)),
    "has a variable that leads to a socket": lambda: any(n in os.environ for n in ("SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR")),
    "shares ipc": lambda: same_namespace("ipc"),
    "shares the host name": lambda: same_namespace("uts"),
    "shares cgroups": lambda: same_namespace("cgroup"),
    "shares the network": lambda: same_namespace("net"),
    "shares mounts": lambda: same_namespace("mnt"),
    "shares users": lambda: same_namespace("user"),
    "makes a user namespace": new_user_namespace,
    "clones a user namespace": cloned_user_namespace,
    "becomes root": gains_rights,
    "remounts the folder": remounts,
    "takes a mount away": moves_mounts,
    "mounts in the new way": lambda: refuses("fsopen", b"tmpfs", 0) or refuses("open_tree", -100, b"/", 1),
    "changes its root": lambda: call("chroot", b"/tmp") == 0,
    "enters another namespace": lambda: refuses("setns", -1, 0),
    "traces a process": traces,
    "reads memory of a process": lambda: refuses("process_vm_readv", os.getpid(), 0, 0, 0, 0, 0),
    "types into its terminal": injects,
    "reaches the keyring": lambda: refuses("keyctl", 0, -3, 0) or refuses("add_key", b"user", b"x", b"y", 1, -3),
    "loads a kernel program": lambda: refuses("bpf", 0, 0, 0),
    "opens io_uring": lambda: refuses("io_uring_setup", 1, 0),
    "counts events of the kernel": lambda: refuses("perf_event_open", 0, 0, -1, -1, 0),
    "handles faults of memory": lambda: refuses("userfaultfd", 0),
    "opens files by handle": lambda: refuses("open_by_handle_at", -1, 0, 0),
    "makes a device": device,
    "writes settings of the kernel": lambda: writes("/proc/sys/kernel/core_pattern") or not is_read_only("/proc/sys"),
    "writes into /sys": lambda: writes("/sys/kernel/profiling") or not is_read_only("/sys"),
    "joins a cgroup": cgroup_writable,
    "reads the memory of the machine": lambda: reads("/dev/mem") or reads("/dev/kmsg"),
    "reads a disk": lambda: any(n.startswith(("sd", "vd", "nvme")) for n in os.listdir("/dev")),
    "fills the disk of the machine": lambda: any(capacity(p) > 600 * 1024 * 1024 for p in ("/tmp", "/var/tmp", "/dev/shm") if os.path.isdir(p)),
    "forks without end": lambda: resource.getrlimit(resource.RLIMIT_NPROC)[0] > 512,
    "takes all memory": lambda: resource.getrlimit(resource.RLIMIT_DATA)[0] > 4 * 1024**3 or resource.getrlimit(resource.RLIMIT_DATA)[0] == -1,
    "dumps core": lambda: resource.getrlimit(resource.RLIMIT_CORE)[0] != 0,
}

MUST_WORK = {
    "reads the folder": lambda: reads(bait["file"]),
    "reads below it": lambda: reads(bait["workspace"] + "/below/text"),
    "is where it was asked to be": lambda: os.getcwd() == bait["workspace"],
    "writes scratch": lambda: writes("/tmp/scratch") and writes("/var/tmp/scratch") and writes("/dev/shm/scratch"),
    "has a home that is there": lambda: os.path.isdir(os.environ["HOME"]),
    "has /dev/null": lambda: writes("/dev/null"),
    "sees itself": lambda: os.path.exists("/proc/self/status"),
    "finds tools of PATH": lambda: subprocess.run(["tool-of-mine"], capture_output=True).stdout == b"tool\n",
    "reaches its own port": lambda: own_port(),
    "runs git": lambda: subprocess.run(["git", "--version"], capture_output=True).returncode == 0,
    "hears Ctrl+C": lambda: signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None) and signal.getsignal(signal.SIGQUIT) == signal.SIG_DFL,
}


def own_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        return connects(socket.AF_INET, server.getsockname())


for name, attempt in WORKED_OUTSIDE.items():
    try:
        worked = attempt()
        if worked:
            print(f"ESCAPED {name}" + ("" if worked is True else f": {worked}"))
    except Exception as problem:  # an attempt that breaks has not been made
        print(f"BROKE {name}: {problem!r}")
for name, attempt in MUST_WORK.items():
    try:
        if not attempt():
            print(f"MISSING {name}")
    except Exception as problem:
        print(f"MISSING {name}: {problem!r}")
print(f"TRIED {len(WORKED_OUTSIDE)} {len(MUST_WORK)}")
