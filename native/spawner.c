/*
 * The spawner: starts commands for one Node process, because starting them from a small process is many times cheaper than from a
 * large one. Requests come on fd 0, everything that happens goes out on fd 1, both as frames:
 *
 *   u32 size of what follows the header · u32 type · u32 id, then `size` bytes; little-endian.
 *
 * src/base/process/spawner-frames.ts is the other side; docs/adr/0058-a-small-process-starts-commands.md says why. What it promises:
 *
 *  - a child leads a session of its own, has exactly the argv, environment, directory and descriptors it was asked to have, and
 *    dies with the spawner; the spawner ends everything it started when Node is gone;
 *  - an exit is told after everything that was written before it;
 *  - no memory grows with what a child prints or is sent: while Node does not read, no child is read;
 *  - a request that is not exactly right ends the spawner, and all it started. Nothing is guessed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are little-endian");

enum to_spawner { START = 1, INPUT = 2, RESIZE = 3, ASK_MODES = 4 };
enum from_spawner {
  READY = 1, STARTED = 2, FAILED = 3, STDOUT = 4, STDERR = 5, STREAM_END = 6, EXITED = 7, CLOSED = 8, INPUT_TAKEN = 9, MODES = 10
};
/* What could not be done, in FAILED. */
enum stage { PREPARE = 1, ENTER_DIRECTORY = 2, OTHER_DIRECTORY = 3, EXECUTE = 4 };
/* How a terminal is set, in MODES; without MODES_KNOWN the system did not say. */
enum modes { MODES_KNOWN = 1, CANONICAL = 2, ECHOES = 4, SIGNALS_KEYS = 8 };
enum start_flags { IN_TERMINAL = 1, PINNED_DIRECTORY = 2 };

enum {
  VERSION = 2,
  HEADER = 12,
  START_FIELDS = 40,
  LONGEST_START = 8 * 1024 * 1024,
  INPUT_ROOM = 16 * 1024,
  MOST_CHILDREN = 4096,
  MOST_SESSIONS = 4096,
  /* One read of a child, so that with its header it is what Node reads at once. */
  CHUNK = 64 * 1024 - HEADER,
  SMALL_FRAMES = 512,
  OUT_ROOM = 4 * (CHUNK + HEADER) + SMALL_FRAMES,
  IN_ROOM = 64 * 1024,
  WIDE_PIPE = 256 * 1024,
  EVENTS = 64,
  RETRY_INPUT_MS = 20,
  /* The start of a command in pipes, and the end of a stream, are told with what follows, if that comes so soon: Node wakes once for a
     short command. */
  HOLD_START_MS = 2,
  /* A terminal holds less than this: whatever was read beyond it was written after the end of its first process. */
  TERMINAL_HOLDS = 256 * 1024,
  END_ROUNDS = 20
};

struct stream {
  int fd; /* -1: it has ended, or there is none */
  uint32_t watched; /* what epoll looks for */
  size_t owed; /* what may have been written before the exit */
  size_t since; /* what was read since the exit */
  bool wide; /* it prints much at once */
  bool settled; /* everything from before the exit was read */
};

struct child {
  uint32_t id;
  pid_t pid;
  uint64_t start;
  struct stream streams[2]; /* a terminal is the first one alone */
  int slave; /* held while the first process lives, so that the terminal does not end before it; else -1 */
  bool terminal, gone, told, over;
  int status;
  unsigned char *input;
  size_t input_length;
};

/* A session whose first process is gone and that may have others. */
struct session {
  pid_t pid;
  uint64_t start;
};

struct start_request {
  uint32_t flags;
  struct winsize size;
  uint64_t device, inode;
  char *executable, *directory;
  char **argv, **env, **script_argv;
};

static struct child *children[MOST_CHILDREN];
static struct session sessions[MOST_SESSIONS];
static size_t children_top, session_count;
static unsigned char out[OUT_ROOM];
static size_t out_begin, out_length;
static bool out_is_due; /* something in it is more than a start or the end of a stream, which may wait */
static unsigned char *in;
static size_t in_room, in_length;
static int poller, children_signal, nothing;
static pid_t self;

static const uint64_t REQUESTS = UINT64_MAX, SIGNALS = UINT64_MAX - 1;

/* ── the end ─────────────────────────────────────────────────────────────────────────────────── */

struct stat_line {
  char state;
  pid_t session;
  uint64_t start;
};

/* Fields 3, 6 and 22 of a process. The name in parentheses may hold anything: fields count from the last one. */
static bool read_stat(pid_t pid, struct stat_line *line) {
  char path[32], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return false;
  text[length] = 0;
  char *at = strrchr(text, ')');
  for (int field = 3; at != NULL && (at = strchr(at, ' ')) != NULL; field++) {
    at++;
    if (field == 3) line->state = *at;
    if (field == 6) line->session = (pid_t)strtol(at, NULL, 10);
    if (field != 22) continue;
    line->start = strtoull(at, NULL, 10);
    return true;
  }
  return false;
}

/* A pid that somebody else has by now stands for nothing of ours. */
static bool is_reused(struct session one) {
  struct stat_line line;
  return read_stat(one.pid, &line) && line.start != one.start;
}

static bool is_ours(pid_t session, const struct session *ours, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (ours[i].pid == session) return true;
  return false;
}

/* Kills all that is in a session of ours, until a look finds nobody. */
static void end_sessions(void) {
  static struct session ours[MOST_CHILDREN + MOST_SESSIONS];
  size_t count = 0;
  for (size_t i = 0; i < children_top; i++)
    if (children[i] != NULL) ours[count++] = (struct session){children[i]->pid, children[i]->start};
  for (size_t i = 0; i < session_count; i++) ours[count++] = sessions[i];
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_reused(ours[i])) ours[kept++] = ours[i];
  for (size_t i = 0; i < kept; i++) kill(-ours[i].pid, SIGKILL);
  for (int round = 0; kept > 0 && round < END_ROUNDS; round++) {
    DIR *all = opendir("/proc");
    if (all == NULL) return;
    bool found = false;
    for (struct dirent *entry = readdir(all); entry != NULL; entry = readdir(all)) {
      pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
      struct stat_line line;
      if (pid <= 0 || !read_stat(pid, &line) || !is_ours(line.session, ours, kept)) continue;
      if (line.state != 'Z' && line.state != 'X' && kill(pid, SIGKILL) == 0) found = true;
    }
    closedir(all);
    if (!found) return;
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    poll(NULL, 0, 5);
  }
}

_Noreturn static void end(int code) {
  end_sessions();
  _exit(code);
}

_Noreturn static void fault(const char *what) {
  ssize_t ignored = write(2, what, strlen(what));
  ignored += write(2, "\n", 1);
  (void)ignored;
  end(2);
}

/* ── frames out ──────────────────────────────────────────────────────────────────────────────── */

static void put_u32(unsigned char *at, uint32_t value) { memcpy(at, &value, 4); }

static bool has_room(void) { return OUT_ROOM - (out_begin + out_length) >= CHUNK + HEADER + SMALL_FRAMES; }

/* The caller has made sure that there is room. Returns where `size` bytes belong. */
static unsigned char *put_frame(enum from_spawner type, uint32_t id, uint32_t size) {
  if (OUT_ROOM - (out_begin + out_length) < HEADER + size) fault("no room for a frame");
  unsigned char *at = out + out_begin + out_length;
  put_u32(at, size);
  put_u32(at + 4, type);
  put_u32(at + 8, id);
  out_length += HEADER + size;
  out_is_due = out_is_due || (type != STARTED && type != STREAM_END);
  return at + HEADER;
}

static void tell(enum from_spawner type, uint32_t id) { put_frame(type, id, 0); }

static void tell_two(enum from_spawner type, uint32_t id, uint32_t first, uint32_t second) {
  unsigned char *at = put_frame(type, id, 8);
  put_u32(at, first);
  put_u32(at + 4, second);
}

/* As much as Node takes now. */
static void flush_out(void) {
  while (out_length > 0) {
    ssize_t count = write(1, out + out_begin, out_length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) end(0);
    out_begin += (size_t)count;
    out_length -= (size_t)count;
  }
  out_begin = 0;
  out_is_due = false;
}

/* ── reading children ────────────────────────────────────────────────────────────────────────── */

/* A stream that nobody looks for is taken out: epoll would tell of its hang-up again and again. */
static void watch(size_t slot, int which, uint32_t wanted) {
  struct stream *stream = &children[slot]->streams[which];
  if (stream->fd < 0 || stream->watched == wanted) return;
  struct epoll_event event = {.events = wanted, .data.u64 = (uint64_t)slot << 1 | (uint64_t)which};
  int how = wanted == 0 ? EPOLL_CTL_DEL : stream->watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  if (epoll_ctl(poller, how, stream->fd, &event) < 0) fault("epoll_ctl");
  stream->watched = wanted;
}

static void watch_child(size_t slot) {
  struct child *child = children[slot];
  watch(slot, 0, EPOLLIN | (child->input_length > 0 ? (uint32_t)EPOLLOUT : 0));
  watch(slot, 1, EPOLLIN);
}

static void close_stream(size_t slot, int which) {
  struct child *child = children[slot];
  struct stream *stream = &child->streams[which];
  if (stream->fd < 0) return;
  watch(slot, which, 0);
  close(stream->fd);
  stream->fd = -1;
  stream->settled = true;
  tell_two(STREAM_END, child->id, (uint32_t)which, 0);
}

/* One read of at most a chunk, so that one child that floods waits for the others. False: there is nothing to be read now. */
static bool read_stream(size_t slot, int which) {
  struct child *child = children[slot];
  struct stream *stream = &child->streams[which];
  unsigned char *at = out + out_begin + out_length + HEADER;
  ssize_t count = read(stream->fd, at, CHUNK);
  if (count < 0 && errno == EINTR) return true;
  if (count < 0 && errno == EAGAIN) {
    stream->settled = child->gone;
    return false;
  }
  /* 0: nobody can write any more. EIO: the same of a terminal. */
  if (count <= 0) {
    close_stream(slot, which);
    return false;
  }
  put_frame(which == 0 ? STDOUT : STDERR, child->id, (uint32_t)count);
  if (count == CHUNK && !stream->wide && !child->terminal) {
    fcntl(stream->fd, F_SETPIPE_SZ, WIDE_PIPE);
    stream->wide = true;
  }
  if (child->gone) {
    stream->since += (size_t)count;
    if (stream->since > stream->owed) stream->settled = true;
  }
  return true;
}

/* Tells the exit of a child that is gone once everything from before it was read. */
static void settle(size_t slot) {
  struct child *child = children[slot];
  for (int which = 0; which < 2 && !child->told; which++)
    while (child->streams[which].fd >= 0 && !child->streams[which].settled) {
      if (!has_room()) flush_out();
      if (!has_room()) return;
      read_stream(slot, which);
    }
  if (!has_room()) return;
  if (!child->told) {
    child->told = true;
    bool killed = WIFSIGNALED(child->status);
    int value = killed ? WTERMSIG(child->status) : WEXITSTATUS(child->status);
    tell_two(EXITED, child->id, (uint32_t)value, killed);
    /* Whoever is left in it is hung up, as when a window is closed. */
    if (child->terminal) close_stream(slot, 0);
  }
  if (child->streams[0].fd < 0 && child->streams[1].fd < 0) {
    tell(CLOSED, child->id);
    child->over = true;
  }
}

static void reap(void) {
  struct signalfd_siginfo ignored[8];
  while (read(children_signal, ignored, sizeof ignored) > 0) continue;
  int status;
  for (pid_t pid = waitpid(-1, &status, WNOHANG); pid > 0; pid = waitpid(-1, &status, WNOHANG))
    for (size_t slot = 0; slot < children_top; slot++) {
      struct child *child = children[slot];
      if (child == NULL || child->gone || child->pid != pid) continue;
      child->gone = true;
      child->status = status;
      child->input_length = 0;
      if (child->slave >= 0) close(child->slave);
      child->slave = -1;
      for (int which = 0; which < 2; which++) {
        int held = 0;
        struct stream *stream = &child->streams[which];
        if (stream->fd < 0 || child->terminal || ioctl(stream->fd, FIONREAD, &held) < 0 || held < 0) held = 0;
        stream->owed = child->terminal ? TERMINAL_HOLDS : (size_t)held;
      }
      watch_child(slot);
      break;
    }
}

/* A session without anybody in it is forgotten. */
static void remember_session(struct session left) {
  if (session_count == MOST_SESSIONS) {
    size_t kept = 0;
    for (size_t i = 0; i < session_count; i++)
      if (kill(-sessions[i].pid, 0) == 0) sessions[kept++] = sessions[i];
    session_count = kept;
  }
  /* So many at once: the mark in their environment is how Node finds the others. */
  if (session_count < MOST_SESSIONS) sessions[session_count++] = left;
}

static void forget(size_t slot) {
  struct child *child = children[slot];
  if (kill(-child->pid, 0) == 0 || errno == EPERM) remember_session((struct session){child->pid, child->start});
  free(child->input);
  free(child);
  children[slot] = NULL;
  while (children_top > 0 && children[children_top - 1] == NULL) children_top--;
}

/* ── starting ────────────────────────────────────────────────────────────────────────────────── */

struct descriptors {
  int directory;
  int ours[2]; /* of the child's stdout and stderr, or the terminal */
  int theirs[3];
};

static void close_all(struct descriptors *fds, bool ours_too) {
  if (fds->directory >= 0) close(fds->directory);
  if (fds->theirs[1] >= 0) close(fds->theirs[1]);
  if (fds->theirs[2] >= 0 && fds->theirs[2] != fds->theirs[1]) close(fds->theirs[2]);
  for (int i = 0; ours_too && i < 2; i++)
    if (fds->ours[i] >= 0) close(fds->ours[i]);
}

static bool open_pipes(struct descriptors *fds) {
  for (int i = 0; i < 2; i++) {
    int both[2];
    if (pipe2(both, O_CLOEXEC) < 0) return false;
    fds->ours[i] = both[0];
    fds->theirs[i + 1] = both[1];
    /* The reading side alone: the child's must block. */
    if (fcntl(both[0], F_SETFL, O_NONBLOCK) < 0) return false;
  }
  fds->theirs[0] = nothing;
  return true;
}

/* As node-pty sets one up, which is used where there is no spawner. */
static bool set_up_terminal(int slave) {
  struct termios how;
  memset(&how, 0, sizeof how);
  how.c_iflag = ICRNL | IXON | IXANY | IMAXBEL | BRKINT;
  how.c_oflag = OPOST | ONLCR;
  how.c_cflag = CREAD | CS8 | HUPCL;
  how.c_lflag = ICANON | ISIG | IEXTEN | ECHO | ECHOE | ECHOK | ECHOKE | ECHOCTL;
  how.c_cc[VEOF] = 4;
  how.c_cc[VEOL] = 0xff;
  how.c_cc[VEOL2] = 0xff;
  how.c_cc[VERASE] = 0x7f;
  how.c_cc[VWERASE] = 23;
  how.c_cc[VKILL] = 21;
  how.c_cc[VREPRINT] = 18;
  how.c_cc[VINTR] = 3;
  how.c_cc[VQUIT] = 0x1c;
  how.c_cc[VSUSP] = 26;
  how.c_cc[VSTART] = 17;
  how.c_cc[VSTOP] = 19;
  how.c_cc[VLNEXT] = 22;
  how.c_cc[VDISCARD] = 15;
  how.c_cc[VMIN] = 1;
  how.c_cc[VTIME] = 0;
  cfsetispeed(&how, B38400);
  cfsetospeed(&how, B38400);
  return tcsetattr(slave, TCSANOW, &how) == 0;
}

static bool open_terminal(struct descriptors *fds, const struct winsize *size) {
  int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0) return false;
  fds->ours[0] = master;
  int unlocked = 0;
  /* Every system with devpts gives the other side to its user by itself: there is nothing to grant. */
  if (ioctl(master, TIOCSPTLCK, &unlocked) < 0) return false;
  int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) {
    unsigned number;
    char path[32];
    if (ioctl(master, TIOCGPTN, &number) < 0) return false;
    snprintf(path, sizeof path, "/dev/pts/%u", number);
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  if (slave < 0) return false;
  fds->theirs[0] = fds->theirs[1] = fds->theirs[2] = slave;
  return set_up_terminal(slave) && ioctl(master, TIOCSWINSZ, size) == 0;
}

/* Everything from the third descriptor on. Without close_range (before Linux 5.9): each is closed by exec, as all of ours are. */
static void close_others(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
#endif
  for (int fd = 3; fd < 1024; fd++) close(fd);
}

/* In the child, which shares our memory until it is another program: system calls and nothing else. */
_Noreturn static void become(const struct start_request *wanted, const struct descriptors *fds, volatile int *stage,
                             volatile int *problem) {
  *stage = PREPARE;
  if (setsid() < 0) goto failed;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) goto failed;
  /* The spawner may have died before it could be said. */
  if (getppid() != self) _exit(127);
  struct sigaction usual;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number <= SIGRTMAX; number++) sigaction(number, &usual, NULL);
  for (int fd = 0; fd < 3; fd++)
    if (dup2(fds->theirs[fd], fd) < 0) goto failed;
  if ((wanted->flags & IN_TERMINAL) && ioctl(0, TIOCSCTTY, 0) < 0) goto failed;
  *stage = ENTER_DIRECTORY;
  if (fchdir(fds->directory) < 0) goto failed;
  close_others();
  *stage = EXECUTE;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(wanted->executable, wanted->argv, wanted->env);
  /* A script that does not say what reads it is read by sh, as everywhere. */
  if (errno == ENOEXEC) execve("/bin/sh", wanted->script_argv, wanted->env);
failed:
  *problem = errno;
  _exit(127);
}

/* The errno, or 0 when the program runs; then `pid` is its. */
static int begin(const struct start_request *wanted, const struct descriptors *fds, int *failed_at, pid_t *pid) {
  volatile int stage = PREPARE, problem = 0;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  /* The parent waits until the child has become the program or has failed, and both see `stage` and `problem`. */
  pid_t child = vfork();
  if (child == 0) become(wanted, fds, &stage, &problem);
  if (child < 0) problem = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && problem != 0) waitpid(child, NULL, 0);
  *failed_at = stage;
  *pid = child;
  return problem;
}

static size_t free_slot(void) {
  for (size_t slot = 0; slot < MOST_CHILDREN; slot++)
    if (children[slot] == NULL) return slot;
  return MOST_CHILDREN;
}

static void start(uint32_t id, const struct start_request *wanted) {
  struct descriptors fds = {-1, {-1, -1}, {-1, -1, -1}};
  int stage = PREPARE, problem = 0;
  size_t slot = free_slot();
  struct child *child = slot < MOST_CHILDREN ? calloc(1, sizeof *child) : NULL;
  if (child == NULL) {
    tell_two(FAILED, id, PREPARE, EAGAIN);
    return;
  }
  bool terminal = (wanted->flags & IN_TERMINAL) != 0;
  struct stat now;
  fds.directory = open(wanted->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fds.directory < 0) {
    problem = errno;
    stage = problem == EMFILE || problem == ENFILE ? PREPARE : ENTER_DIRECTORY;
  } else if (wanted->flags & PINNED_DIRECTORY) {
    if (fstat(fds.directory, &now) < 0 || now.st_dev != wanted->device || now.st_ino != wanted->inode) {
      problem = ESTALE;
      stage = OTHER_DIRECTORY;
    }
  }
  if (problem == 0 && !(terminal ? open_terminal(&fds, &wanted->size) : open_pipes(&fds))) problem = errno;
  if (problem == 0) problem = begin(wanted, &fds, &stage, &child->pid);
  if (problem != 0) {
    close_all(&fds, true);
    free(child);
    tell_two(FAILED, id, (uint32_t)stage, (uint32_t)problem);
    return;
  }
  child->id = id;
  child->terminal = terminal;
  child->slave = terminal ? fds.theirs[0] : -1;
  if (terminal) fds.theirs[1] = fds.theirs[2] = -1;
  close_all(&fds, false);
  for (int which = 0; which < 2; which++) child->streams[which].fd = fds.ours[which];
  children[slot] = child;
  if (slot >= children_top) children_top = slot + 1;
  struct stat_line line;
  if (read_stat(child->pid, &line)) child->start = line.start;
  unsigned char *at = put_frame(STARTED, id, 12);
  put_u32(at, (uint32_t)child->pid);
  memcpy(at + 4, &child->start, 8);
  if (terminal) out_is_due = true;
  watch_child(slot);
}

/* ── requests ────────────────────────────────────────────────────────────────────────────────── */

static uint32_t get_u32(const unsigned char *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return value;
}

/* The next text of a request; NULL: there is none that ends. */
static char *next_text(unsigned char **at, const unsigned char *until) {
  unsigned char *text = *at, *last = memchr(text, 0, (size_t)(until - text));
  if (last == NULL) return NULL;
  *at = last + 1;
  return (char *)text;
}

static char **next_texts(unsigned char **at, const unsigned char *until, uint32_t count) {
  /* Each text has at least its end: more than there are bytes cannot be meant. */
  if (count > (size_t)(until - *at)) return NULL;
  char **texts = calloc((size_t)count + 1, sizeof *texts);
  for (uint32_t i = 0; texts != NULL && i < count; i++) {
    texts[i] = next_text(at, until);
    if (texts[i] != NULL) continue;
    free(texts);
    return NULL;
  }
  return texts;
}

static void receive_start(uint32_t id, unsigned char *at, size_t size) {
  const unsigned char *until = at + size;
  if (size < START_FIELDS) fault("a start that is too short");
  for (size_t slot = 0; slot < children_top; slot++)
    if (children[slot] != NULL && children[slot]->id == id) fault("an id that is taken");
  struct start_request wanted = {.flags = get_u32(at)};
  uint32_t columns = get_u32(at + 4), rows = get_u32(at + 8), words = get_u32(at + 12), variables = get_u32(at + 16);
  /* at + 20: nothing, so that what follows is where 8 bytes belong */
  memcpy(&wanted.device, at + 24, 8);
  memcpy(&wanted.inode, at + 32, 8);
  if (wanted.flags > (IN_TERMINAL | PINNED_DIRECTORY) || columns > UINT16_MAX || rows > UINT16_MAX || words == 0 || get_u32(at + 20) != 0)
    fault("a start that means nothing");
  wanted.size = (struct winsize){.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  at += START_FIELDS;
  wanted.executable = next_text(&at, until);
  wanted.directory = wanted.executable ? next_text(&at, until) : NULL;
  wanted.argv = wanted.directory ? next_texts(&at, until, words) : NULL;
  wanted.env = wanted.argv ? next_texts(&at, until, variables) : NULL;
  if (wanted.env == NULL || at != until) fault("a start whose texts do not end where it does");
  if (wanted.executable[0] != '/' || wanted.directory[0] != '/') fault("a path that is not absolute");
  wanted.script_argv = calloc((size_t)words + 2, sizeof *wanted.script_argv);
  if (wanted.script_argv == NULL) fault("no memory");
  wanted.script_argv[0] = (char *)"/bin/sh";
  wanted.script_argv[1] = wanted.executable;
  memcpy(wanted.script_argv + 2, wanted.argv + 1, (words - 1) * sizeof *wanted.argv);
  start(id, &wanted);
  free(wanted.argv);
  free(wanted.env);
  free(wanted.script_argv);
}

/* What the terminal takes now; the rest waits for it. */
static void type_input(size_t slot) {
  struct child *child = children[slot];
  size_t done = 0;
  while (done < child->input_length) {
    ssize_t count = write(child->streams[0].fd, child->input + done, child->input_length - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += (size_t)count;
  }
  if (done > 0) {
    child->input_length -= done;
    memmove(child->input, child->input + done, child->input_length);
    tell_two(INPUT_TAKEN, child->id, (uint32_t)done, 0);
  }
  watch_child(slot);
}

static void receive_input(size_t slot, const unsigned char *at, size_t size) {
  struct child *child = children[slot];
  if (child->input == NULL) child->input = malloc(INPUT_ROOM);
  if (child->input == NULL) fault("no memory");
  if (size > INPUT_ROOM - child->input_length) fault("more input than there is room for");
  memcpy(child->input + child->input_length, at, size);
  child->input_length += size;
  type_input(slot);
}

/* How the terminal is set, and which group of processes is in its foreground; 0: nobody, or the system did not say. */
static void tell_modes(const struct child *child) {
  struct termios how;
  uint32_t flags = 0;
  if (tcgetattr(child->streams[0].fd, &how) == 0) {
    flags = MODES_KNOWN;
    if (how.c_lflag & ICANON) flags |= CANONICAL;
    if (how.c_lflag & ECHO) flags |= ECHOES;
    if (how.c_lflag & ISIG) flags |= SIGNALS_KEYS;
  }
  pid_t foreground = tcgetpgrp(child->streams[0].fd);
  tell_two(MODES, child->id, flags, foreground > 0 ? (uint32_t)foreground : 0);
}

/* Of a child that has ended meanwhile: nothing happens. */
static void receive_for_child(uint32_t type, uint32_t id, const unsigned char *at, size_t size) {
  size_t slot = 0;
  while (slot < children_top && (children[slot] == NULL || children[slot]->id != id)) slot++;
  if (slot == children_top) return;
  struct child *child = children[slot];
  if (!child->terminal) fault("only a terminal has a size and modes and takes input");
  if (child->gone || child->streams[0].fd < 0) return;
  if (type == INPUT) {
    receive_input(slot, at, size);
    return;
  }
  if (type == ASK_MODES) {
    tell_modes(child);
    return;
  }
  uint32_t columns = get_u32(at), rows = get_u32(at + 4);
  if (columns > UINT16_MAX || rows > UINT16_MAX) fault("a size that means nothing");
  struct winsize wanted = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  ioctl(child->streams[0].fd, TIOCSWINSZ, &wanted);
}

static size_t longest(uint32_t type) {
  return type == START ? LONGEST_START : type == INPUT ? INPUT_ROOM : type == RESIZE ? 8 : 0;
}

static void resize_in(size_t wanted) {
  unsigned char *grown = realloc(in, wanted);
  if (grown == NULL) fault("no memory");
  in = grown;
  in_room = wanted;
}

/* Every whole request that is there. False: some wait for room to answer. */
static bool handle_requests(void) {
  size_t at = 0;
  bool all = true;
  while (in_length - at >= HEADER) {
    uint32_t size = get_u32(in + at), type = get_u32(in + at + 4), id = get_u32(in + at + 8);
    if (type < START || type > ASK_MODES) fault("a request nobody knows");
    if (size > longest(type) || (type == RESIZE && size != 8)) fault("a request of a wrong size");
    if (in_length - at - HEADER < size) {
      if (HEADER + size > in_room) resize_in(HEADER + size);
      break;
    }
    if (!has_room()) flush_out();
    if (!has_room()) {
      all = false;
      break;
    }
    if (type == START) receive_start(id, in + at + HEADER, size);
    else receive_for_child(type, id, in + at + HEADER, size);
    at += HEADER + size;
  }
  in_length -= at;
  memmove(in, in + at, in_length);
  if (in_room > IN_ROOM && in_length == 0) resize_in(IN_ROOM);
  return all;
}

/* Node is gone when nothing can come any more. */
static void read_requests(void) {
  if (in_length == in_room) return;
  ssize_t count = read(0, in + in_length, in_room - in_length);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) end(0);
  in_length += (size_t)count;
}

/* ── the loop ────────────────────────────────────────────────────────────────────────────────── */

static void handle_event(const struct epoll_event *event) {
  if (event->data.u64 == REQUESTS) {
    read_requests();
    return;
  }
  if (event->data.u64 == SIGNALS) {
    reap();
    return;
  }
  size_t slot = (size_t)(event->data.u64 >> 1);
  int which = (int)(event->data.u64 & 1);
  struct child *child = children[slot];
  if (child == NULL || child->over || child->streams[which].fd < 0) return;
  if ((event->events & EPOLLOUT) && child->input_length > 0) type_input(slot);
  if (event->events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_stream(slot, which);
}

/* Nothing is read from a child while Node does not take what was read before. */
static void wait_for_node(void) {
  struct pollfd both[2] = {{.fd = 1, .events = POLLOUT}, {.fd = children_signal, .events = POLLIN}};
  poll(both, 2, -1);
  if (both[1].revents != 0) reap();
  flush_out();
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* How long what is in `out` may still wait; 0: not at all. */
static int hold_ms(void) {
  static int64_t since;
  if (out_length == 0 || out_is_due) {
    since = 0;
    return 0;
  }
  int64_t now = now_ms();
  if (since == 0) since = now;
  int64_t left = since + HOLD_START_MS - now;
  if (left <= 0) since = 0;
  return left > 0 ? (int)left : 0;
}

_Noreturn static void serve(void) {
  struct epoll_event events[EVENTS];
  bool all_handled = true;
  for (;;) {
    int hold = hold_ms();
    if (hold == 0) flush_out();
    if (hold == 0 && out_length > 0) {
      wait_for_node();
      continue;
    }
    bool waiting = false, leaving = false;
    for (size_t slot = 0; slot < children_top; slot++) {
      if (children[slot] == NULL) continue;
      waiting = waiting || children[slot]->input_length > 0;
      leaving = leaving || (children[slot]->gone && !children[slot]->told);
    }
    int patience = leaving || !all_handled ? 0 : hold > 0 ? hold : waiting ? RETRY_INPUT_MS : -1;
    int count = epoll_wait(poller, events, EVENTS, patience);
    if (count < 0 && errno != EINTR) fault("epoll_wait");
    for (int i = 0; i < count; i++) {
      if (!has_room()) flush_out();
      if (!has_room()) break;
      handle_event(&events[i]);
    }
    all_handled = handle_requests();
    for (size_t slot = 0; slot < children_top; slot++) {
      struct child *child = children[slot];
      if (child == NULL) continue;
      if (!has_room()) flush_out();
      if (!has_room()) break;
      /* A terminal does not always tell that it takes more. */
      if (count == 0 && child->input_length > 0) type_input(slot);
      if (child->gone && !child->over) settle(slot);
      if (child->over) forget(slot);
    }
  }
}

static void add(int fd, uint64_t name) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = name};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0) fault("epoll_ctl");
}

int main(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0) return 2;
  self = getpid();
  signal(SIGPIPE, SIG_IGN);
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_SETMASK, &ended, NULL);
  signal(SIGCHLD, SIG_DFL);
  poller = epoll_create1(EPOLL_CLOEXEC);
  children_signal = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (poller < 0 || children_signal < 0 || nothing < 0) return 2;
  for (int fd = 0; fd < 2; fd++)
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0) return 2;
  add(0, REQUESTS);
  add(children_signal, SIGNALS);
  resize_in(IN_ROOM);
  put_u32(put_frame(READY, 0, 4), VERSION);
  serve();
}
