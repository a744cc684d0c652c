// test/soak/survival.ts
import { readdirSync, readFileSync as readFileSync3 } from "node:fs";
import { join as join4 } from "node:path";

// test/fakes/host-process.ts
import { execFile, spawn as spawn2 } from "node:child_process";
import { openSync as openSync2 } from "node:fs";
import { join as join3 } from "node:path";

// test/fakes/live-host.ts
import { writeFileSync as writeFileSync4 } from "node:fs";
import { join as join2 } from "node:path";

// src/base/approver-key.ts
import { createPrivateKey, createPublicKey, randomBytes, scryptSync, sign, verify } from "node:crypto";
var COST = 2 ** 16;
var SEED_BYTES = 32;
var PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
function makeApproverRecord(passphrase) {
  const salt = randomBytes(16).toString("hex");
  const publicKey = createPublicKey(privateKey(passphrase, salt, COST));
  return {
    v: 1,
    salt,
    cost: COST,
    public_key: publicKey.export({ type: "spki", format: "der" }).toString("hex")
  };
}
function signAsApprover(passphrase, record5, message) {
  return sign(null, Buffer.from(message), privateKey(passphrase, record5.salt, record5.cost)).toString("hex");
}
var admissionMessage = (nonce, binding) => `interactive-terminal approver ${nonce} ${binding}`;
function privateKey(passphrase, salt, cost) {
  const seed = scryptSync(passphrase.normalize("NFKC"), Buffer.from(salt, "hex"), SEED_BYTES, {
    N: cost,
    r: 8,
    p: 1,
    maxmem: 256 * 1024 * 1024
  });
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
}

// src/base/clock.ts
var LONGEST_TIMER_MS = 2 ** 31 - 1;
var systemClock = {
  now: () => Date.now(),
  // Not performance.now(): the first touch of `performance` loads a good deal of Node.
  elapsed() {
    const [seconds, nanos] = process.hrtime();
    return seconds * 1e3 + nanos / 1e6;
  },
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  }
};

// src/base/ids.ts
import { randomFillSync } from "node:crypto";
var ID_BYTES = 16;
function randomIds() {
  const pool = Buffer.allocUnsafe(ID_BYTES * 64);
  let used = pool.length;
  return {
    make(prefix) {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      used += ID_BYTES;
      return `${prefix}_${pool.toString("hex", used - ID_BYTES, used)}`;
    }
  };
}

// src/base/key-file.ts
import { randomBytes as randomBytes2 } from "node:crypto";
import { linkSync, readFileSync, rmSync as rmSync2, statSync, writeFileSync as writeFileSync2 } from "node:fs";
import { dirname } from "node:path";

// src/base/atomic-file.ts
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
function privateDirectory(path) {
  mkdirSync(path, { recursive: true, mode: 448 });
  chmodSync(path, 448);
}

// src/base/key-file.ts
var KEY_BYTES = 32;
function ensureKeyFile(path) {
  if (statSync(path, { throwIfNoEntry: false }) === void 0) {
    privateDirectory(dirname(path));
    const beside = `${path}.${process.pid}.${randomBytes2(4).toString("hex")}`;
    writeFileSync2(beside, `${randomBytes2(KEY_BYTES).toString("hex")}
`, { flag: "wx", mode: 384 });
    try {
      linkSync(beside, path);
    } catch (cause) {
      if (cause.code !== "EEXIST") throw cause;
    } finally {
      rmSync2(beside, { force: true });
    }
  }
  return readKeyFile(path);
}
function readKeyFile(path) {
  const { mode, uid } = statSync(path);
  if (process.platform !== "win32") {
    if ((mode & 63) !== 0) throw new Error(`${path} can be read by other users. Remove it, or chmod it to 600.`);
    if (process.getuid && uid !== process.getuid()) throw new Error(`${path} belongs to another user.`);
  }
  const text = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${path} does not hold a key. Remove it, and a new one is made.`);
  return Buffer.from(text, "hex");
}

// src/base/psk-socket.ts
import { constants } from "node:crypto";
import { connect, createServer } from "node:tls";

// src/base/disposable.ts
var Disposables = class {
  #owned = [];
  #over = false;
  add(thing) {
    if (this.#over) thing.dispose();
    else this.#owned.push(thing);
    return thing;
  }
  defer(end) {
    this.add({ dispose: end });
  }
  dispose() {
    if (this.#over) return;
    this.#over = true;
    for (const thing of this.#owned.reverse()) thing.dispose();
    this.#owned = [];
  }
};
function onAbort(signal, then) {
  if (signal.aborted) {
    then();
    return { dispose() {
    } };
  }
  signal.addEventListener("abort", then, { once: true });
  return { dispose: () => signal.removeEventListener("abort", then) };
}

// src/base/ndjson.ts
import { isUtf8 } from "node:buffer";
var NEWLINE = 10;
var BRACE = 123;
var NdjsonReader = class {
  #longest;
  #waiting = [];
  #length = 0;
  #fault = null;
  constructor(longestFrame) {
    this.#longest = longestFrame;
  }
  /** The frames that are complete now, and what is wrong with the stream, if something is. */
  push(chunk) {
    const frames = [];
    let start = 0;
    while (this.#fault === null && start < chunk.length) {
      if (this.#length === 0 && chunk[start] !== BRACE && chunk[start] !== NEWLINE) this.#fault = "not_our_protocol";
      const end = chunk.indexOf(NEWLINE, start);
      const part2 = chunk.subarray(start, end < 0 ? void 0 : end);
      if (this.#length + part2.length > this.#longest) this.#fault = "frame_too_long";
      if (this.#fault !== null) break;
      start += part2.length + 1;
      this.#length += part2.length;
      if (end < 0) this.#waiting.push(Buffer.from(part2));
      else this.#take(part2, frames);
    }
    if (this.#fault !== null) this.#waiting = [];
    return { frames, fault: this.#fault };
  }
  #take(last, frames) {
    const line = this.#waiting.length === 0 ? last : Buffer.concat([...this.#waiting, last], this.#length);
    this.#waiting = [];
    this.#length = 0;
    if (line.length === 0) return;
    if (!isUtf8(line)) {
      this.#fault = "not_utf8";
      return;
    }
    try {
      frames.push(JSON.parse(line.toString("utf8")));
    } catch {
      this.#fault = "not_json";
    }
  }
};
var asLine = (frame) => `${JSON.stringify(frame)}
`;

// src/base/tls-link.ts
var LINK_LIMITS = {
  longestFrame: 4 * 1024 * 1024,
  burst: 500,
  framesPerSecond: 200,
  backlog: 32 * 1024 * 1024
};
var LINGER_MS = 2e3;
var TlsLink = class {
  identity;
  binding;
  #socket;
  #limits;
  #clock;
  #reader;
  #closers = [];
  #early = [];
  #listener = null;
  #closed = null;
  #allowance;
  #countedAt;
  constructor(socket, options2) {
    this.identity = options2.identity;
    this.binding = socket.exportKeyingMaterial(32, "EXPORTER-interactive-terminal", Buffer.alloc(0)).toString("hex");
    this.#socket = socket;
    this.#limits = options2.limits;
    this.#clock = options2.clock;
    this.#reader = new NdjsonReader(options2.limits.longestFrame);
    this.#allowance = options2.limits.burst;
    this.#countedAt = options2.clock.elapsed();
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.once("error", (cause) => this.#end(`the connection broke: ${cause.message}`));
    socket.once("close", () => this.#end("the other end closed the connection"));
  }
  get open() {
    return this.#closed === null;
  }
  send(frame) {
    if (!this.open) return false;
    const line = asLine(frame);
    if (Buffer.byteLength(line) > this.#limits.longestFrame) throw new RangeError("the frame is too long to be sent");
    this.#socket.write(line);
    if (this.#socket.writableLength > this.#limits.backlog) {
      this.#socket.destroy();
      this.#end("the other end does not read");
      return false;
    }
    return true;
  }
  onFrame(listener) {
    this.#listener = listener;
    const early = this.#early;
    this.#early = [];
    for (const frame of early) listener(frame);
  }
  onClose(listener) {
    if (this.#closed !== null) listener(this.#closed);
    else this.#closers.push(listener);
  }
  close(reason) {
    if (!this.open) return;
    this.#socket.end();
    this.#clock.after(LINGER_MS, () => this.#socket.destroy());
    this.#end(reason);
  }
  #receive(chunk) {
    if (!this.open) return;
    const { frames, fault } = this.#reader.push(chunk);
    for (const frame of frames) {
      if (!this.#affordable()) this.#cut("too many frames");
      else if (this.#listener) this.#listener(frame);
      else if (this.#early.length < this.#limits.burst) this.#early.push(frame);
      if (!this.open) return;
    }
    if (fault !== null) this.#cut(fault);
  }
  #affordable() {
    const now = this.#clock.elapsed();
    const earned = (now - this.#countedAt) / 1e3 * this.#limits.framesPerSecond;
    this.#allowance = Math.min(this.#limits.burst, this.#allowance + earned) - 1;
    this.#countedAt = now;
    return this.#allowance >= 0;
  }
  #cut(reason) {
    this.#socket.destroy();
    this.#end(reason);
  }
  #end(reason) {
    if (this.#closed !== null) return;
    this.#closed = reason;
    for (const listener of this.#closers) listener(reason);
  }
};

// src/base/psk-socket.ts
var TLS = {
  // The one suite whose hash fits a key without a named hash of its own.
  ciphers: "TLS_AES_128_GCM_SHA256",
  minVersion: "TLSv1.3",
  maxVersion: "TLSv1.3",
  // With tickets a client whose key was revoked could come back without the key.
  secureOptions: constants.SSL_OP_NO_TICKET
};
var LISTENER_LIMITS = { ...LINK_LIMITS, handshakeMs: 3e3, strangers: 64, linksPerIdentity: 64 };
var DialError = class extends Error {
  name = "DialError";
  problem;
  constructor(problem, message, cause) {
    super(message, { cause });
    this.problem = problem;
  }
};
function dialPsk(options2) {
  const at = `${options2.host}:${options2.port}`;
  return new Promise((resolve3, reject) => {
    const life = new Disposables();
    let connected = false;
    const socket = connect({
      ...TLS,
      host: options2.host,
      port: options2.port,
      pskCallback: () => ({ identity: options2.identity, psk: options2.key }),
      // Asked only when the other end shows a certificate instead of the key.
      checkServerIdentity: () => new Error("the other end does not hold the key")
    });
    const fail = (error) => {
      life.dispose();
      socket.destroy();
      reject(error);
    };
    life.add(
      options2.clock.after(
        options2.timeoutMs,
        () => fail(new DialError("timeout", `${at} did not answer within ${options2.timeoutMs} ms.`))
      )
    );
    life.add(onAbort(options2.signal, () => fail(new DialError("aborted", `The call to ${at} was given up.`))));
    socket.once("connect", () => {
      connected = true;
    });
    socket.on("error", (cause) => {
      if (cause.code === "ECONNREFUSED") fail(new DialError("refused", `Nothing listens on ${at}.`, cause));
      else if (connected) fail(new DialError("wrong_key", `${at} does not hold the same key.`, cause));
      else fail(new DialError("unreachable", `${at} cannot be reached: ${cause.message}`, cause));
    });
    socket.once("close", () => fail(new DialError("wrong_key", `${at} closed the connection.`)));
    socket.once("secureConnect", () => {
      if (!socket.isSessionReused()) return fail(new DialError("wrong_key", `${at} does not hold the key.`));
      life.dispose();
      socket.removeAllListeners("error");
      socket.removeAllListeners("close");
      const limits = { ...LINK_LIMITS, ...options2.limits };
      resolve3(new TlsLink(socket, { identity: options2.identity, limits, clock: options2.clock }));
    });
  });
}

// src/base/log-budget.ts
var MOST_KEPT_FREE = 256 * 1024 * 1024;

// src/contract/pty-frames.ts
import * as z2 from "zod";

// src/contract/field.ts
import * as z from "zod";
var COMMAND_LIMIT_BYTES = 64 * 1024;
var ARGS_LIMIT = 4096;
var DAY_MS = 864e5;
var cleanText = (limitBytes) => z.string("must be a string").refine((text) => !text.includes("\0"), "must not contain a NUL byte").refine((text) => !/\p{Surrogate}/u.test(text), "must not contain half of a surrogate pair").refine((text) => text.length <= limitBytes && utf8Length(text) <= limitBytes, `must be at most ${limitBytes} bytes`);
function utf8Length(text) {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes += unit < 128 ? 1 : unit < 2048 || unit >= 55296 && unit <= 57343 ? 2 : 3;
  }
  return bytes;
}
var ID = /^[A-Za-z0-9_.:-]{1,128}$/;
var Id = z.string("must be a string").regex(ID, "must be 1 to 128 letters, digits or any of _ . : -");
var WorkspaceId = z.string("must be a string").regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/, "must be 1 to 128 letters, digits or any of . _ - and not a dot path");
var Command = cleanText(COMMAND_LIMIT_BYTES).refine((text) => text.trim() !== "", "must not be empty");
var Args = z.array(cleanText(COMMAND_LIMIT_BYTES), "must be an array of strings").max(ARGS_LIMIT, `must be at most ${ARGS_LIMIT} strings`).refine(
  (args) => args.length > ARGS_LIMIT || args.reduce((sum, arg) => sum + utf8Length(arg), 0) <= COMMAND_LIMIT_BYTES,
  `must be at most ${COMMAND_LIMIT_BYTES} bytes together`
);
var Path = cleanText(4096).refine((text) => text !== "", "must not be empty");
var Env = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "must be a plain variable name: letters, digits and _"),
  cleanText(32 * 1024),
  "must be an object of strings"
).refine((env) => Object.keys(env).length <= 256, "must have at most 256 names");
var Millis = z.int("must be a whole number of milliseconds").min(0, "must not be negative").max(DAY_MS, `must be at most ${DAY_MS} (a day)`);
var Context = cleanText(4096);
var Text = cleanText(4096);

// src/contract/pty-frames.ts
var about = { pty_id: Id };
var Bytes = z2.int().min(0);
var Size = z2.int().min(1).max(1e4);
var Base64 = z2.string().max(512 * 1024);
var Carried = z2.object({ cwd: z2.string(), env: z2.record(z2.string(), z2.string()) });
var Exit = z2.object({
  exit_code: z2.int().nullable(),
  signal: z2.string().nullable(),
  drained: z2.boolean(),
  carried: Carried.nullable(),
  at: z2.number()
});
var PtyHello = z2.object({
  type: z2.literal("hello"),
  protocol_version: z2.int(),
  host_id: Id,
  host_pid: z2.int()
});
var Create = z2.object({
  type: z2.literal("create"),
  ...about,
  requester: z2.string(),
  run_id: Id,
  terminal_id: Id,
  executable: z2.string(),
  args: z2.array(z2.string()),
  cwd: z2.string(),
  env: z2.record(z2.string(), z2.string()),
  /** Entries of `env` by which everything the command starts is found again. */
  marks: z2.object({ run: z2.string(), server: z2.string() }),
  cols: Size,
  rows: Size,
  log: z2.object({ directory: z2.string(), quota_bytes: Bytes }),
  carry: z2.boolean()
});
var Input = z2.object({ type: z2.literal("input"), ...about, data: Base64 });
var Resize = z2.object({ type: z2.literal("resize"), ...about, cols: Size, rows: Size });
var KillPty = z2.object({ type: z2.literal("kill"), ...about, grace_ms: Bytes });
var Follow = z2.object({ type: z2.literal("follow"), ...about });
var Unfollow = z2.object({ type: z2.literal("unfollow"), ...about });
var Acknowledge = z2.object({ type: z2.literal("acknowledge"), ...about, up_to: Bytes });
var Forget = z2.object({ type: z2.literal("forget"), ...about });
var End = z2.object({ type: z2.literal("end"), grace_ms: Bytes });
var PtyHeartbeat = z2.object({ type: z2.literal("heartbeat") });
var ToPtyHost = z2.discriminatedUnion("type", [
  PtyHello,
  Create,
  Input,
  Resize,
  KillPty,
  Follow,
  Unfollow,
  Acknowledge,
  Forget,
  End,
  PtyHeartbeat
]);
var KnownPty = z2.object({
  type: z2.literal("pty"),
  ...about,
  requester: z2.string(),
  run_id: Id,
  terminal_id: Id,
  pid: z2.int(),
  start: z2.string().nullable(),
  started_at: z2.number(),
  size: Bytes,
  lost: Bytes,
  ended: Exit.nullable()
});
var PtyHelloAck = z2.object({
  type: z2.literal("hello_ack"),
  protocol_version: z2.int(),
  instance_id: Id,
  pid: z2.int(),
  start: z2.string().nullable(),
  version: z2.string()
});
var Refused = z2.object({ type: z2.literal("refused"), reason: z2.string() });
var Created = z2.object({ type: z2.literal("created"), ...about, pid: z2.int(), start: z2.string().nullable() });
var NotCreated = z2.object({ type: z2.literal("not_created"), ...about, problem: z2.string() });
var Grown = z2.object({
  type: z2.literal("grown"),
  ptys: z2.array(z2.object({ ...about, size: Bytes, lost: Bytes }))
});
var PtyOutput = z2.object({ type: z2.literal("output"), ...about, at: Bytes, data: Base64 });
var Ended = z2.object({ type: z2.literal("ended"), ...about, size: Bytes, lost: Bytes, exit: Exit });
var KilledPty = z2.object({ type: z2.literal("killed"), ...about, survivors: z2.array(z2.int()) });
var FromPtyHost = z2.discriminatedUnion("type", [
  KnownPty,
  PtyHelloAck,
  Refused,
  Created,
  NotCreated,
  Grown,
  PtyOutput,
  Ended,
  KilledPty,
  PtyHeartbeat
]);
var PtyHostOrders = z2.object({
  instance_id: Id,
  key: z2.string().regex(/^[0-9a-f]{64}$/),
  port: z2.int(),
  /** Where it says that it is there: PtyHostFile. */
  file: z2.string(),
  heartbeat_ms: z2.int(),
  orphan_grace_ms: z2.int(),
  kill_grace_ms: z2.int(),
  /** What the logs of all that runs may take together. */
  total_bytes: Bytes
});
var PtyHostFile = z2.object({
  instance_id: Id,
  pid: z2.int(),
  start: z2.string().nullable(),
  port: z2.int(),
  version: z2.string()
});

// src/host/pty-remote.ts
var INPUT_BYTES = 32 * 1024;
var ACKNOWLEDGE_BYTES = 32 * 1024;

// src/host/pty-host-launcher.ts
var LONGEST_LOG = 1024 * 1024;

// src/pty-host/carry-pipes.ts
var LONGEST_REPORT = 512 * 1024;

// src/base/output-log.ts
var SEGMENT_BYTES = 8 * 1024 * 1024;
var BUDGETED_SEGMENT_BYTES = 2 * 1024 * 1024;

// src/pty-host/flood-gate.ts
var HIGH_WATER = 256 * 1024;
var LOW_WATER = 64 * 1024;

// src/pty-host/lossless-pty.ts
import { spawn } from "@lydell/node-pty";

// src/bin/pty-host-owner.ts
var MB = 1024 * 1024;

// src/contract/errors.ts
var ERRORS = {
  PM_TERM_INVALID_ACTION: {
    category: "validation",
    trigger: "unknown action or alias",
    retriable: false,
    strategy: "reject_no_retry",
    next_action: "none",
    recommended_mode: null,
    user_message: "The agent used an action this tool does not have. Nothing ran."
  },
  PM_TERM_INVALID_PAYLOAD: {
    category: "validation",
    trigger: "a field is missing, wrong or not allowed here",
    retriable: false,
    strategy: "reject_no_retry",
    next_action: "none",
    recommended_mode: null,
    user_message: "The agent sent a request this tool cannot take. Nothing ran."
  },
  PM_TERM_INVALID_MODE: {
    category: "validation",
    trigger: "unsupported invocation.mode, or an adapter without its inputs",
    retriable: false,
    strategy: "reject_no_retry",
    next_action: "none",
    recommended_mode: null,
    user_message: "The agent asked for a mode that is not available here. Nothing ran."
  },
  PM_TERM_APPROVAL_REQUIRED: {
    category: "authorization",
    trigger: "no rule covers the command and the headless lane cannot ask anybody",
    retriable: false,
    strategy: "retry_interactive_for_approval",
    next_action: "execute",
    recommended_mode: "interactive",
    user_message: "No rule allows this command without asking. Run it through memory_terminal_interactive so that a person can decide, or add a rule."
  },
  PM_TERM_BLOCKED_DESTRUCTIVE: {
    category: "authorization",
    trigger: "the command is destructive",
    retriable: false,
    strategy: "reject_with_safety_hint",
    next_action: "none",
    recommended_mode: null,
    user_message: "This command destroys data and was refused. If you really want it, type it yourself."
  },
  PM_TERM_DECLINED: {
    category: "user_decision",
    trigger: "a person declined the command",
    retriable: false,
    strategy: "report_decline",
    next_action: "none",
    recommended_mode: null,
    user_message: "You declined this command. It did not run."
  },
  PM_TERM_TIMEOUT: {
    category: "runtime_timeout",
    trigger: "details.phase: handshake, approval (really shown, unanswered) or execution (kill_after_ms ended it)",
    retriable: true,
    strategy: "suggest_retry_headless_or_interactive",
    next_action: "execute",
    recommended_mode: "headless",
    user_message: "Time ran out. You can try again, with more time or in the other mode."
  },
  PM_TERM_DISCONNECTED: {
    category: "transport",
    trigger: "the connection to the host dropped",
    retriable: true,
    strategy: "suggest_reconnect_retry",
    next_action: "read_output",
    recommended_mode: "interactive",
    user_message: "The connection dropped. The command may still run: read its output before starting it again."
  },
  PM_TERM_GUI_UNAVAILABLE: {
    category: "runtime_unavailable",
    trigger: "no window could be reached or opened, so nobody could be asked",
    retriable: true,
    strategy: "fallback_to_headless_if_allowed",
    next_action: "execute",
    recommended_mode: "headless",
    user_message: "No window could be reached, so nothing ran. Start the app and try again, or run an allowlisted command with memory_terminal."
  },
  PM_TERM_NOT_FOUND: {
    category: "identity",
    trigger: "unknown session or terminal id",
    retriable: false,
    strategy: "refresh_list_then_retry",
    next_action: "list",
    recommended_mode: null,
    user_message: "There is no such run. List the runs and use an id from there."
  },
  PM_TERM_INTERNAL: {
    category: "internal",
    trigger: "a fault of ours; the trace id finds the log line",
    retriable: true,
    strategy: "deterministic_internal_fallback",
    next_action: "none",
    recommended_mode: null,
    user_message: "Something broke on our side. The trace id finds the reason in the log."
  }
};

// src/config/env.ts
import * as z3 from "zod";

// src/contract/aliases.ts
var CANONICAL_ACTIONS = ["execute", "read_output", "terminate", "list"];
var ALIASES = {
  run: {
    action: "execute",
    invocation: { mode: "headless", intent: "execute_command" },
    hint: 'action "execute" with invocation.mode and invocation.intent "execute_command"; command fields move under execution'
  },
  kill: { action: "terminate", needs: "session_id", hint: 'action "terminate" with target.session_id' },
  send: {
    action: "execute",
    invocation: { mode: "interactive", intent: "execute_command" },
    needs: "terminal_id",
    hint: 'action "execute" with invocation.mode "interactive" and target.terminal_id'
  },
  close: { action: "terminate", needs: "terminal_id", hint: 'action "terminate" with target.terminal_id' },
  create: {
    action: "execute",
    invocation: { mode: "interactive", intent: "open_only" },
    hint: 'action "execute" with invocation.mode "interactive" and invocation.intent "open_only"'
  }
};
var ALIAS_NAMES = Object.keys(ALIASES);
var ALIAS_PHASES = ["accept", "warn", "strict"];

// src/config/env.ts
var YES = ["1", "true", "yes", "on"];
var NO = ["0", "false", "no", "off", ""];
var flag = () => z3.preprocess((value) => {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  return YES.includes(String(word)) ? true : NO.includes(String(word)) ? false : value;
}, z3.boolean("must be 1/true/yes/on or 0/false/no/off"));
var whole = (lowest, highest) => z3.preprocess(
  // Digits only: an empty variable is a mistake, not a zero.
  (value) => typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value,
  z3.int(`must be a whole number from ${lowest} to ${highest}`).min(lowest, `must be at least ${lowest}`).max(highest, `must be at most ${highest}`)
);
var ENV = {
  PM_TERM_HOME: {
    schema: () => z3.string(),
    default: "",
    notInFile: true,
    sentence: "One directory for settings, rules and state, instead of the usual ones of your system."
  },
  PM_TERM_DATA_DIR: {
    schema: () => z3.string(),
    default: "",
    sentence: "Where the rules of your workspaces are. In a container: a read-only mount of the host\u2019s."
  },
  PM_TERM_AUTO_APPROVE: {
    schema: () => z3.enum(["allowlist", "never"]),
    default: "allowlist",
    sentence: "Whether commands that a rule covers run without asking. never: nothing does, defaults included."
  },
  PM_TERM_ALIAS_PHASE: {
    schema: () => z3.enum(ALIAS_PHASES),
    default: "accept",
    sentence: "Legacy actions (run, kill, send, close, create): accept them, accept with a warning, or reject them."
  },
  PM_TERM_ANSWER_WITHIN_MS: {
    schema: () => whole(1e3, 36e5),
    default: 45e3,
    sentence: "A call without a progress token answers by then, with a handle if the command still runs: clients give up at 60 s."
  },
  PM_TERM_KILL_GRACE_MS: {
    schema: () => whole(0, 6e4),
    default: 1500,
    sentence: "How long a command told to end may take before it is forced."
  },
  PM_TERM_OUTPUT_QUOTA_MB: {
    schema: () => whole(1, 1048576),
    default: 256,
    sentence: "Output kept of one command. Beyond it the head and the tail stay and the gap is counted."
  },
  PM_TERM_OUTPUT_TOTAL_MB: {
    schema: () => whole(1, 1048576),
    default: 2048,
    sentence: "Output kept of all finished commands together, the oldest go first; and of all that run in terminals, where the largest loses its middle."
  },
  PM_TERM_RETENTION_DAYS: {
    schema: () => whole(1, 3650),
    default: 7,
    sentence: "How long finished commands stay readable."
  },
  PM_TERM_HTTP_PORT: {
    schema: () => whole(0, 65535),
    default: 3e3,
    sentence: "Port of MCP over HTTP on 127.0.0.1. 0 takes any free one."
  },
  PM_TERM_LOG_LEVEL: {
    schema: () => z3.enum(["debug", "info", "warn", "error", "silent"]),
    default: "info",
    sentence: "How much is logged to stderr."
  },
  PM_TERM_ADAPTER_MODE: {
    schema: () => z3.enum(["auto", "local", "bundled", "container_bridge"]),
    default: "auto",
    sentence: "How the interactive lane reaches the host. auto: local, or the bridge when in a container."
  },
  PM_RUNNING_IN_CONTAINER: {
    schema: flag,
    default: false,
    sentence: "This server runs in a container, so the window is on the other side of the bridge."
  },
  PM_TERM_PORT: {
    schema: () => whole(0, 65535),
    default: 9100,
    aliases: ["TERMINAL_PORT"],
    strongest: "TERMINAL_PORT",
    sentence: "Port on 127.0.0.1 where the host listens for MCP servers. 0 takes any free one."
  },
  PM_TERM_APPROVER_PORT: {
    schema: () => whole(0, 65535),
    default: 9101,
    sentence: "Port on 127.0.0.1 where those who may answer reach the host. 0 takes any free one."
  },
  PM_TERM_PTY_HOST: {
    schema: () => z3.enum(["own_process", "in_process"]),
    default: "own_process",
    sentence: "Who owns the terminals: a process that outlives the host, or the host itself, with which they end."
  },
  PM_TERM_PTY_HOST_PORT: {
    schema: () => whole(0, 65535),
    default: 9102,
    sentence: "Port on 127.0.0.1 where the host reaches the process that owns the terminals. 0 takes any free one."
  },
  PM_TERM_ORPHAN_GRACE_MS: {
    schema: () => whole(0, 864e5),
    default: 6e5,
    sentence: "How long commands live on, and are remembered, after the host died and none has come back."
  },
  PM_TERM_HEARTBEAT_INTERVAL: {
    schema: () => whole(1, 300),
    default: 5,
    sentence: "Seconds between signs of life on a silent connection; three missed ones end it."
  },
  PM_TERM_IDLE_TIMEOUT: {
    schema: () => whole(0, 86400),
    default: 300,
    sentence: "Seconds without run, question, client or approver after which a launched host ends. 0: never."
  },
  PM_TERM_APPROVAL_TIMEOUT_MS: {
    schema: () => whole(1e3, 864e5),
    default: 3e5,
    sentence: "How long a person may take to answer, unless a request says otherwise."
  },
  PM_TERM_APPROVER_WAIT_MS: {
    schema: () => whole(0, 6e5),
    default: 15e3,
    sentence: "How long a question waits for somebody who can be asked, before it fails."
  },
  PM_TERM_GRAVE: {
    schema: () => z3.enum(["confirm", "block"]),
    default: "confirm",
    sentence: "Commands that are hard to undo: confirm asks with a deliberate gesture, block refuses them."
  },
  PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS: {
    schema: () => whole(100, 6e5),
    default: 3e4,
    sentence: "How long the host may take to acknowledge a frame. A person, and a command, may take longer."
  },
  PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS: {
    schema: () => whole(100, 6e4),
    default: 3e3,
    aliases: ["PM_HOST_BRIDGE_CONNECT_TIMEOUT"],
    sentence: "How long connecting to the host may take, the handshake included."
  },
  PM_INTERACTIVE_TERMINAL_SPAWN_TIMEOUT_MS: {
    schema: () => whole(500, 3e4),
    default: 8e3,
    sentence: "How long a host that was started may take until it is ready."
  },
  PM_INTERACTIVE_TERMINAL_BINARY: {
    schema: () => z3.string(),
    default: "",
    sentence: "Absolute path of the program to start when no host runs. Default: this one."
  },
  PM_INTERACTIVE_TERMINAL_HOST_ALIAS: {
    schema: () => z3.string(),
    default: "host.containers.internal",
    aliases: ["PM_CONTAINER_TO_HOST_BRIDGE_HOST"],
    sentence: "Name under which a container reaches the host."
  },
  PM_INTERACTIVE_TERMINAL_HOST_PORT: {
    schema: () => whole(1, 65535),
    default: 45459,
    sentence: "Port of the bridge on the host."
  }
};
var SETTING_NAMES = Object.keys(ENV);

// src/config/paths.ts
import envPaths from "env-paths";

// src/contract/approver-frames.ts
import * as z8 from "zod";

// src/contract/response.ts
import * as z7 from "zod";

// src/contract/headless-request.ts
import * as z6 from "zod";

// src/contract/output-options.ts
import * as z4 from "zod";
var DEFAULT_OUTPUT_BYTES = 32 * 1024;
var MOST_OUTPUT_BYTES = 512 * 1024;
var SearchText = Text.refine((text) => text !== "", "must not be empty");
var outputFields = {
  cursor: z4.int("must be a whole number").min(0, "must not be negative").optional().describe("Byte offset to read on from: the cursor of the last answer returns only what is new."),
  wait_for: z4.enum(["output", "exit", "text", "silence"]).optional().describe(
    "Wait until new output, the end, one of `text`, or `silence_ms` without output. run waits for exit unless told."
  ),
  wait_ms: Millis.optional().describe("read_output: longest wait in milliseconds. 0 (default): answer at once."),
  text: z4.union([SearchText, z4.array(SearchText).min(1).max(16)]).optional().describe("Plain text to wait for (any of a list)."),
  silence_ms: Millis.optional().describe("What counts as silence, default 1000."),
  search: SearchText.optional().describe("Return only the lines that contain this plain text, with their offsets."),
  view: z4.enum(["head", "tail", "both"]).optional().describe("Without cursor: which end of a long output to show. Default both."),
  max_bytes: z4.int("must be a whole number").min(256, "must be at least 256").max(MOST_OUTPUT_BYTES, `must be at most ${MOST_OUTPUT_BYTES}`).optional().describe(`Budget for returned output. Default ${DEFAULT_OUTPUT_BYTES}.`)
};
var runOutputFields = {
  wait_for: outputFields.wait_for,
  text: outputFields.text,
  silence_ms: outputFields.silence_ms,
  view: outputFields.view,
  max_bytes: outputFields.max_bytes
};
var OutputOptions = z4.strictObject(outputFields);

// src/contract/request.ts
import * as z5 from "zod";
var DEFAULT_TIMEOUT_MS = 3e4;
var group = (shape) => z5.strictObject(shape);
var MODES = ["interactive", "headless"];
var Correlation = group({
  request_id: Id.optional().describe("Yours to choose; the same id with the same payload never runs twice."),
  trace_id: Id.optional(),
  client_request_id: Id.optional()
});
var Target = group({ session_id: Id.optional(), terminal_id: Id.optional() });
var Runtime = group({
  workspace_id: WorkspaceId.optional(),
  cwd: Path.optional().describe(
    "An existing directory. Default: where the terminal stands, at first where the server was started."
  ),
  timeout_ms: Millis.default(DEFAULT_TIMEOUT_MS).describe(
    "How long this call waits for the command. The command lives on after it; read_output tells the rest."
  ),
  approval_timeout_ms: Millis.optional().describe("How long a person may take to decide."),
  kill_after_ms: Millis.min(1, "must be at least 1").optional().describe("Kill the command after this long."),
  adapter_override: z5.enum(["local", "bundled", "container_bridge", "auto"]).optional(),
  binary_path: Path.optional(),
  venv_path: Path.optional(),
  activate_venv: z5.boolean("must be true or false").optional(),
  terminal_profile: z5.enum(["powershell", "pwsh", "cmd", "bash", "zsh", "fish", "sh", "system"]).optional()
});
var Execution = group({
  command: Command.optional().describe('The whole command line, for example "git log -3".'),
  args: Args.optional().describe("Literal arguments; with them, command is the program alone."),
  env: Env.optional(),
  context: Context.optional().describe("One sentence for the person who decides: why this command.")
});
var RequestShape = group({
  action: z5.enum([...CANONICAL_ACTIONS, ...ALIAS_NAMES]),
  invocation: group({
    mode: z5.enum(MODES).optional().describe("interactive: a person sees it and may decide. headless: rules only."),
    intent: z5.enum(["open_only", "execute_command"]).optional()
  }).optional(),
  correlation: Correlation.optional(),
  runtime: Runtime.optional(),
  execution: Execution.optional(),
  target: Target.optional(),
  output: OutputOptions.optional().describe("What read_output returns, and what it waits for."),
  compat: group({
    legacy_action: z5.string("must be a string").optional(),
    caller_surface: z5.enum(["server", "extension", "dashboard", "chat_button"]).optional()
  }).optional()
});

// src/contract/headless-request.ts
var HEADLESS_ACTIONS = ["run", "read_output", "kill", "list", "get_allowlist", "update_allowlist"];
var commonFields = {
  action: z6.enum(HEADLESS_ACTIONS),
  workspace_id: WorkspaceId.optional(),
  request_id: Id.optional().describe("run: yours to choose; the same id with the same payload never runs twice."),
  trace_id: Id.optional(),
  client_request_id: Id.optional()
};
var runFields = {
  command: Command.optional().describe('run: one simple command, no shell operators, for example "git log -3".'),
  args: Args.optional().describe("run: literal arguments; with them, command is the program alone."),
  cwd: Path.optional().describe("run: an existing directory. Default: where the server was started."),
  env: Env.optional().describe(
    "run: extra variables; only harmless ones (CI, NO_COLOR, LANG \u2026) pass without a person."
  ),
  timeout_ms: Millis.optional().describe(
    `run: how long this call waits, default ${DEFAULT_TIMEOUT_MS}. The command lives on after it; 0 answers at once.`
  ),
  timeout: Millis.optional().describe("Same as timeout_ms."),
  kill_after_ms: Millis.min(1, "must be at least 1").optional().describe("run: kill the command after this long."),
  context: Context.optional()
};
var sessionFields = { session_id: Id.optional().describe("read_output, kill: the session_id that run returned.") };
var allowlistFields = {
  operation: z6.enum(["add", "remove", "set"]).optional().describe("update_allowlist: what to do with patterns."),
  patterns: z6.array(Text).max(256).optional().describe('update_allowlist: for example ["npm run build", "git log *"].')
};
var HeadlessRequest = z6.strictObject({
  ...commonFields,
  ...runFields,
  ...sessionFields,
  ...outputFields,
  ...allowlistFields
});
var BY_ACTION = {
  run: z6.strictObject({ ...commonFields, ...runFields, ...runOutputFields }),
  read_output: z6.strictObject({ ...commonFields, ...sessionFields, ...outputFields }),
  kill: z6.strictObject({ ...commonFields, ...sessionFields }),
  list: z6.strictObject(commonFields),
  get_allowlist: z6.strictObject({ ...commonFields, cwd: runFields.cwd }),
  update_allowlist: z6.strictObject({ ...commonFields, ...allowlistFields })
};

// src/contract/response.ts
var RUN_STATES = [
  "received",
  "awaiting_approval",
  "running",
  "exited",
  "killed",
  "timed_out",
  "lost",
  "blocked",
  "declined",
  "expired",
  "withdrawn",
  "failed"
];
var Lifecycle = z7.object({
  spawn: z7.number(),
  ready: z7.number(),
  request_sent: z7.number(),
  correlation_verified: z7.number(),
  user_decision: z7.number(),
  response_returned: z7.number()
});
var ListItem = z7.object({
  session_id: z7.string(),
  terminal_id: z7.string().nullable(),
  adapter: z7.string().describe("Who owns it: headless_process, host_bridge_local, container_bridge_to_host."),
  owner: z7.string().describe("this_server, another_server or earlier_server."),
  visibility: z7.enum(["visible", "background", "hidden"]),
  state: z7.enum(RUN_STATES),
  running: z7.boolean(),
  command: z7.string(),
  cwd: z7.string(),
  workspace_id: z7.string().nullable(),
  started_at: z7.string().nullable(),
  ended_at: z7.string().nullable(),
  exit_code: z7.int().nullable(),
  output_bytes: z7.int(),
  survivors: z7.array(z7.int()).optional().describe("Processes an interrupted server left running. kill ends them.")
});
var VerdictPart = z7.object({
  text: z7.string(),
  start: z7.int(),
  end: z7.int(),
  covered: z7.boolean(),
  rule: z7.string().nullable(),
  why: z7.string()
});
var Verdict = z7.object({
  verdict: z7.enum(["auto", "approval", "blocked", "destructive"]),
  why: z7.string(),
  rule: z7.string().optional(),
  parts: z7.array(VerdictPart).optional(),
  flags: z7.array(z7.string()).optional(),
  tier: z7.enum(["grave", "catastrophic"]).optional().describe("How bad it could get; grave is always asked.")
});
var Carried2 = z7.object({
  cwd: z7.string().optional().describe("Where the next one runs, unless it says otherwise."),
  env: z7.array(z7.string()).optional().describe("Variables it set or unset, by name."),
  left_out: z7.array(z7.string()).optional().describe("Variables it changed that are never given on."),
  nothing: z7.string().optional().describe("Why nothing is given on.")
});
var Result = z7.object({
  authorization: z7.enum(["allowed", "allowed_with_warning", "blocked"]).optional(),
  approved_by: z7.enum(["person", "allowlist"]).optional(),
  verdict: Verdict.optional().describe("Why the command may or may not run, part by part."),
  warning: z7.string().optional(),
  state: z7.enum(RUN_STATES).optional(),
  running: z7.boolean().optional(),
  stdout: z7.string().optional(),
  stderr: z7.string().optional(),
  order: z7.array(z7.object({ stream: z7.enum(["stdout", "stderr"]), chars: z7.int() })).optional().describe("How stdout and stderr alternated: take so many characters of each in turn."),
  exit_code: z7.int().nullable().optional().describe("null while running or ended by a signal; -1 when killed."),
  signal: z7.string().nullable().optional(),
  ended_by: z7.string().optional().describe("kill, cancelled, kill_after_ms or server_end, when it did not end by itself."),
  drained: z7.boolean().optional().describe("false: a background process still holds the output open."),
  cursor: z7.int().optional().describe("Pass it to read_output to get only what is new."),
  output_bytes: z7.int().optional().describe("All output so far, in bytes."),
  omitted_bytes: z7.int().optional().describe("Output of this range that is not in this answer."),
  lost_bytes: z7.int().optional().describe("Output dropped for the quota or a full disk: it cannot be read any more."),
  waited: z7.enum(["output", "exit", "text", "silence", "deadline"]).optional().describe("What ended the wait."),
  matches: z7.array(z7.object({ offset: z7.int(), stream: z7.enum(["stdout", "stderr"]), line: z7.string() })).optional(),
  execution_time_ms: z7.int().optional(),
  command_executed: z7.string().optional(),
  cwd: z7.string().optional(),
  carried: Carried2.optional().describe("What the command leaves to the next one in its terminal."),
  plan_hash: z7.string().optional(),
  adapter: z7.string().optional(),
  visibility: z7.enum(["visible", "background", "hidden"]).optional(),
  survivors: z7.array(z7.int()).optional().describe("Processes of the run that are still there."),
  lifecycle: Lifecycle.partial().optional(),
  items: z7.array(ListItem).optional(),
  omitted_items: z7.int().optional(),
  patterns: z7.array(z7.object({ pattern: z7.string(), source: z7.string(), active: z7.boolean(), why: z7.string() })).optional().describe("get_allowlist: each pattern, where it comes from, and whether it applies now."),
  workspace: z7.object({ workspace_id: z7.string().nullable(), directory: z7.string().nullable(), trusted: z7.boolean() }).optional(),
  broken_files: z7.array(z7.object({ file: z7.string(), problem: z7.string() })).optional()
});
var ErrorBody = z7.object({
  code: z7.enum(Object.keys(ERRORS)),
  category: z7.string(),
  message: z7.string(),
  retriable: z7.boolean(),
  details: z7.record(z7.string(), z7.unknown())
});
var Fallback = z7.object({
  strategy: z7.string(),
  next_action: z7.enum(["execute", "read_output", "list", "none"]),
  recommended_mode: z7.enum(["interactive", "headless"]).nullable(),
  user_message: z7.string(),
  can_auto_retry: z7.literal(false)
});
var responseFor = (actions) => z7.object({
  success: z7.boolean(),
  action: z7.enum(actions).nullable(),
  status: z7.enum(["accepted", "completed", "failed"]),
  result: Result,
  error: ErrorBody.nullable(),
  fallback: Fallback.optional(),
  identity: z7.object({ session_id: z7.string().nullable(), terminal_id: z7.string().nullable() }),
  correlation: z7.object({
    request_id: z7.string(),
    trace_id: z7.string(),
    client_request_id: z7.string().optional()
  }),
  resolved: z7.object({
    canonical_action: z7.enum([...CANONICAL_ACTIONS, "get_allowlist", "update_allowlist"]).nullable(),
    alias_applied: z7.boolean(),
    legacy_action: z7.enum(ALIAS_NAMES).nullable(),
    mode: z7.enum(MODES).nullable()
  }),
  compat: z7.object({ alias_applied: z7.boolean(), warning: z7.string().optional() }).optional()
});
var InteractiveResponse = responseFor(CANONICAL_ACTIONS);
var HeadlessResponse = responseFor(HEADLESS_ACTIONS);
var AnyResponse = responseFor([.../* @__PURE__ */ new Set([...CANONICAL_ACTIONS, ...HEADLESS_ACTIONS])]);

// src/contract/approver-frames.ts
var Attach = z8.object({
  type: z8.literal("attach"),
  protocol_version: z8.int(),
  surface: z8.enum(["terminal", "window", "vscode", "host_terminal"]),
  name: Text
});
var Prove = z8.object({ type: z8.literal("prove"), signature: z8.string().regex(/^[0-9a-f]{128}$/) });
var Shown = z8.object({ type: z8.literal("shown"), ask_id: Id });
var Scope = z8.discriminatedUnion("kind", [
  z8.object({ kind: z8.literal("once") }),
  z8.object({ kind: z8.literal("terminal"), rules: z8.array(Text).min(1).max(32) }),
  z8.object({ kind: z8.literal("workspace"), rules: z8.array(Text).min(1).max(32) }),
  z8.object({ kind: z8.literal("time"), rules: z8.array(Text).min(1).max(32), minutes: z8.int().min(1).max(480) })
]);
var AnswerFrame = z8.object({
  type: z8.literal("answer"),
  ask_id: Id,
  /** Of the question that was shown: an answer to anything else is refused. */
  plan_hash: z8.string(),
  decision: z8.discriminatedUnion("kind", [
    z8.object({ kind: z8.literal("approve"), scope: Scope, typed: z8.string().optional() }),
    z8.object({ kind: z8.literal("decline"), reason: Text.nullable() }),
    /** Approves another line instead, once. It is judged again. */
    z8.object({ kind: z8.literal("edit"), command: Command, typed: z8.string().optional() })
  ])
});
var ApproverHeartbeat = z8.object({ type: z8.literal("heartbeat") });
var Detach = z8.object({ type: z8.literal("detach") });
var FromApprover = z8.discriminatedUnion("type", [Attach, Prove, Shown, AnswerFrame, ApproverHeartbeat, Detach]);
var Challenge = z8.object({
  type: z8.literal("challenge"),
  nonce: z8.string(),
  /** null: no passphrase was ever set. Set one in a terminal, then attach again. */
  passphrase: z8.object({ salt: z8.string(), cost: z8.int() }).nullable(),
  problem: z8.string().nullable()
});
var Admitted = z8.object({
  type: z8.literal("admitted"),
  protocol_version: z8.int(),
  approver_id: Id,
  instance_id: Id,
  heartbeat_interval_ms: z8.int(),
  /** A grave command is approved only with this text typed in `typed`. */
  grave_text: z8.string(),
  /** Answers that come sooner after `shown` than this are refused: keys in flight never decide. */
  arming_ms: z8.int()
});
var Refused2 = z8.object({ type: z8.literal("refused"), reason: z8.string() });
var asked = {
  ask_id: Id,
  requester: z8.string(),
  client: z8.string(),
  request_id: Id,
  trace_id: Id,
  workspace_id: z8.string().nullable(),
  /** What the asker says about it. Untrusted text. */
  context: z8.string().nullable(),
  plan_hash: z8.string(),
  asked_at: z8.string(),
  expires_in_ms: z8.int()
};
var CommandQuestion = z8.object({
  type: z8.literal("question"),
  kind: z8.literal("command"),
  ...asked,
  session_id: Id,
  terminal_id: Id.nullable(),
  intent: z8.enum(["execute_command", "open_only"]),
  command: z8.string(),
  args: z8.array(z8.string()).nullable(),
  shell: z8.string(),
  cwd: z8.string(),
  workspace_directory: z8.string().nullable(),
  /** What the request sets, and what its terminal carries on from earlier commands; null: unset. */
  env: z8.array(z8.object({ name: z8.string(), value: z8.string().nullable(), carried: z8.boolean().optional() })),
  venv: z8.string().nullable(),
  executables: z8.array(z8.string()),
  verdict: Verdict,
  /** Hard to undo: needs `typed`, and no scope but once. */
  grave: z8.boolean(),
  proposed_rules: z8.array(z8.string()),
  kill_after_ms: z8.int().nullable()
});
var RulesQuestion = z8.object({
  type: z8.literal("question"),
  kind: z8.literal("rules"),
  ...asked,
  workspace_directory: z8.string().nullable(),
  layer: z8.enum(["base", "headless"]),
  added: z8.array(z8.string()),
  removed: z8.array(z8.string())
});
var Question = z8.discriminatedUnion("kind", [CommandQuestion, RulesQuestion]);
var Answered = z8.object({
  type: z8.literal("answered"),
  ask_id: Id,
  outcome: z8.enum(["approved", "declined"]),
  by: z8.string(),
  yours: z8.boolean()
});
var AnswerRefused = z8.object({
  type: z8.literal("answer_refused"),
  ask_id: Id,
  problem: z8.string(),
  open: z8.boolean()
});
var Withdrawn = z8.object({
  type: z8.literal("withdrawn"),
  ask_id: Id,
  why: z8.enum(["cancelled", "asker_gone", "expired", "host_ends"])
});
var Presence = z8.object({
  type: z8.literal("presence"),
  approvers: z8.int(),
  pending: z8.int(),
  running: z8.int(),
  /** What keeps a run from approving a run on this machine. */
  protection: z8.string()
});
var ToApprover = z8.union([
  Question,
  z8.discriminatedUnion("type", [
    Challenge,
    Admitted,
    Refused2,
    Answered,
    AnswerRefused,
    Withdrawn,
    Presence,
    ApproverHeartbeat
  ])
]);

// src/contract/host-frames.ts
import * as z9 from "zod";
var PROTOCOL_VERSION = 1;
var lenient = (schema) => z9.preprocess((frame) => {
  if (typeof frame !== "object" || frame === null) return frame;
  const given = frame;
  const request_id = given.request_id ?? given.id;
  const status = typeof given.status === "string" ? given.status.toLowerCase() : given.status;
  return { ...given, ...request_id !== void 0 && { request_id }, ...status !== void 0 && { status } };
}, schema);
var addressed = { id: Id.optional(), request_id: Id, trace_id: Id };
var Adapter = z9.enum(["headless_process", "host_bridge_local", "container_bridge_to_host"]);
var Visibility = z9.enum(["visible", "background", "hidden"]);
var Hello = z9.object({
  type: z9.literal("hello"),
  protocol_version: z9.int(),
  capabilities: z9.array(z9.string()),
  trace_id: Id,
  /** Stays the same when the server connects again: questions belong to it, not to a connection. */
  runtime_session_id: Id,
  /** Shown to the person as the asker says it; grants nothing. */
  client: z9.object({ name: Text, version: Text, pid: z9.int().nullable() }).optional()
});
var CommandRequest = z9.object({
  type: z9.literal("command_request"),
  ...addressed,
  client_request_id: Id.optional(),
  intent: z9.enum(["execute_command", "open_only"]).default("execute_command"),
  command: Command.optional(),
  args: Args.optional(),
  env: Env.optional(),
  /** Where it must run. Without it: where its terminal stands, which begins in workspace_path. */
  working_directory: Path.optional(),
  context: Context.optional(),
  /** A terminal by its id, or by a run that was in it. */
  terminal_id: Id.optional(),
  session_id: Id.optional(),
  terminal_profile: z9.enum(["powershell", "pwsh", "cmd", "bash", "zsh", "fish", "sh", "system"]).optional(),
  workspace_id: WorkspaceId.optional(),
  workspace_path: Path.optional(),
  venv_path: Path.optional(),
  activate_venv: z9.boolean().optional(),
  /** Kills the command after this long (SPEC D5). */
  timeout_seconds: z9.number().positive().max(86400).optional(),
  approval_timeout_ms: Millis.optional(),
  /** true asks for a person even where a rule would do; false and `allowlisted` change nothing (SPEC D12). */
  approval_required: z9.boolean().optional(),
  allowlisted: z9.boolean().optional(),
  adapter: Adapter.optional(),
  visibility: Visibility.optional(),
  /** What of the output the response carries. */
  output: OutputOptions.optional()
});
var ReadOutput = z9.object({
  type: z9.literal("read_output"),
  ...addressed,
  session_id: Id.optional(),
  terminal_id: Id.optional(),
  output: OutputOptions.optional()
});
var Kill = z9.object({
  type: z9.literal("kill"),
  ...addressed,
  session_id: Id.optional(),
  terminal_id: Id.optional()
});
var List = z9.object({ type: z9.literal("list"), ...addressed, workspace_id: WorkspaceId.optional() });
var Cancel = z9.object({ type: z9.literal("cancel"), ...addressed });
var AllowlistUpdate = z9.object({
  type: z9.literal("allowlist_update"),
  ...addressed,
  workspace_id: WorkspaceId,
  layer: z9.enum(["base", "headless"]).default("base"),
  operation: z9.enum(["add", "remove", "set"]),
  patterns: z9.array(Text).max(256),
  context: Context.optional(),
  approval_timeout_ms: Millis.optional()
});
var ShowWindow = z9.object({ type: z9.literal("show_window"), ...addressed });
var Heartbeat = z9.object({ type: z9.literal("heartbeat") });
var Goodbye = z9.object({ type: z9.literal("goodbye"), reason: z9.string().optional() });
var ToHost = lenient(
  z9.discriminatedUnion("type", [
    Hello,
    CommandRequest,
    ReadOutput,
    Kill,
    List,
    Cancel,
    AllowlistUpdate,
    ShowWindow,
    Heartbeat,
    Goodbye
  ])
);
var HelloAck = z9.object({
  type: z9.literal("hello_ack"),
  protocol_version: z9.int(),
  capabilities: z9.array(z9.string()),
  trace_id: Id,
  runtime_session_id: Id,
  /** A new one at every start of the host. */
  instance_id: Id,
  /** Who the host takes you for: comes from your key. */
  identity: z9.string(),
  heartbeat_interval_ms: z9.int(),
  host: z9.object({ version: z9.string(), pid: z9.int() }),
  approvers: z9.int()
});
var Accepted = z9.object({
  type: z9.literal("accepted"),
  ...addressed,
  session_id: Id.nullable(),
  terminal_id: Id.nullable()
});
var Progress = z9.object({
  type: z9.literal("progress"),
  ...addressed,
  phase: z9.enum(["queued", "waiting_for_approver", "awaiting_approval", "running"]),
  elapsed_ms: z9.int(),
  /** Questions, or runs in the same terminal, that come first. */
  ahead: z9.int(),
  /** The run this one waits behind in its terminal. */
  behind: Id.optional(),
  output_bytes: z9.int().optional(),
  /** "waiting for approval, 12 s, 1 ahead" */
  message: z9.string()
});
var RunReport = z9.object({
  session_id: Id,
  terminal_id: Id.nullable(),
  client_request_id: Id.nullable(),
  status: z9.enum(["accepted", "approved", "declined", "timeout", "error"]),
  approved: z9.boolean(),
  /** Why it did not run, in a person's or the gate's words. */
  reason: z9.string().nullable(),
  command: z9.string(),
  args: z9.array(z9.string()).nullable(),
  workspace_id: z9.string().nullable(),
  output: z9.string(),
  error: ErrorBody.nullable(),
  started_at: z9.string().nullable(),
  ended_at: z9.string().nullable(),
  ...Result.pick({
    authorization: true,
    approved_by: true,
    verdict: true,
    warning: true,
    state: true,
    running: true,
    exit_code: true,
    signal: true,
    ended_by: true,
    drained: true,
    cursor: true,
    output_bytes: true,
    omitted_bytes: true,
    lost_bytes: true,
    waited: true,
    matches: true,
    execution_time_ms: true,
    command_executed: true,
    cwd: true,
    carried: true,
    plan_hash: true,
    survivors: true
  }).shape,
  state: z9.enum(RUN_STATES),
  adapter: Adapter,
  visibility: Visibility
});
var CommandResponse = z9.object({ type: z9.literal("command_response"), ...addressed, ...RunReport.shape });
var Output = z9.object({ type: z9.literal("output"), ...addressed, ...RunReport.shape });
var Killed = z9.object({ type: z9.literal("killed"), ...addressed, ...RunReport.shape });
var TerminalItem = z9.object({
  terminal_id: Id,
  workspace_id: z9.string().nullable(),
  profile: z9.string(),
  cwd: z9.string(),
  is_default: z9.boolean(),
  /** The run in it, and those that wait. */
  busy_with: Id.nullable(),
  waiting: z9.array(Id)
});
var Listed = z9.object({
  type: z9.literal("listed"),
  ...addressed,
  items: z9.array(ListItem),
  omitted_items: z9.int(),
  terminals: z9.array(TerminalItem),
  approvers: z9.int()
});
var AllowlistUpdated = z9.object({
  type: z9.literal("allowlist_updated"),
  ...addressed,
  status: z9.enum(["approved", "declined", "timeout", "error"]),
  reason: z9.string().nullable(),
  patterns: z9.array(z9.string()),
  error: ErrorBody.nullable()
});
var WindowShown = z9.object({
  type: z9.literal("window_shown"),
  ...addressed,
  shown: z9.boolean(),
  message: z9.string()
});
var ErrorFrame = z9.object({
  type: z9.literal("error"),
  id: Id.optional(),
  request_id: Id.optional(),
  trace_id: Id.optional(),
  error: ErrorBody
});
var FromHost = lenient(
  z9.discriminatedUnion("type", [
    HelloAck,
    Accepted,
    Progress,
    CommandResponse,
    Output,
    Killed,
    Listed,
    AllowlistUpdated,
    WindowShown,
    Heartbeat,
    Goodbye,
    ErrorFrame
  ])
);

// src/contract/files.ts
import * as z10 from "zod";
var Patterns = z10.array(z10.string().min(1).max(1024)).max(1024);
var Examples = z10.record(
  z10.string(),
  z10.object({ matches: z10.array(z10.string()).max(20).optional(), spares: z10.array(z10.string()).max(20).optional() })
);
var AllowlistFile = z10.object({ patterns: Patterns, examples: Examples.optional(), updated_at: z10.string() });
var HeadlessPolicyFile = z10.object({
  workspace_id: WorkspaceId,
  patterns: Patterns,
  examples: Examples.optional()
});
var WorkspaceFile = z10.object({
  workspace_id: WorkspaceId,
  directory: z10.string().min(1),
  trusted: z10.boolean(),
  /** Patterns a person has confirmed. One that stands in a rule file but not here is not in force. */
  accepted: z10.object({ base: Patterns, headless: Patterns }),
  updated_at: z10.string()
});

// src/policy/destructive/catastrophe.ts
import { posix as posix2 } from "node:path";

// src/policy/powershell-paths.ts
function isPreciousWindowsPath(written) {
  let path = written.replace(/^(?:[\w.]+\\)?filesystem::/i, "").replace(/^registry::/i, "").replace(/^\\\\[?.]\\/, "").replace(/^[\\/]{2}[^\\/]+[\\/]([a-z])\$/i, "$1:").replace(/^-[a-z]+:(?=.{2})/i, "").replaceAll("/", "\\").replace(/%(\w+)%/g, "$$env:$1");
  path = withoutDots(path).replace(/\\?\*(?:\.\*)?$/, "").replace(/\\+$/, "");
  if (path === "") return /[\\/~]/.test(written);
  return PRECIOUS.some((pattern) => pattern.test(path));
}
var PRECIOUS = [
  // a drive, and what every Windows keeps on it
  /^(?:[a-z]:|\$env:(?:systemdrive|homedrive))(?:\\(?:windows(?:\\system32)?|users(?:\\[^\\]+)?|program files(?: \(x86\))?|programdata|boot|recovery|documents and settings))?$/i,
  /^\$env:(?:systemroot|windir|programfiles(?:\(x86\))?|programdata|userprofile|homepath|public|home|onedrive|allusersprofile)$/i,
  /^(?:~|\$home|\$env:homedrive\$env:homepath)$/i,
  /^\$env:(?:systemroot|windir)\\system32$/i,
  // a Unix root under PowerShell
  /^\\(?:bin|boot|dev|etc|home(?:\\[^\\]+)?|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|users(?:\\[^\\]+)?|system|library|applications)$/i,
  /^(?:hklm:|hkcu:|hkcr:|hku:|hkey_local_machine|hkey_current_user|hkey_classes_root|hkey_users|cert:)(?:\\(?:software|system|sam|security))?$/i
];
function withoutDots(path) {
  const kept = [];
  for (const name of path.split("\\")) {
    if (name === "." && kept.length > 0) continue;
    if (name === ".." && kept.length > 1) kept.pop();
    else if (name !== "" || kept.length === 0) kept.push(name);
  }
  return kept.join("\\");
}

// src/policy/powershell-seen.ts
function seenInPowerShell(line) {
  const commands = [];
  let words = [];
  const close = () => {
    const [first2] = words;
    if (first2) {
      const end = words.at(-1)?.end ?? first2.end;
      commands.push({ argv: words.map((word) => word.text), start: first2.start, end, globs: [] });
    }
    words = [];
  };
  for (const { 0: token, index } of line.slice(0, LONGEST).replace(/`\r?\n/g, (ended) => " ".repeat(ended.length)).matchAll(TOKEN)) {
    if (/^[^\S\n]*$/.test(token)) continue;
    if (/^(?:[;|&{}()\n]|\$[\w:]+\s*[-+*/%]?=)/.test(token) || token === "." && words.length === 0) close();
    else {
      words.push({ text: plain(token), start: index, end: index + token.length });
      for (const inner of subexpressions(token)) commands.push(...seenInPowerShell(inner));
    }
  }
  close();
  return commands;
}
function subexpressions(token) {
  return [...token.matchAll(/"((?:[^"`]|`[\s\S]|"")*)"/g)].flatMap(
    ([, inside = ""]) => [...inside.matchAll(/\$\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map(([, inner = ""]) => inner)
  );
}
var LONGEST = 8 * 1024;
var TOKEN = /\$[\w:]+\s*[-+*/%]?=|(?:\$\{[^}]{0,99}\}|`[\s\S]|'(?:[^']|'')*'|\u2018[^\u2018-\u201b]*[\u2018-\u201b]|"(?:[^"`]|`[\s\S]|"")*"|\u201c[^\u201c-\u201e]*[\u201c-\u201e]|[^\s;|&{}(),'"`])+|[;|&{}()\n]|\s|[\s\S]/gu;
function plain(token) {
  return token.replace(/'((?:[^']|'')*)'/g, (_all, inside) => inside.replaceAll("''", "'")).replace(/"((?:[^"`]|`[\s\S]|"")*)"/g, (_all, inside) => inside.replaceAll('""', '"')).replace(/[\u2018-\u201f]/g, "").replace(/`([\s\S])/g, "$1").replace(/\$\{(\w+:?[\w()]*)\}/g, "$$$1").replace(/^[\u2013-\u2015]/, "-");
}
function putInPlace(line) {
  const joined = line.slice(0, LONGEST).replace(/(['"])\s{0,9}\+\s{0,9}\1/g, "").replace(/\$\(\s{0,9}'([\w-]{0,64})'\s{0,9}\)/g, "$1").replace(/\[scriptblock\]::Create\(\s{0,9}(['"])([^'"]{0,999})\1\s{0,9}\)/gi, "; $2 ;").replace(/\[(?:System\.)?Environment\]::GetFolderPath\(\s{0,9}['"]?UserProfile['"]?\s{0,9}\)/gi, "$HOME").replace(/([&.])\s{0,9}\(\s{0,9}(?:(?:get-command|gcm)\s{1,9})?(['"]?)([\w-]{1,64})\2\s{0,9}\)/gi, "$1 $3").replace(PRINTS_ITS_WORD, " $1 ");
  const known = /* @__PURE__ */ new Map();
  for (const [, name = "", value = ""] of joined.matchAll(ASSIGNED))
    if (known.size < MOST_KNOWN && !/^(?:env|home|_|true|false|null)$/i.test(name)) known.set(name.toLowerCase(), value);
  if (known.size === 0) return joined;
  return joined.replace(/\$\{?(\w{1,64})\}?(?![\w:])(?!\s{0,9}=[^=])/g, (whole2, name) => {
    const value = known.get(name.toLowerCase());
    if (value === void 0) return whole2;
    const bare = value.slice(1, -1);
    return /^(['"])[\w:\\/.*~$-]*\1$/.test(value) ? bare : value;
  }).slice(0, LONGEST);
}
var MOST_KNOWN = 16;
var PRINTS_ITS_WORD = /(?<![\w\]])[$@]?\(\s{0,9}(?:(?:echo|write-output|resolve-path|rvpa|convert-path|get-item|gi)\s{1,9})?('[^'()]{0,500}'|"[^"()]{0,500}"|[^\s'"(){}|;&]{1,200})\s{0,9}\)(?!\s{0,9}\.)/gi;
var ASSIGNED = /\$(\w{1,64})\s{0,9}(?:=|in\b)\s{0,9}(?:(?:get-childitem|gci|ls|dir)\s{1,9})?((?:'[^']{0,500}'|"[^"]{0,500}"|[^\s;|&{}()'"]{1,500})(?:\s{0,9},\s{0,9}(?:'[^']{0,200}'|"[^"]{0,200}"))*)/gi;

// src/policy/powershell-rules.ts
function powershellCatastrophe(argv, nested = 0) {
  const { name, rest } = commandOf(argv);
  if (rest.some(isWhatIf)) return null;
  const target = TAKES_PLACES.test(name) ? rest.find(isPreciousWindowsPath) : void 0;
  if (DELETERS.test(name) && target !== void 0 && rest.some(isRecursive)) return `${name} would wipe ${target}`;
  const drive = rest.find((word) => /^[a-z]:[\\/]?$/i.test(word));
  if (/^format(?:\.com)?$/.test(name) && drive !== void 0) return `format would wipe ${drive}`;
  if (DISK_WIPERS.test(name)) return rest.some((word) => /^-\?$|^-help$/i.test(word)) ? null : `${name} would wipe a disk`;
  if (/^(?:icacls|cacls|takeown)$/.test(name) && target !== void 0 && rest.some((word) => /^\/[tr]$/i.test(word)))
    return `${name} would change all of ${target}`;
  if (/^(?:sdelete(?:64)?|cipher)$/.test(name) && rest.some((word) => /^(?:\/w:|-s$|-z$)/i.test(word)) && (drive || target))
    return `${name} would wipe ${drive ?? target}`;
  const lost = losesAll(name, rest);
  if (lost) return `${name} ${lost}`;
  const inner = nested < MOST_NESTED ? innerText(name, rest) : null;
  return inner === null ? null : powershellLineCatastrophe(inner, nested + 1);
}
function losesAll(name, rest) {
  const text = rest.join(" ");
  if (name === "diskpart" && rest.some((word) => /^\/s$/i.test(word))) return "would change disks by a script";
  if (name === "cipher" && rest.some((word) => /^\/w:/i.test(word))) return "would wipe a disk";
  if (name === "vssadmin" && /^delete\s+shadows\b/i.test(text)) return "would delete all backups";
  if (name === "wbadmin" && /^delete\s/i.test(text)) return "would delete all backups";
  if (name === "wmic" && /\bshadowcopy\b.*\bdelete\b/i.test(text)) return "would delete all backups";
  const [from = "", to = ""] = rest;
  if (name === "robocopy" && rest.some((word) => /^\/(?:mir|purge)$/i.test(word)) && isPreciousWindowsPath(to))
    return `would wipe ${to}`;
  if (/^(?:move-item|mi|mv|move)$/.test(name)) {
    const at = rest.findIndex((word) => /^-(?:p|path|literalpath)$/i.test(word));
    const source = at < 0 ? from : rest[at + 1] ?? "";
    if (isPreciousWindowsPath(source)) return `would move away ${source}`;
  }
  return null;
}
function powershellGrave(argv, nested = 0) {
  const { name, rest } = commandOf(argv);
  if (rest.some(isWhatIf)) return null;
  if (DELETERS.test(name) && rest.some(isRecursive)) return `${name} deletes whole directories`;
  const grave2 = GRAVE.find(({ program, words }) => program.test(name) && (!words || words.test(rest.join(" "))));
  if (grave2) return `${name} ${grave2.why}`;
  const inner = nested < MOST_NESTED ? innerText(name, rest) : null;
  return inner === null ? null : firstOf(inner, (words) => powershellGrave(words, nested + 1));
}
function powershellLineCatastrophe(line, nested = 0) {
  const found = inWritten(line, nested);
  const meant = found === null ? putInPlace(line) : line;
  return found ?? (meant === line ? null : inWritten(meant, nested));
}
function inWritten(line, nested) {
  const commands = seenInPowerShell(line);
  for (const { argv } of commands) {
    const found = powershellCatastrophe(argv, nested);
    if (found) return found;
  }
  return throughPipe(line, commands, nested) ?? afterMoving(commands) ?? inMethods(line);
}
function throughPipe(line, commands, nested) {
  for (const [i, { argv, end }] of commands.entries()) {
    const next = commands[i + 1];
    if (next && !/\|(?!\|)/.test(line.slice(end, next.start))) continue;
    const { name, rest } = commandOf(argv);
    const said = [...argv.slice(0, 1), ...SAYERS.test(name) ? rest : []];
    const places = LISTERS.test(name) ? rest : said.flatMap((word) => word.split(","));
    const place = places.find(isPreciousWindowsPath);
    for (const sink of commands.slice(i + 1, i + 1 + MOST_SINKS).map(({ argv: words }) => commandOf(words))) {
      if (place !== void 0 && deletesAll(sink, rest)) return `${sink.name} would wipe ${place}`;
      if (/^(?:iex|invoke-expression)$/.test(sink.name) && nested < MOST_NESTED) {
        const inner = powershellLineCatastrophe(said.join(" "), nested + 1);
        if (inner) return inner;
      }
      if (sink.name === "diskpart" && /(?:\b|`n)(?:clean|format|delete)\b/i.test(line.slice(0, LONGEST_LOOK)))
        return "diskpart would wipe a disk";
    }
  }
  return null;
}
var deletesAll = (sink, given) => DELETERS.test(sink.name) && !sink.rest.some(isWhatIf) && (sink.rest.some(isRecursive) || given.some(isRecursive));
function afterMoving(commands) {
  let place;
  for (const { argv } of commands) {
    const { name, rest } = commandOf(argv);
    if (/^(?:cd|sl|chdir|set-location|push-location|pushd)$/.test(name))
      place = rest.filter((word) => !/^-\w+$/.test(word)).find(isPreciousWindowsPath);
    else if (place !== void 0 && DELETERS.test(name) && !rest.some(isWhatIf) && rest.some(isRecursive) && rest.some((word) => /^(?:\.|\*|\.[\\/]\*?|\*\.\*)$/.test(word)))
      return `${name} would wipe ${place}`;
  }
  return null;
}
function inMethods(line) {
  const deleted = /\[(?:System\.)?IO\.Directory\]::Delete\(\s*['"]?([^'",)]+)['"]?\s*,\s*(?:\$true|1)/i.exec(line)?.[1] ?? /\((?:get-item|gi)\s+['"]?([^'")]+)['"]?\)\.Delete\(/i.exec(line)?.[1];
  if (deleted && isPreciousWindowsPath(deleted.trim())) return `Delete would wipe ${deleted}`;
  if (/\bWin32_ShadowCopy\b/i.test(line) && /\.Delete\(|\bRemove-(?:Wmi|Cim)/i.test(line))
    return "it would delete all backups";
  return FORK_BOMB.test(line) ? "it starts shells without end" : null;
}
function powershellBeyondWildcard(argv) {
  const { name, rest } = commandOf(argv);
  if (RUNNERS.test(name)) return `${name} runs what its words say`;
  if (WRITERS.test(name)) return `${name} writes the file its words name`;
  const provider = FILE_COMMANDS.test(name) ? rest.find((word) => /^\S*::|^(?!https?:)[a-z]{2,}:/i.test(word)) : void 0;
  if (provider !== void 0) return `${provider} is not a plain file`;
  const remote = rest.find((word) => /^(?:\\\\|\/\/)[^\\/?.]/.test(word));
  return remote === void 0 ? null : `${remote} is on another machine, which would be sent a sign-in`;
}
var DELETERS = /^(?:remove-item|ri|rm|rmdir|rd|del|erase)$/;
var TAKES_PLACES = /^(?:remove-item|ri|rm|rmdir|rd|del|erase|icacls|cacls|takeown|sdelete(?:64)?|cipher)$/;
var LISTERS = /^(?:get-childitem|gci|ls|dir|get-item|gi)$/;
var SAYERS = /^(?:write-output|write|echo)$/;
var MOST_SINKS = 8;
var LONGEST_LOOK = 8 * 1024;
var DISK_WIPERS = /^(?:format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk|remove-virtualdisk|remove-storagepool|mkfs(?:\.\w+)?|wipefs)$/;
var RUNNERS = /^(?:invoke-(?:expression|command|item|wmimethod|cimmethod|history)|iex|icm|ii|ihy|r|start-(?:process|job|threadjob|service)|saps|start|sajb|foreach-object|foreach|%|powershell|powershell_ise|pwsh|cmd|wsl|bash|sh|zsh|wscript|cscript|mshta|rundll32|regsvr32|msiexec|certutil|bitsadmin|forfiles|schtasks|wmic|runas|sudo|env|xargs|py|add-type|new-object|import-module|ipmo|(?:set|new)-alias|sal|nal|register-\w+|set-executionpolicy|new-pssession|enter-pssession|etsn|nsn|measure-command|trace-command)$/;
var FILE_COMMANDS = /^(?:[a-z]+-(?:child|content|item|location|path|string|filehash|acl)\w*|ls|dir|gci|cat|gc|type|gi|gp|cd|sl|sls)$/;
var WRITERS = /^(?:tee-object|tee|out-file|set-content|sc|add-content|ac)$/;
var FORK_BOMB = /(?:while\s*\(\s*(?:\$true|1)\s*\)|for\s*\(\s*;\s*;\s*\))\s*\{[^}]*\b(?:start|saps|start-process|start-job)\b[^}]*\b(?:powershell|pwsh|cmd)/i;
var GRAVE = [
  {
    program: /^(?:stop|restart)-computer$|^shutdown$|^logoff$/,
    words: /^(?!.*(?:\/\?|--help)).*$/s,
    why: "stops the machine"
  },
  { program: /^(?:invoke-expression|iex)$/, why: "runs text as a program" },
  { program: /^clear-(?:content|item|recyclebin|eventlog|history)$/, why: "empties what it names" },
  {
    program: /^(?:remove|uninstall)-(?!item$|variable$|alias$|job$|module$|psdrive$|psbreakpoint$|typedata$|event$)\w+$/,
    why: "removes what it names"
  },
  { program: /^(?:stop-process|spps|taskkill)$/, words: /\*|-name|\/im|-force|\/f/i, why: "ends programs" },
  { program: /^(?:set-executionpolicy|set-mppreference|disable-\w+)$/, why: "turns a protection off" },
  { program: /^reg$/, words: /^delete\b/i, why: "deletes from the registry" },
  { program: /^vssadmin$/, words: /\bdelete\b/i, why: "deletes backups" },
  { program: /^(?:bcdedit|diskpart|diskraid|fdisk)$/, why: "changes how the machine starts or its disks" },
  { program: /^wbadmin$/, words: /\bdelete\b/i, why: "deletes backups" }
];
function commandOf(argv) {
  const [program = "", ...rest] = argv;
  const name = program.slice(Math.max(program.lastIndexOf("\\"), program.lastIndexOf("/")) + 1);
  return { name: name.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, ""), rest: rest.flatMap((word) => word.split(",")) };
}
var isRecursive = (word) => /^-r(?:e(?:c(?:u(?:r(?:s(?:e)?)?)?)?)?)?(?::\$true)?$/i.test(word) || /^-(?:rf|fr|Rf|rfv)$/.test(word) || /^(?:\/[a-z])*\/s(?:\/[a-z])*$/i.test(word);
var isWhatIf = (word) => /^-(?:wh|wha|what|whati|whatif|wi)$/i.test(word);
var firstOf = (line, tier) => seenInPowerShell(line).map((command) => tier(command.argv)).find((found) => found !== null) ?? null;
var MOST_NESTED = 4;
var MOST_WORDS = 400;
var LONGEST_INNER = 4096;
var MOST_STARTS = 6;
function innerText(name, rest) {
  return wholeInnerText(name, rest.slice(0, MOST_WORDS))?.slice(0, LONGEST_INNER) ?? null;
}
function wholeInnerText(name, rest) {
  if (/^(?:invoke-expression|iex|start-process|saps|start|sudo)$/.test(name))
    return rest.filter((word) => !/^-(?:verb|wait|command|filepath|argumentlist)$/i.test(word)).join(" ");
  if (name === "cmd") {
    const at = rest.findIndex((word) => /^\/[ck]$/i.test(word));
    return at < 0 ? null : rest.slice(at + 1).join(" ");
  }
  if (name !== "powershell" && name !== "pwsh") return null;
  const encoded = rest.findIndex((word) => /^[-/]e(?:c|nc|ncodedcommand)?$/i.test(word));
  if (encoded >= 0) return Buffer.from(rest[encoded + 1] ?? "", "base64").toString("utf16le");
  const command = rest.findIndex((word) => /^[-/]c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i.test(word));
  if (command >= 0) return rest.slice(command + 1).join(" ");
  return rest.slice(0, MOST_STARTS).flatMap((word, i) => word.startsWith("-") ? [] : [rest.slice(i).join(" ")]).join("\n");
}

// src/policy/destructive/precious-paths.ts
import { posix } from "node:path";
var ROOTS = /^\/(?:bin|boot|boot\/efi|dev|etc|home|lib|lib32|lib64|libx32|media|mnt|opt|private|private\/(?:etc|var)|proc|root|run|sbin|snap|srv|sys|usr|usr\/(?:bin|lib|lib64|libexec|local|sbin|share|local\/(?:bin|lib))|var|var\/lib|Users|System|Library|Applications|Volumes|Network|cygdrive|cygdrive\/[a-z]|mnt\/[a-z]|[a-z]|(?:mnt\/|cygdrive\/)?[a-z]\/(?:Windows|Users|Program Files|ProgramData))$/;
var HOMES = /^\/(?:home|Users|export\/home|var\/home)\/[^/]+$/;
var HOME_VARIABLE = /^(?:\$HOME|\$\{HOME(?:[^\w}][^}]*)?\}|~[\w.-]*|\$env:(?:USERPROFILE|HOME|HOMEPATH)|%USERPROFILE%|%HOMEPATH%|\$PWD\/~)/i;
var WINDOWS_ROOTS = /^(?:[a-z]:|%SystemDrive%|\$env:SystemDrive|\$env:(?:SystemRoot|windir|ProgramFiles|ProgramData)|%SystemRoot%|%windir%|%ProgramFiles%|[a-z]:\/(?:Windows|Users|Program Files|Program Files \(x86\)|ProgramData|Windows\/System32|Users\/[^/]+)|HK(?:LM|CU|CR|U):?(?:\/(?:SOFTWARE|SYSTEM))?)$/i;
var EVERYTHING_IN = /(?:\/(?:\.?\*+|\.\[[!^]?\.?\]?\*|\{\*,\.\*\}|\.\{,\.\}\*?|\.|\*\.\*|\.\*))+$/;
function isPrecious(word, cwd) {
  const slashed = word.replace(/\\/g, "/").replace(/^"|"$/g, "").replace(/^\$(?:PWD\b|\{PWD\})/, ".");
  if (slashed === "" || slashed.startsWith("-")) return false;
  if (slashed === "/*" || /^\/+(\*+|\.|\.\*|\{\*,\.\*\})?$/.test(slashed)) return true;
  if (/^\/+(?!tmp)[^/]*[*?[][^/]*\/?$/.test(slashed)) return true;
  if (/^\/+\$\{?\w+\}?\/?\*?$/.test(slashed)) return true;
  const bare = slashed.replace(EVERYTHING_IN, "").replace(/\/+$/, "");
  if (HOME_VARIABLE.test(bare)) return posix.normalize(bare.replace(HOME_VARIABLE, "/h/u")).split("/").length <= 3;
  if (WINDOWS_ROOTS.test(bare)) return true;
  if (/^[a-z]:/i.test(bare)) return WINDOWS_ROOTS.test(posix.normalize(bare).replace(/\/+$/, ""));
  if (bare.includes("$")) return /^\$\{?(?:ROOT|\/)/.test(bare);
  const everything2 = /^(\.?\*+|\.|\.\/\*|\*\.\*)$/.test(slashed) ? "." : bare === "" ? "/" : bare;
  const path = posix.resolve(cwd.replace(/\\/g, "/") || "/", everything2);
  return path === "/" || ROOTS.test(path) || HOMES.test(path);
}
var isDisk = (written) => {
  const word = written.startsWith("/") ? posix.normalize(written) : written;
  return DISK.test(word) || /^\\\\\.\\physicaldrive\d/i.test(word);
};
var DISK = /^\/+dev\/+(?:(?:s|h|v|xv)d[a-z?*[]|nvme\d|mmcblk\d|r?disk\d|mapper\/|dm-\d|md\d|loop\d|sr\d|mem\b|kmem\b|port\b|disk\/by-)/;

// src/policy/destructive/shell-words.ts
var MOST_BRACED = 64;
var SHIELDS = [
  ["{", "\u{F0000}"],
  ["}", "\u{F0001}"],
  [",", "\u{F0002}"]
];
var shielded = (text) => /[{},]/.test(text) ? SHIELDS.reduce((kept, [plain2, shield]) => kept.replaceAll(plain2, shield), text) : text;
var bared = (text) => text.includes("\uDB80") ? SHIELDS.reduce((kept, [plain2, shield]) => kept.replaceAll(shield, plain2), text) : text;
function expandBraces(word) {
  if (!word.includes("{")) return [word];
  let words = [word];
  for (let turn = 0; turn < 4; turn += 1) {
    const next = words.flatMap((one) => {
      const list = /^(.*?)(?<!\$)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one);
      if (!list) return [one];
      const [, before = "", items = "", after = ""] = list;
      return items.split(",").map((item) => before + item + after);
    });
    if (next.length === words.length || next.length > MOST_BRACED) return words;
    words = next;
  }
  return words;
}
function decodeAnsiC(text) {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs, (_, code) => {
    if (/^[xu]./.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
    return { n: "\n", t: "	" }[code] ?? code;
  });
}

// src/policy/destructive/printed-text.ts
var DEEPEST = 12;
var MOST_DECODED = 32 * 1024;
function printed(command, depth = 0) {
  const [program = "", ...words] = command.argv;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const operands = words.filter((word) => !/^-[a-zA-Z]+$/.test(word));
  if (name === "echo") {
    const start = words.findIndex((word) => !/^-[neE]+$/.test(word));
    const text = words.slice(start < 0 ? words.length : start).join(" ");
    return start > 0 ? decodeAnsiC(text) : text;
  }
  if (name === "printf") {
    const [format = "", ...values] = words;
    let at = 0;
    return decodeAnsiC(format.replace(/%[sbq]/g, () => values[at++] ?? "")) + [" ", ...values.slice(at)].join(" ");
  }
  if (/^(?:which|type|command|realpath|readlink)$/.test(name)) return operands.at(-1) ?? null;
  if (name === "dirname") return operands[0] === void 0 ? null : `${operands[0]}/..`;
  if (/^(?:whoami|logname)$/.test(name) || name === "id" && words.includes("-un")) return "user";
  const from = command.pipedFrom;
  const input = command.fed[0] ?? (from && depth < DEEPEST ? printed(from, depth + 1) : null);
  if (input === null || input === void 0) return null;
  if (name === "cat" || name === "tee") return input;
  if (name === "rev") return [...input].reverse().join("");
  if (name === "base64" && words.some((word) => /^(?:-[a-zA-Z]*[dD]|--decode)/.test(word)))
    return Buffer.from(input.slice(0, MOST_DECODED), "base64").toString("utf8");
  if (name === "xxd" && words.some((word) => /^-[a-z]*r/.test(word)))
    return Buffer.from(input.replace(/\s+/g, "").slice(0, MOST_DECODED), "hex").toString("utf8");
  return null;
}

// src/policy/destructive/known-variables.ts
var WELL_KNOWN = [
  ["USER", ["user"]],
  ["LOGNAME", ["user"]],
  // A line of its own has no parameters.
  ["@", [""]],
  ["*", [""]]
];
function valuesGivenBy({ argv, fed, pipedFrom }) {
  const [keyword = "", name, then, ...values] = argv;
  if (name === void 0) return [];
  if (/^(?:for|select)$/.test(keyword) && then === "in") return [[name, values]];
  if (keyword === "printf" && name === "-v" && then !== void 0) return [[then, [values.join(" ")]]];
  if (keyword === "set" && name === "--") {
    const given = argv.slice(2, 12);
    return [...given.map((value, i) => [String(i + 1), [value]]), ["@", given], ["*", given]];
  }
  if (keyword !== "read") return [];
  const lister = /^(?:find|ls|fd)$/.test(pipedFrom?.argv[0] ?? "");
  const input = fed[0] ?? (lister ? pipedFrom?.argv[1] : pipedFrom ? printed(pipedFrom) : null);
  return typeof input === "string" ? [[argv.at(-1), [input]]] : [];
}

// src/policy/destructive/rough-command.ts
var fresh = (pipedFrom) => ({ argv: [], sinks: [], fed: [], pipedFrom });

// src/policy/destructive/rough-scan.ts
var MOST_COMMANDS = 500;
var MOST_NESTED2 = 500;
var DEEPEST2 = 12;
var MOST_HEREDOCS = 16;
var MOST_LOOKS = 1e5;
var MOST_EXPANDED = 32 * 1024;
var PLAIN = /[\w./=:@%+,^~*?[\]{}!-]+/y;
var OPENERS = new Set("if then else elif do while until ! { coproc && || (".split(" "));
function roughScan(line, given = /* @__PURE__ */ new Map()) {
  const found = [];
  const how = {
    depth: 0,
    nested: { left: MOST_NESTED2 },
    known: new Map([...WELL_KNOWN, ...given]),
    expanded: { left: MOST_EXPANDED }
  };
  new RoughScanner(line, found, how).scan();
  return found;
}
var RoughScanner = class _RoughScanner {
  #at = 0;
  #draft = fresh(null);
  #word = null;
  #bare = true;
  #assigns = false;
  #sink = "none";
  #bodies = 0;
  /** Looking for a closing bracket from every opening one would take quadratic time. */
  #looks = MOST_LOOKS;
  #heredocs = [];
  #text;
  #found;
  #how;
  constructor(text, found, how) {
    this.#text = text;
    this.#found = found;
    this.#how = how;
  }
  scan() {
    while (this.#at < this.#text.length && this.#found.length < MOST_COMMANDS) this.#step();
    this.#endCommand(null);
  }
  #step() {
    PLAIN.lastIndex = this.#at;
    const plain2 = PLAIN.exec(this.#text);
    if (plain2) {
      this.#put(plain2[0]);
      return;
    }
    const char = this.#text[this.#at];
    if (char === "\\") this.#escape();
    else if (char === "'") this.#singleQuoted();
    else if (char === '"') this.#doubleQuoted();
    else if (char === "$" || char === "`") this.#expansion();
    else if (char === "#" && this.#word === null) this.#at = this.#lineEnd();
    else if (char === "\n") this.#lineBreak();
    else if (/\s/.test(char)) this.#endWord(1);
    else if (char === "<" || char === ">") this.#redirection(char);
    else if (char === "&" && this.#text[this.#at + 1] === ">") this.#endWord(1);
    else if (char === "|") this.#pipe();
    else if (/[;&()]/.test(char)) this.#endCommand(null, 1);
    else this.#put(char);
  }
  #put(text, length = text.length, quoted = false) {
    if (quoted && this.#bare) {
      this.#assigns = ASSIGNMENT.test(this.#word ?? "");
      this.#bare = false;
    }
    this.#word = (this.#word ?? "") + (quoted ? shielded(text) : text);
    this.#at += length;
  }
  #lineEnd() {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }
  #escape() {
    const next = this.#text[this.#at + 1];
    if (next === "\n" || next === void 0) this.#at += 2;
    else this.#put(next, 2);
  }
  #singleQuoted() {
    const close = this.#text.indexOf("'", this.#at + 1);
    const end = close < 0 ? this.#text.length : close;
    this.#put(this.#text.slice(this.#at + 1, end), end + 1 - this.#at, true);
  }
  #doubleQuoted() {
    this.#at += 1;
    this.#put("", 0, true);
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const char = this.#text[this.#at];
      if (char === "\\") this.#put(this.#text[this.#at + 1] ?? "", 2, true);
      else if (char === "$" || char === "`") this.#expansion(true);
      else this.#put(char, 1, true);
    }
    this.#at += 1;
  }
  #expansion(quoted = false) {
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest[0] === "`") {
      const close = this.#closing("`");
      const output = this.#nest(this.#text.slice(this.#at + 1, close).replace(/\\([`\\$])/g, "$1"));
      this.#at = close + 1;
      this.#putWords([output ?? "`\u2026`"], quoted);
    } else if (rest === "$(") {
      const close = this.#closing(")");
      const output = this.#nest(this.#text.slice(this.#at + 2, close));
      this.#at = close + 1;
      this.#putWords([output ?? "$(\u2026)"], quoted);
    } else if (rest === "$'") {
      const close = this.#closing("'");
      this.#put(decodeAnsiC(this.#text.slice(this.#at + 2, close)), close + 1 - this.#at, true);
    } else if (/^\$(IFS\b|\{IFS[^}]*\})/.test(this.#text.slice(this.#at, this.#at + 20))) {
      const [blank = ""] = /^\$(?:IFS|\{IFS[^}]*\})/.exec(this.#text.slice(this.#at)) ?? [];
      this.#endWord(blank.length);
    } else this.#parameter(quoted);
  }
  /** `$x` and `${x:-y}` where the line itself says what they are; anything else stays as it is written. */
  #parameter(quoted) {
    const found = PARAMETER.exec(this.#text.slice(this.#at, this.#at + 300));
    if (!found) {
      this.#put("$");
      return;
    }
    const [whole2, plain2, braced, change = ""] = found;
    const name = plain2 ?? braced ?? "";
    const instead = /^:?[-=]["']?(.*?)["']?$/s.exec(change)?.[1];
    const values = this.#how.known.get(name) ?? (/^:0:1$/.test(change) && STARTS_WITH_ROOT.test(name) ? ["/"] : void 0) ?? (instead !== void 0 && !/^(?:HOME|PWD)$/.test(name) ? [instead] : void 0);
    if (instead !== void 0 && /^:?=/.test(change)) this.#know(name, [instead]);
    this.#at += whole2.length;
    if (values) this.#putWords(values, quoted);
    else this.#put(whole2, 0);
  }
  /** Without quotes the shell makes words of it; several values are several words in any case. */
  #putWords(values, quoted) {
    const words = quoted ? values : values.flatMap((value) => value.trim().split(/\s+/));
    this.#how.expanded.left -= words.reduce((sum, word) => sum + word.length + 1, 0);
    if (this.#how.expanded.left < 0) return;
    for (const [i, word] of words.entries()) {
      if (i > 0) this.#endWord(0);
      this.#put(word, 0, quoted);
    }
  }
  #know(name, values) {
    if (name !== "HOME" && this.#how.known.size < MOST_COMMANDS) this.#how.known.set(name, values);
  }
  #closing(closer) {
    let depth = 0;
    for (let at = this.#at + (closer === "`" ? 1 : 2); at < this.#text.length && this.#looks > 0; at += 1) {
      this.#looks -= 1;
      const char = this.#text[at];
      if (char === "\\") at += 1;
      else if (char === closer && depth === 0) return at;
      else if (closer === ")" && char === "(") depth += 1;
      else if (closer === ")" && char === ")") depth -= 1;
    }
    return this.#text.length;
  }
  /** Scans what stands in a substitution, and says what it would print where that is plain to see. */
  #nest(text) {
    const { depth, nested } = this.#how;
    nested.left -= 1;
    if (depth >= DEEPEST2 || nested.left < 0) return null;
    const before = this.#found.length;
    new _RoughScanner(text, this.#found, { ...this.#how, depth: depth + 1 }).scan();
    const last = this.#found.length > before ? this.#found.at(-1) : void 0;
    return last ? printed(last) : null;
  }
  #redirection(char) {
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null;
    this.#endWord(0);
    const [operator = char] = /^(?:<<<|<<-?|<>|<&|<\(|>>|>\||>&|>\(|<|>)/.exec(this.#text.slice(this.#at, this.#at + 4)) ?? [];
    this.#at += operator.length;
    if (operator.endsWith("(")) {
      this.#at -= 2;
      const close = this.#closing(")");
      const output = this.#nest(this.#text.slice(this.#at + 2, close));
      if (operator === "<(" && output !== null) this.#draft.fed.push(output);
      this.#at = close + 1;
    } else if (operator === "<<" || operator === "<<-") this.#heredocMark();
    else if (operator === "<<<") this.#sink = "string";
    else if (operator.startsWith(">") || operator === "<>") this.#sink = "file";
  }
  #heredocMark() {
    const [raw = ""] = /^[ \t]*[^\s;&|<>()]+/.exec(this.#text.slice(this.#at, this.#at + 200)) ?? [];
    const mark = raw.trim().replace(/['"\\]/g, "");
    this.#heredocs.push({ mark, quoted: /['"\\]/.test(raw), owner: this.#draft });
    this.#at += raw.length;
  }
  #lineBreak() {
    this.#at += 1;
    for (const { mark, quoted, owner } of this.#heredocs.splice(0)) {
      this.#bodies += 1;
      if (this.#bodies > MOST_HEREDOCS) break;
      const lines = this.#text.slice(this.#at).split("\n");
      const last = lines.findIndex((line) => line.replace(/^\t+/, "") === mark);
      const body = lines.slice(0, last < 0 ? lines.length : last).join("\n");
      owner.fed.push(body);
      if (!quoted) for (const [inner] of body.matchAll(/`[^`]*`|\$\([^)]*\)/g)) this.#nest(inner);
      this.#at += body.length + (last < 0 ? 0 : 1 + (lines[last] ?? "").length);
    }
    this.#endCommand(null);
  }
  #pipe() {
    const double = this.#text[this.#at + 1] === "|";
    const length = double || this.#text[this.#at + 1] === "&" ? 2 : 1;
    const left = this.#endCommand(null, length);
    if (!double && left) this.#draft.pipedFrom = left;
  }
  #endWord(length) {
    this.#at += length;
    const word = this.#word;
    if (word === null) return;
    const [bare, sink, assigns] = [this.#bare, this.#sink, this.#assigns];
    this.#word = null;
    this.#bare = true;
    this.#assigns = false;
    this.#sink = "none";
    const first2 = this.#draft.argv[0];
    if (sink === "none" && (bare || assigns) && (first2 === void 0 || DECLARES.test(first2))) this.#assignment(word);
    if (bare && word === "{" && this.#draft.argv[0] === "function") this.#draft.argv.length = 0;
    else if (sink === "file") this.#draft.sinks.push(bared(word));
    else if (sink === "string") this.#draft.fed.push(bared(word));
    else if (this.#draft.argv.length > 0 || !(bare || assigns) || !isPrelude(word))
      this.#draft.argv.push(...expandBraces(word).map(bared));
  }
  #assignment(word) {
    const [, name, value = ""] = word.includes("=") ? /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(bared(word)) ?? [] : [];
    if (name === void 0) return;
    this.#know(name, [value]);
    if (RUN_BY_OTHERS.test(name)) this.#nest(value);
  }
  #endCommand(pipedFrom, length = 0) {
    this.#endWord(length);
    const done = this.#draft;
    this.#draft = fresh(pipedFrom);
    if (done.argv.length === 0 && done.sinks.length === 0) return null;
    for (const [name, values] of valuesGivenBy(done)) this.#know(name, values);
    const kept = { ...done, known: this.#how.known };
    this.#found.push(kept);
    return kept;
  }
};
var ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
var DECLARES = /^(?:export|declare|typeset|local|readonly)$/;
var RUN_BY_OTHERS = /(?:PAGER|EDITOR|VISUAL|_COMMAND|LESSOPEN|LESSCLOSE|_DIFF)$/;
var PARAMETER = /^\$(?:([A-Za-z_]\w*|[0-9@*])|\{([A-Za-z_]\w*|[0-9@*])(?:\[[@*\d]\])?([-:#%/^,@?+=](?:[^{}`$]|\$\w)*)?\})/;
var STARTS_WITH_ROOT = /^(?:PATH|HOME|PWD|SHELL|BASH)$/;
var isPrelude = (word) => OPENERS.has(word) || ASSIGNMENT.test(word);

// src/policy/destructive/unwrap.ts
var WRAPPERS = {
  sudo: { values: "-u -g -h -p -C -r -t -U -D -R -T --user --group --host --prompt --chdir --role --type" },
  doas: { values: "-u -C" },
  run0: { values: "-u --user" },
  pkexec: { values: "--user" },
  env: { values: "-u -C --unset --chdir" },
  nice: { values: "-n --adjustment" },
  ionice: { values: "-c -n -p -P --class --classdata" },
  chrt: { values: "-T -P -D", operands: 1 },
  taskset: { operands: 1 },
  nohup: {},
  setsid: {},
  time: { values: "-o -f --output --format" },
  timeout: { values: "-k -s --kill-after --signal", operands: 1 },
  stdbuf: { values: "-i -o -e" },
  unbuffer: {},
  command: {},
  builtin: {},
  exec: { values: "-a" },
  noglob: {},
  nocorrect: {},
  wsl: { values: "-d -u --distribution --user --cd" },
  xargs: { values: "-I -i -n -P -L -d -a -E -s --replace --max-args --max-procs --max-lines --delimiter --arg-file" },
  parallel: { values: "-j -S --jobs" },
  watch: { values: "-n --interval" },
  strace: { values: "-o -e -p -s -u" },
  ltrace: { values: "-o -e" },
  chroot: { operands: 1 },
  unshare: {},
  nsenter: { values: "-t --target" },
  flock: { values: "-w -E --timeout", operands: 1 },
  systemd: {},
  "systemd-run": { values: "-p -u --property --unit" },
  busybox: {},
  toybox: {},
  fakeroot: {},
  caffeinate: {},
  rlwrap: {},
  proxychains: {},
  torsocks: {},
  firejail: {},
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  screen: { values: "-S -t -T -c -h -p -s -e" },
  setpriv: {},
  prlimit: {},
  cpulimit: { values: "-l" },
  script: {},
  su: {},
  runuser: { values: "-u" },
  ssh: { values: "-p -i -l -o -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w -B -I", operands: 1 }
};
var SHELLS = /^(?:ba|da|z|k|mk|a|c|tc|fi)?sh$|^su$|^runuser$|^script$/;
var DEEPEST3 = 10;
var MOST_STARTS2 = 16;
var MOST_OPTIONS = 32;
var MOST_LAYERS = 40;
var MOST_EXECUTED = 8;
var MOST_WORDS2 = 64;
var LONGEST2 = 200;
var END = 60;
var programName = (word) => word.slice(word.lastIndexOf("/") + 1);
function unwrap(given, depth = 0, left = { layers: MOST_LAYERS }) {
  const argv = given.length > LONGEST2 ? [...given.slice(0, LONGEST2 - END), ...given.slice(-END)] : given;
  const commands = [argv];
  const scripts = [];
  left.layers -= 1;
  const inner = depth < DEEPEST3 && left.layers > 0 ? wrapped(argv) : [];
  for (const layer of inner) {
    if (left.layers <= 0) break;
    const deeper = unwrap(layer, depth + 1, left);
    commands.push(...deeper.commands);
    scripts.push(...deeper.scripts);
  }
  scripts.push(...scriptsOf(argv));
  return { commands, scripts };
}
function wrapped(argv) {
  const name = programName(argv[0] ?? "");
  if (name === "find" || name === "fd" || name === "fdfind") return executedByFind(argv);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : void 0;
  if (!wrapper) return containerCommand(name, argv);
  const values = new Set((wrapper.values ?? "").split(" "));
  const starts = [];
  let at = 1;
  let operands = wrapper.operands ?? 0;
  for (; at < argv.length; at += 1) {
    const word = argv[at];
    if (values.has(word)) at += 1;
    else if (word === "-") continue;
    else if (word.startsWith("-")) {
      const next = argv.slice(at + 2);
      if (next.length > 0 && !word.includes("=") && !(argv[at + 1] ?? "").startsWith("-")) starts.push(next);
    } else if (/^[A-Za-z_]\w*=/.test(word)) continue;
    else if (operands > 0) operands -= 1;
    else break;
  }
  if (at < argv.length) starts.push(argv.slice(at));
  return starts;
}
function executedByFind(argv) {
  let left = MOST_EXECUTED;
  return argv.flatMap((word, i) => {
    if (left <= 0 || !/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) return [];
    left -= 1;
    const behind2 = argv.slice(i + 1, i + 1 + MOST_WORDS2);
    const end = behind2.findIndex((later) => later === ";" || later === "+");
    return [end < 0 ? behind2 : behind2.slice(0, end)];
  });
}
function containerCommand(name, argv) {
  const dashes = argv.indexOf("--");
  if (/^(npm|pnpm|yarn)$/.test(name) && !/^(exec|x|dlx)$/.test(argv[1] ?? "")) return [];
  if (/^(kubectl|oc|npx|npm|pnpm|yarn|bunx|uvx|uv|poetry|pipenv|conda|mise|direnv)$/.test(name) && dashes > 0)
    return [argv.slice(dashes + 1)];
  if (/^(docker|podman|nerdctl|tmux)$/.test(name)) return endsOf(argv);
  if (/^(npx|bunx|uvx)$/.test(name)) return [argv.slice(1).filter((word, i) => i > 0 || !word.startsWith("-"))];
  return [];
}
var endsOf = (argv) => /^(?:exec|run|new|new-session|new-window|split-window|neww|splitw|respawn-pane)$/.test(argv[1] ?? "") ? argv.slice(2, MOST_STARTS2).flatMap((word, i) => word.startsWith("-") ? [] : [argv.slice(i + 2)]) : [];
function elsewhere(argv) {
  const at = argv.slice(0, MOST_OPTIONS).findIndex((word) => /^(?:-C|-D|--chdir)$|^--chdir=/.test(word));
  if (at < 0) return [];
  const glued = /^--chdir=(.*)$/s.exec(argv[at])?.[1];
  const start = at + (glued === void 0 ? 2 : 1);
  const rest = argv.slice(start, start + MOST_OPTIONS);
  return [`cd ${inShell(glued ?? argv[at + 1] ?? "")} && ${rest.map(inShell).join(" ")}`];
}
function withVariables(argv) {
  const set = argv.slice(1, MOST_OPTIONS).filter((word) => /^[A-Za-z_]\w*=/.test(word));
  const start = set.length === 0 ? -1 : argv.lastIndexOf(set.at(-1));
  const assigned = set.map((word) => `${word.slice(0, word.indexOf("="))}=${inShell(word.slice(word.indexOf("=") + 1))}`);
  const rest = argv.slice(start + 1, start + 1 + MOST_OPTIONS);
  return start < 0 || rest.length === 0 ? [] : [`${assigned.join("; ")}; ${rest.map(inShell).join(" ")}`];
}
var inShell = (word) => /^[\w./~*:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
function withParameters(script, words) {
  if (words.length === 0) return script;
  return script.replace(/"\$\{?([0-9@*])\}?"|\$\{?([0-9@*])\}?/g, (_, quoted, bare) => {
    const name = quoted ?? bare ?? "";
    return (/[@*]/.test(name) ? words.slice(1) : [words[Number(name)] ?? ""]).map(inShell).join(" ");
  });
}
function scriptsOf(argv) {
  const name = programName(argv[0] ?? "");
  if (name === "eval") return [argv.slice(1).join(" ")];
  if (name === "alias") return argv.slice(1).map((word) => word.slice(word.indexOf("=") + 1));
  if (name === "ssh") return [argv.slice(2).join(" "), ...argv.slice(2)];
  if (name === "env")
    return [
      ...elsewhere(argv),
      ...withVariables(argv),
      ...argv.flatMap(
        (word, i) => /^(-[a-zA-Z]*S|--split-string)$/.test(word) ? argv.slice(i + 1, i + 2) : splitString(word)
      )
    ];
  if (name === "sudo") {
    const shell = argv.slice(0, MOST_OPTIONS).some((word) => /^-[a-zA-Z]*[si]$|^--(?:shell|login)$/.test(word));
    const line = argv.slice(1, MOST_OPTIONS).filter((word) => !word.startsWith("-"));
    return shell ? [...elsewhere(argv), line.join(" ")] : elsewhere(argv);
  }
  if (name === "tmux") return argv.slice(2);
  if (name === "git") return gitAliases(argv);
  if (/^(?:vim?|nvim|ex|view|gdb|lldb|less|more)$/.test(name))
    return argv.flatMap((word) => /^(?:-c|-ex|\+)?:?!\s*(.+)$/s.exec(word)?.[1] ?? []);
  if (name === "trap" || name === "watch" || name === "parallel" || name === "flock") return argv.slice(1, 4);
  if (/^cmd(\.exe)?$/i.test(name)) {
    const at2 = argv.findIndex((word) => /^\/[ck]$/i.test(word));
    return at2 < 0 ? [] : [argv.slice(at2 + 1).join(" ")];
  }
  if (!SHELLS.test(name)) return [];
  const at = argv.findIndex((word, i) => i > 0 && (/^-[a-zA-Z]*c$/.test(word) || word === "--command"));
  const glued = argv.flatMap((word) => /^--command=(.+)$/s.exec(word)?.[1] ?? []);
  if (/^(?:su|runuser|script)$/.test(name)) glued.push(...argv.flatMap((word) => /^-c(.+)$/s.exec(word)?.[1] ?? []));
  if (at < 0) return glued;
  let start = at + 1;
  while (/^[-+]./.test(argv[start] ?? "")) start += /^[-+][oO]$/.test(argv[start]) ? 2 : 1;
  const script = argv[start];
  return script === void 0 ? glued : [...glued, withParameters(script, argv.slice(start + 1))];
}
function gitAliases(argv) {
  const names = argv.includes("config") && argv.some((word) => /^alias\.[^=]+$/.test(word));
  return argv.flatMap((word) => (names ? /^!(.+)$/s : /^alias\.[^=]*=!(.+)$/s).exec(word)?.[1] ?? []);
}
var splitString = (word) => {
  const found = /^(?:-[a-zA-Z]*S|--split-string=)(.+)$/s.exec(word);
  return found?.[1] === void 0 ? [] : [found[1]];
};
var isShell = (word) => SHELLS.test(programName(word));

// src/policy/destructive/wiping-commands.ts
function wipe(argv, cwd) {
  const [program = "", ...words] = argv;
  const name = programName(program.replace(/\\/g, "/")).replace(/\.(exe|com|cmd|bat)$/i, "");
  const lower = /[?*[]/.test(name) && matchesRm(name) ? "rm" : name.toLowerCase();
  if (words.length > 0 && words.every((word) => /^(--help|--version|-h|-V|\/\?|--usage)$/.test(word))) return null;
  const call = { name, words, operands: operandsOf(words), cwd };
  return (Object.hasOwn(WIPERS, lower) ? WIPERS[lower]?.(call) : null) ?? formats(call);
}
var matchesRm = (glob) => /^(?:\[?r\]?|\?)(?:\[?m\]?|\?)$/.test(glob) || /^(?:r\*|\*m)$/.test(glob);
var operandsOf = (words) => {
  const end = words.indexOf("--");
  return words.filter((word, i) => end >= 0 && i > end || !word.startsWith("-") && i !== end);
};
var isRecursive2 = (word) => /^--r(e(c(u(r(s(i(ve?)?)?)?)?)?)?)?$/.test(word) || /^-[a-zA-Z]*[rR]/.test(word) && !word.startsWith("--") || /^\/s$/i.test(word);
var firstPrecious = (call) => call.operands.find((word) => isPrecious(word, call.cwd));
var remove = (call) => {
  if (!call.words.some(isRecursive2) && !call.words.includes("--no-preserve-root")) return null;
  const place = firstPrecious(call);
  return place === void 0 ? null : `${call.name} would wipe ${place}`;
};
var removeItem = (call) => {
  if (!call.words.some(
    (word) => /^-r(e(c(u(r(se?)?)?)?)?)?(:|$)/i.test(word) || /^(?:\/[a-z])*\/s(?:\/[a-z])*$/i.test(word)
  ))
    return null;
  const operands = call.operands.filter((word) => !/^(?:\/[a-z])+$/i.test(word));
  const paths = operands.flatMap((word) => word.split(",")).map((word) => word.replace(/^["']|["'}]+$/g, ""));
  const place = paths.find((word) => isPrecious(word, call.cwd));
  return place === void 0 ? null : `${call.name} would wipe ${place}`;
};
var removeAny = (call) => remove(call) ?? removeItem(call);
var changeAll = (call) => {
  if (!call.words.some(isRecursive2)) return null;
  const place = call.operands.slice(1).find((word) => isPrecious(word, call.cwd)) ?? (withoutMode(call) ? firstPrecious(call) : void 0);
  return place === void 0 ? null : `${call.name} would change everything in ${place}`;
};
var withoutMode = (call) => /^(?:chattr|setfacl)$/.test(call.name) || call.words.some((word) => /^--reference|^-[wxXstu]+$/.test(word));
var onDisk = (what) => (call) => {
  const disk = call.operands.find(isDisk);
  return disk === void 0 ? null : `${call.name} would ${what} ${disk}`;
};
var WIPERS = {
  rm: removeAny,
  rmdir: removeItem,
  rd: removeItem,
  del: removeItem,
  erase: removeItem,
  rimraf: (call) => firstPrecious(call) === void 0 ? null : `rimraf would wipe ${firstPrecious(call)}`,
  gio: (call) => (call.operands[0] === "trash" ? WIPERS.trash?.(call) : null) ?? null,
  trash: (call) => firstPrecious(call) === void 0 ? null : `trash would move away ${firstPrecious(call)}`,
  chmod: changeAll,
  chown: changeAll,
  chgrp: changeAll,
  chattr: changeAll,
  setfacl: changeAll,
  dd: (call) => {
    const target = call.words.find((word) => word.startsWith("of=") && isDisk(word.slice(3)));
    return target === void 0 ? null : `dd would overwrite ${target.slice(3)}`;
  },
  tee: onDisk("overwrite"),
  cp: (call) => isDisk(call.operands.at(-1) ?? "") ? `cp would overwrite ${call.operands.at(-1)}` : null,
  mv: (call) => {
    if (isDisk(call.operands.at(-1) ?? "")) return `mv would overwrite ${call.operands.at(-1)}`;
    const target = call.words.findIndex((word) => /^-[a-zA-Z]*t$|^--target-directory/.test(word));
    const given = target < 0 || (call.words[target] ?? "").includes("=") ? void 0 : call.words[target + 1];
    const sources = target < 0 ? call.operands.slice(0, -1) : call.operands.filter((word) => word !== given);
    const place = sources.find((word) => isPrecious(word, call.cwd));
    return place === void 0 ? null : `mv would move away ${place}`;
  },
  shred: (call) => onDisk("overwrite")(call) ?? remove({ ...call, words: ["-r", ...call.words] }),
  wipe: (call) => onDisk("overwrite")(call) ?? remove({ ...call, words: ["-r", ...call.words] }),
  srm: (call) => onDisk("overwrite")(call) ?? remove({ ...call, words: ["-r", ...call.words] }),
  wipefs: (call) => call.words.some((word) => /^(-[a-z]*[af]|--all|--force)/.test(word)) ? onDisk("erase")(call) : null,
  blkdiscard: onDisk("discard"),
  badblocks: (call) => call.words.some((word) => /^-[a-z]*w/.test(word)) ? onDisk("overwrite")(call) : null,
  hdparm: (call) => call.words.some((word) => /security-erase|trim-sector|make-bad-sector/.test(word)) ? onDisk("erase")(call) : null,
  nvme: (call) => /^(format|sanitize)/.test(call.operands[0] ?? "") ? onDisk("format")(call) : null,
  sgdisk: (call) => call.words.some((word) => /^(-Z|-z|-o|--zap|--clear)/.test(word)) ? onDisk("clear")(call) : null,
  sfdisk: (call) => call.words.some((word) => /^(-l|--list|-d|--dump)$/.test(word)) ? null : onDisk("repartition")(call),
  fdisk: (call) => call.words.some((word) => /^(-l|--list|-lu)$/.test(word)) ? null : onDisk("repartition")(call),
  cfdisk: onDisk("repartition"),
  gdisk: (call) => call.words.includes("-l") ? null : onDisk("repartition")(call),
  pvcreate: onDisk("wipe"),
  pvremove: onDisk("wipe"),
  mdadm: (call) => call.words.includes("--zero-superblock") ? onDisk("wipe")(call) : null,
  mkswap: onDisk("format"),
  zpool: (call) => call.operands[0] === "destroy" ? "zpool would destroy a pool of disks" : null,
  parted: (call) => call.words.some((word) => /^(mklabel|mktable|rm|mkpart)$/.test(word)) ? onDisk("repartition")(call) : null,
  cryptsetup: (call) => call.words.some((word) => /^(luksFormat|erase|luksErase|reencrypt)$/.test(word)) ? onDisk("format")(call) : null,
  truncate: onDisk("empty"),
  diskutil: (call) => /^(?:(?:erase|partition|zero|random|secureErase|reformat)|apfs delete)/i.test(call.operands.slice(0, 2).join(" ")) ? "diskutil would erase a disk" : null,
  find: (call) => wipeByFind(call),
  rsync: (call) => call.words.some((word) => word.startsWith("--del")) && isPrecious(call.operands.at(-1) ?? "", call.cwd) ? `rsync would delete in ${call.operands.at(-1)}` : null,
  format: (call) => call.operands.some((word) => /^[a-z]:[\\/]?$/i.test(word)) ? "format would format a drive" : null
};
function formats(call) {
  if (!/^(mkfs|newfs)([._]\w+)?$|^mke2fs$|^mkdosfs$|^mkntfs$|^mkreiserfs$/.test(call.name)) return null;
  const target = call.operands.at(-1);
  if (target === void 0 || call.words.includes("--help") || /^(?!\/dev\/).*\.(?:img|raw|iso|qcow2?)$/.test(target))
    return null;
  return `${call.name} would format ${target}`;
}
function wipeByFind(call) {
  const start = call.words.findIndex((word) => !/^-(?:[HLP]+|O\d*|D)$/.test(word));
  const given = call.words.slice(Math.max(0, start));
  const end = given.findIndex((word) => /^[-(!]/.test(word));
  const place = given.slice(0, Math.max(0, end)).find((word) => isPrecious(word, call.cwd));
  if (place === void 0) return null;
  const narrowed = call.words.some(
    (word, i) => /^-(name|iname|path|ipath|regex|newer|size|mtime|mmin|atime|user|empty|perm)/.test(word) && !/^(?:!|-not)$/.test(call.words[i - 1] ?? "") && !/^\.?\*+$/.test(call.words[i + 1] ?? "")
  );
  if (narrowed) return null;
  if (call.words.includes("-delete")) return `find would delete everything in ${place}`;
  const at = call.words.findIndex((word) => /^-(exec|execdir|ok|okdir)$/.test(word));
  if (at < 0) return null;
  const { commands, scripts } = unwrap(call.words.slice(at + 1, at + 33));
  const run = [...commands, ...scripts.flatMap((text) => roughScan(text).map(({ argv }) => argv))];
  return run.some(([program = ""]) => /^(?:rm|shred|unlink|mv|chmod|chown|chgrp)$/.test(programName(program))) ? `find would remove or change everything in ${place}` : null;
}

// src/policy/destructive/catastrophe.ts
function catastrophe(line, cwd, scanned = roughScan(line)) {
  return inText(line, { cwd, depth: 0, budget: { characters: MOST_CHARACTERS } }, scanned);
}
function catastropheOf(argv, cwd) {
  return inCommand(
    { argv, sinks: [], fed: [], pipedFrom: null },
    { cwd, depth: 0, budget: { characters: MOST_CHARACTERS } }
  );
}
var ENDLESS_FORK = /\bfork\s+while\s+(?:1|true|fork)\b|(?:\bwhile\s*\(?\s*(?:1|true)\b|\bloop\s*(?:\{|do\b)|\bfor\s*\(\s*;\s*;)[^}]{0,60}?\bfork\b|\bfork\b[\s\S]{0,30}\biter\s*\(\s*int/i;
var FUNCTION = /(?:^|[\s;&|({])(?:function\s{1,9}([^\s(){}|&;]{1,64})|([^\s(){}|&;]{1,64})\s{0,9}\(\s{0,9}\))\s{0,9}(?:\(\s{0,9}\)\s{0,9})?[{(]([^{}]{0,300})/g;
var DEEPEST4 = 8;
var MOST_CHARACTERS = 32 * 1024;
var WINDOWS_SHELL = /^(?:powershell|pwsh|cmd)(?:\.exe)?$/i;
var INTERPRETER = /^(?:python[\d.]*|pypy3?|perl|ruby|node|nodejs|deno|bun|php|lua|osascript|pwsh|powershell)(?:\.exe)?$/i;
function inText(text, place, scanned) {
  place.budget.characters -= text.length;
  if (place.budget.characters < 0) return null;
  if (isForkBomb(text)) return "it is a fork bomb: it starts processes until the machine stops";
  let cwd = place.cwd;
  for (const command of scanned ?? roughScan(text, place.known)) {
    const found = inCommand(command, { ...place, cwd });
    if (found) return found;
    const [program, target] = command.argv;
    if (program !== void 0 && /^(?:cd|pushd|chdir|set-location)$/i.test(program)) cwd = moved(cwd, target);
  }
  return null;
}
function isForkBomb(text) {
  if (!/[|&]/.test(text)) return false;
  const bare = text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, "''");
  if (/%0\s{0,9}\|\s{0,9}%0/.test(bare)) return true;
  return [...bare.matchAll(FUNCTION)].some(([, keyword, plain2, body = ""]) => {
    const name = (keyword ?? plain2 ?? "").replace(/[^\w]/g, "\\$&");
    return new RegExp(`(?:^|[\\s;&|])${name}\\s{0,9}(?:\\|&?(?!\\|)|&(?!&))\\s{0,9}${name}(?:$|[\\s;&|])`).test(body);
  });
}
function moved(cwd, target) {
  if (target === void 0 || /^(?:~[\w.-]*|\$HOME|\$\{HOME\})\/?$/.test(target)) return "/home/user";
  return target.includes("$") || target.startsWith("-") ? cwd : posix2.resolve(cwd, target.replace(/\\/g, "/"));
}
function inCommand(command, place) {
  const disk = command.sinks.find(isDisk);
  if (disk) return `it would overwrite the disk ${disk}`;
  const { commands, scripts } = unwrap(command.argv);
  for (const argv of commands) {
    const windows = WINDOWS_SHELL.test(programName(argv[0] ?? "")) ? powershellCatastrophe(argv) : null;
    const found = wipe(argv, place.cwd) ?? fedByPipe(argv, command.pipedFrom, place) ?? windows;
    if (found) return found;
  }
  if (place.depth >= DEEPEST4) return null;
  const code = commands.flatMap((argv) => codeTexts(argv));
  if (code.some((text) => ENDLESS_FORK.test(text)))
    return "it is a fork bomb: it starts processes until the machine stops";
  const texts = [...scripts, ...code, ...shellInput(command, commands)];
  for (const text of texts) {
    const found = inText(text, { ...place, depth: place.depth + 1, known: command.known });
    if (found) return found;
  }
  return null;
}
function fedByPipe(argv, from, place) {
  if (!from || programName(argv[0] ?? "") === "xargs") return null;
  const [source = "", ...words] = from.argv;
  const name = programName(source);
  if (!/^(?:rm|shred|unlink)$/.test(programName(argv[0] ?? ""))) return null;
  if (/^(?:echo|printf)$/.test(name)) return wipe([...argv, ...words.flatMap((word) => word.split(/\s+/))], place.cwd);
  const root = /^(?:find|ls|fd|du)$/.test(name) ? words.find((word) => isPrecious(word, place.cwd)) : void 0;
  return root === void 0 ? null : `rm would wipe all that ${name} finds in ${root}`;
}
function shellInput(command, commands) {
  const readers = commands.filter((argv) => readsInput(argv));
  if (readers.length === 0) return [];
  const from = command.pipedFrom;
  const echoed = from && /^(?:echo|printf|cat)$/.test(programName(from.argv[0] ?? "")) ? from.argv.slice(1) : [];
  const piped = echoed.length > 0 ? [echoed.join(" "), ...echoed.map((word) => word.replace(/\\n/g, "\n"))] : [];
  const made = from ? printed(from) : null;
  const given = [...command.fed, ...from?.fed ?? [], ...piped, ...made === null ? [] : [made]];
  return readers.some(([program = ""]) => INTERPRETER.test(programName(program))) ? given.flatMap(inCode) : given;
}
var readsInput = (argv) => {
  const name = programName(argv[0] ?? "");
  if (/^(?:source|\.|at|batch|ssh)$/.test(name)) return true;
  return (isShell(name) || INTERPRETER.test(name)) && !argv.some((word) => /^-[a-z]*[ce]$/.test(word));
};
function codeTexts(argv) {
  const name = programName(argv[0] ?? "").replace(/^.*\\/, "");
  if (/^[gmn]?awk$/.test(name)) return argv.slice(1).flatMap((word) => /\bsystem\b|\|/.test(word) ? inCode(word) : []);
  if (/^g?sed$/.test(name))
    return argv.slice(1).flatMap((word) => /(?:^|[\d$,;{}!])\s{0,9}e\s+(.+)/.exec(word)?.[1] ?? []);
  if (!INTERPRETER.test(name)) return [];
  return argv.flatMap((word, i) => {
    const glued = /^--(?:eval|print)=(.+)$/s.exec(word)?.[1];
    if (glued !== void 0) return inCode(glued);
    return /^eval$|^-{1,2}(?:c|e|E|r|p|pe|ne|eval|print|Command|EncodedCommand)$/i.test(argv[i - 1] ?? "") ? inCode(word) : [];
  });
}
var HOME_IN_CODE = /(?:Path\.home\(\)|homedir\(\)|environ\[["']HOME["']\]|getenv\(["']HOME["']\)|process\.env\.HOME|ENV\[["']HOME["']\]|Dir\.home)\s*[,)]/;
function inCode(word) {
  const strings = [...word.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)].map(([, , text = ""]) => text);
  const tree = /(?:rmtree|rmSync|rmdirSync|rm_rf|removeSync|remove_tree|remove_dir_all|rimraf|fs\.rm|Deno\.remove(?:Sync)?)\b/.test(
    word
  );
  const words = /(?:\[|\(|\bexec|\bsystem)\s*(["'])rm\1\s*,/.test(word) ? [strings.join(" ")] : [];
  const runs = /system|exec|popen|subprocess|spawn|`|qx|\bcall\b|\brun\(|shell script|getline/i.test(word);
  const home = tree && HOME_IN_CODE.test(word) ? ["rm -rf ~"] : [];
  return [
    ...home,
    ...runs ? [...strings, ...words] : [],
    word,
    ...tree ? strings.map((text) => `rm -rf '${text}'`) : []
  ];
}

// src/policy/destructive/grave.ts
function grave(scanned) {
  for (const command of scanned) {
    const found = graveCommand(command.argv);
    if (found) return found;
    const from = programName(command.pipedFrom?.argv[0] ?? "");
    if (/^(?:curl|wget|fetch|base64|xxd|openssl)$/.test(from) && unwrap(command.argv).commands.some(([program = ""]) => isShell(program)))
      return "it runs what it downloads or decodes";
  }
  return null;
}
function graveCommand(argv, depth = 0, budget = { characters: MOST_CHARACTERS2 }) {
  const { commands, scripts } = unwrap(argv);
  for (const words of commands) {
    const found = graveArgv(words);
    if (found) return found;
  }
  if (depth > 3) return null;
  for (const text of scripts) {
    budget.characters -= text.length;
    if (budget.characters < 0) return null;
    for (const { argv: inner } of roughScan(text)) {
      const found = graveCommand(inner, depth + 1, budget);
      if (found) return found;
    }
  }
  return null;
}
var MOST_CHARACTERS2 = 128 * 1024;
function graveArgv(argv) {
  const [program = "", ...words] = argv;
  const name = programName(program).replace(/\.exe$/i, "");
  if (words.some((word) => /^(--help|--version|-\?|\/\?|--dry-run(=.*)?)$/.test(word))) return null;
  for (const rule of GRAVE2) {
    if (!rule.program.test(name)) continue;
    if (rule.when ? rule.when(words) : true) return `${name} ${rule.why}`;
  }
  return null;
}
var has = (pattern) => (words) => words.some((word) => pattern.test(word));
var letters = (set) => new RegExp(`^-[a-zA-Z]*[${set}]`);
var first = (pattern) => (words) => pattern.test(words.find((word) => !word.startsWith("-")) ?? "");
function gitCall(words) {
  let at = 0;
  while (words[at]?.startsWith("-"))
    at += /^(-c|-C|--git-dir|--work-tree|--namespace)$/.test(words[at]) ? 2 : 1;
  return { name: words[at] ?? "", rest: words.slice(at + 1) };
}
var GRAVE_GIT = {
  push: (rest) => rest.some(
    (word) => /^(--force|--force-with-lease|--force-if-includes|--mirror|--delete|--prune)(=|$)/.test(word) || letters("fd").test(word) || /^[+:]./.test(word)
  ),
  reset: has(/^--(hard|merge|keep)$/),
  clean: (rest) => has(/^--force$|^-[a-zA-Z]*f/)(rest) && !has(/^--dry-run$|^-[a-zA-Z]*n/)(rest),
  checkout: (rest) => has(/^(-f|--force|\.)$/)(rest) || rest.includes("--") && !rest.includes("--staged"),
  switch: has(/^(-f|--force|--discard-changes)$/),
  restore: (rest) => rest.some((word) => !word.startsWith("-")) && (!rest.includes("--staged") || rest.includes("--worktree")),
  branch: (rest) => has(/^-[a-zA-Z]*[DM]/)(rest) || has(/^(-d|--delete)$/)(rest) && has(/^(-f|--force)$/)(rest),
  stash: (rest) => /^(drop|clear)$/.test(rest[0] ?? ""),
  reflog: (rest) => /^(expire|delete)$/.test(rest[0] ?? ""),
  "filter-branch": () => true,
  "filter-repo": () => true,
  "update-ref": has(/^-d$/),
  gc: has(/^--prune=(now|all)$/),
  worktree: (rest) => rest[0] === "remove" && has(/^(-f|--force)$/)(rest)
};
var SQL = /\b(?:drop\s+(?:table|database|schema|index|view|user|role|collection)|truncate\s+(?:table\s+)?\w|delete\s+from\s+\w+\s*;?\s*$|dropDatabase|flushall|flushdb)\b/i;
var GRAVE2 = [
  {
    program: /^rm$/,
    when: (words) => has(/^--recursive$/)(words) || words.some((word) => letters("rR").test(word) && !word.startsWith("--")),
    why: "deletes whole directories"
  },
  { program: /^(rmdir|rd|del|erase)$/i, when: has(/^\/s$/i), why: "deletes whole directories" },
  { program: /^(shred|srm|wipe)$/, why: "makes files unrecoverable" },
  { program: /^truncate$/, why: "cuts files off" },
  { program: /^dd$/, when: has(/^of=(?!\/dev\/(null|stdout))/), why: "overwrites what it is told" },
  {
    program: /^find$/,
    when: (words) => words.includes("-delete") || words.some(
      (word, i) => /^-(exec|execdir|ok|okdir)$/.test(word) && /^(.*\/)?(rm|shred|unlink)$/.test(words[i + 1] ?? "")
    ),
    why: "deletes what it finds"
  },
  { program: /^(shutdown|reboot|halt|poweroff)$/i, when: (words) => !words.includes("-c"), why: "stops the machine" },
  { program: /^(init|telinit)$/, when: has(/^[016]$/), why: "stops the machine" },
  {
    program: /^systemctl$/,
    when: first(/^(reboot|poweroff|halt|kexec|suspend|hibernate|rescue|emergency|isolate|mask|disable|stop)$/),
    why: "stops the machine or a service"
  },
  { program: /^(stop|restart)-computer$/i, why: "stops the machine" },
  {
    program: /^kill$/,
    when: (words) => words.slice(words.some((word) => /^-(\d+|[A-Z]+|s|n)$/.test(word) && word !== "-1") ? 1 : 0).includes("-1") || words.at(-1) === "-1" || words.includes("1"),
    why: "ends every process"
  },
  { program: /^killall5$/, why: "ends every process" },
  {
    program: /^git$/,
    when: (words) => GRAVE_GIT[gitCall(words).name]?.(gitCall(words).rest) ?? false,
    why: "throws work away or rewrites history"
  },
  {
    program: /^(psql|mysql|mariadb|sqlite3|mongo|mongosh|redis-cli|sqlcmd|clickhouse-client|cockroach|duckdb)$/,
    when: (words) => SQL.test(words.join(" ")),
    why: "drops data"
  },
  { program: /^(dropdb|dropuser)$/, why: "drops a database" },
  { program: /^(kubectl|oc)$/, when: first(/^(delete|drain|replace)$/), why: "deletes in the cluster" },
  { program: /^helm$/, when: first(/^(uninstall|delete|rollback)$/), why: "removes a release" },
  {
    program: /^(terraform|tofu|pulumi|terragrunt|cdk)$/,
    when: (words) => first(/^(destroy|taint)$/)(words) || has(/^--?auto-approve$/)(words),
    why: "changes real infrastructure"
  },
  {
    program: /^(docker|podman)$/,
    when: (words) => words.includes("prune") || /\b(volume rm|system prune|swarm leave)\b/.test(words.join(" ")),
    why: "removes data of containers"
  },
  {
    program: /^(docker-compose|docker|podman)$/,
    when: (words) => words.includes("down") && words.some((word) => /^(-v|--volumes)$/.test(word)),
    why: "removes volumes"
  },
  {
    program: /^aws$/,
    when: (words) => /\b(rm|rb)\b.*(--recursive|--force)|\b(delete|terminate)-/.test(words.join(" ")),
    why: "deletes in the cloud"
  },
  {
    program: /^(gcloud|az|heroku|fly|flyctl|doctl|vercel|gsutil)$/,
    when: (words) => /\b(delete|destroy|remove|rm|purge)\b|:destroy\b/.test(words.join(" ")),
    why: "deletes in the cloud"
  },
  {
    program: /^gh$/,
    when: (words) => /\b(repo|release|secret|run|issue|codespace|gist) delete\b/.test(words.join(" ")),
    why: "deletes on the server"
  },
  { program: /^(npm|yarn|pnpm)$/, when: first(/^(publish|unpublish|deprecate)$/), why: "publishes for everybody" },
  {
    program: /^(cargo|gem|twine|poetry|uv)$/,
    when: first(/^(publish|yank|push|upload)$/),
    why: "publishes for everybody"
  },
  {
    program: /^(apt|apt-get|dnf|yum|zypper|apk)$/,
    when: first(/^(remove|purge|autoremove|erase|dist-upgrade|del)$/),
    why: "removes system packages"
  },
  { program: /^pacman$/, when: has(/^-R/), why: "removes system packages" },
  { program: /^crontab$/, when: has(/^-[a-z]*r/), why: "deletes the timetable" },
  { program: /^(userdel|deluser|groupdel|passwd|visudo|chpasswd)$/, why: "changes who may log in" },
  { program: /^(iptables|ip6tables|nft)$/, when: has(/^(-F|--flush|-X|flush)$/), why: "opens the firewall" },
  { program: /^ufw$/, when: first(/^(disable|reset)$/), why: "opens the firewall" },
  {
    program: /^(chmod|chown|chgrp)$/,
    when: (words) => words.some((word) => letters("R").test(word) && !word.startsWith("--")) && words.some((word) => /^(0?777|000|a\+rwx)$/.test(word)),
    why: "changes the rights of everything"
  },
  {
    program: /^(fdisk|parted|sgdisk|sfdisk|wipefs|cryptsetup|mkfs.*|mkswap|lvremove|vgremove|pvremove|zpool|mdadm)$/,
    when: (words) => !has(/^(-l|--list|-d|--dump|list|status|--detail|--examine)$/)(words),
    why: "changes disks"
  },
  { program: /^rsync$/, when: has(/^--del/), why: "deletes on the other side" },
  { program: /^history$/, when: has(/^-[cd]/), why: "deletes the history" },
  { program: /^reg$/i, when: first(/^delete$/i), why: "deletes from the registry" }
];

// src/policy/literal-reader.ts
function readLiterally(line, shell = "bash") {
  const reader = new LiteralReader(line, shell);
  try {
    return reader.read();
  } catch (reason) {
    if (reason instanceof GiveUp) return { gaveUp: reason.message, seen: reader.finished() };
    throw reason;
  }
}
var GiveUp = class extends Error {
};
var MOST_COMMANDS2 = 64;
var MOST_WORDS3 = 2048;
var RESERVED = new Set(
  "if then else elif fi do done case esac while until for in function select time { } [[ ]] ! coproc repeat foreach end nocorrect noglob".split(
    " "
  )
);
var SPECIAL = {
  "`": "a command substitution",
  $: "a $ expansion",
  "(": "a parenthesis",
  ")": "a parenthesis",
  "}": "a brace"
};
var LiteralReader = class {
  #line;
  #shell;
  #at = 0;
  #commands = [];
  #operators = [];
  #words = [];
  #start = -1;
  #end = -1;
  /** Redirections alone make a command too: `> /dev/null` runs nothing, but a separator may follow it. */
  #redirected = false;
  /** After `&&`, `||` and `|` a command must follow; line breaks may come first. */
  #owed = false;
  #joint = null;
  constructor(line, shell) {
    this.#line = line;
    this.#shell = shell;
  }
  finished() {
    return this.#commands;
  }
  read() {
    while (this.#at < this.#line.length) this.#readNext();
    this.#endCommand();
    if (this.#owed) throw new GiveUp("an operator without a command behind it");
    if (this.#commands.length === 0) throw new GiveUp("no command");
    return { commands: this.#commands, operators: this.#operators };
  }
  #readNext() {
    const char = this.#line[this.#at];
    const rest = this.#line.slice(this.#at, this.#at + 3);
    if (char === " " || char === "	") this.#at += 1;
    else if (char === "#" && this.#afterBlank()) this.#skipComment();
    else if (char === "\n") this.#lineBreak();
    else if (rest.startsWith("&&") || rest.startsWith("||")) this.#join(rest.slice(0, 2));
    else if (rest.startsWith("&>")) this.#redirect("&>");
    else if (rest.startsWith("|&") && this.#shell === "bash") this.#join("|&");
    else if (char === "|") this.#join("|");
    else if (char === ";") this.#semicolon();
    else if (char === "&") throw new GiveUp("a & that runs it in the background");
    else if (char === ">" || char === "<") this.#redirect("");
    else this.#takeWord();
  }
  #afterBlank() {
    return this.#at === 0 || /[ \t\n]/.test(this.#line[this.#at - 1]);
  }
  #skipComment() {
    const lineEnd = this.#line.indexOf("\n", this.#at);
    this.#at = lineEnd < 0 ? this.#line.length : lineEnd;
  }
  #lineBreak() {
    if (this.#endCommand()) this.#joint = "\n";
    this.#operators.push("\n");
    this.#at += 1;
  }
  #semicolon() {
    if (!this.#endCommand()) throw new GiveUp("a ; without a command before it");
    this.#separate(";");
    this.#at += 1;
  }
  #join(operator) {
    if (!this.#endCommand()) throw new GiveUp("an operator without a command before it");
    this.#separate(operator);
    this.#owed = true;
    this.#at += operator.length;
  }
  #separate(operator) {
    this.#operators.push(operator);
    this.#joint = operator;
  }
  #endCommand() {
    if (this.#words.length === 0) {
      if (this.#redirected) throw new GiveUp("a redirection without a command");
      return false;
    }
    if (this.#commands.length >= MOST_COMMANDS2) throw new GiveUp(`more than ${MOST_COMMANDS2} commands`);
    const globs = this.#words.flatMap((word, i) => word.glob ? [i] : []);
    if (globs[0] === 0) throw new GiveUp("a program name with a wildcard");
    const argv = this.#words.map((word) => word.text);
    const joint = this.#joint === null ? {} : { joinedBy: this.#joint };
    this.#commands.push({ argv, start: this.#start, end: this.#end, globs, ...joint });
    this.#joint = null;
    this.#words = [];
    this.#start = -1;
    this.#redirected = false;
    this.#owed = false;
    return true;
  }
  #touch(from) {
    if (this.#start < 0) this.#start = from;
    this.#end = this.#at;
  }
  #takeWord() {
    const from = this.#at;
    const word = readWord(this.#line, from, this.#shell);
    this.#at = word.end;
    const next = this.#line[this.#at];
    if ((next === ">" || next === "<") && /^\d+$/.test(word.raw)) {
      if (!/^[12]$/.test(word.raw)) throw new GiveUp("a redirection of an unusual stream");
      this.#redirect(word.raw, from);
      return;
    }
    if (this.#words.length === 0) {
      if (/^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/.test(word.raw)) throw new GiveUp("an assignment before the command");
      if (/^[-+]/.test(word.text)) throw new GiveUp("a program name that looks like an option");
      if (RESERVED.has(word.raw)) throw new GiveUp(`the shell keyword ${word.raw}`);
    }
    if (this.#words.length >= MOST_WORDS3) throw new GiveUp(`more than ${MOST_WORDS3} words`);
    this.#words.push(word);
    this.#touch(from);
  }
  #redirect(prefix, from = this.#at) {
    const shape = /^(?:&>>?|>>?|<)(?:&[12](?=[ \t\n;|&]|$)|[ \t]*\/dev\/null(?=[ \t\n;|&<>]|$))/.exec(
      this.#line.slice(this.#at, this.#at + 64)
    );
    if (!shape) throw new GiveUp("a redirection to or from a file");
    const [text] = shape;
    if (text.startsWith("&>") && (this.#shell === "sh" || text.includes(">&"))) throw new GiveUp("an &> redirection");
    if (text.startsWith(">>&") || text.startsWith("<&")) throw new GiveUp("an unusual redirection");
    if (text.startsWith("<") && prefix !== "") throw new GiveUp("an unusual redirection");
    this.#at += text.length;
    this.#operators.push((prefix === "&>" ? "" : prefix) + text);
    this.#redirected = true;
    this.#touch(from);
  }
};
function readWord(line, start, shell) {
  let text = "";
  let at = start;
  let glob = false;
  let previous = "";
  let unquoted = "";
  const put = (piece, length, bare) => {
    text += piece;
    at += length;
    previous = bare;
    unquoted += bare;
  };
  while (at < line.length) {
    const char = line[at];
    if (/[ \t\n;|&<>]/.test(char)) break;
    if (char === "'") {
      const close = line.indexOf("'", at + 1);
      if (close < 0) throw new GiveUp("a quote that is not closed");
      put(line.slice(at + 1, close), close + 1 - at, "");
    } else if (char === '"') {
      const quoted = readDoubleQuoted(line, at);
      put(quoted.text, quoted.length, "");
    } else if (char === "\\") {
      const next = line[at + 1];
      if (next === void 0 || /[\s\u0000-\u001f]/.test(next.replace(" ", "x")))
        throw new GiveUp("a backslash before a line break or blank");
      const pair = String.fromCodePoint(line.codePointAt(at + 1));
      put(pair, 1 + pair.length, "");
    } else if (char === "{") {
      const literal7 = /^\{[A-Za-z0-9_@/+-]*\}/.exec(line.slice(at, at + 200));
      if (!literal7) throw new GiveUp("a brace");
      put(literal7[0], literal7[0].length, literal7[0]);
    } else if (SPECIAL[char]) throw new GiveUp(SPECIAL[char]);
    else if (char === "~" && (at === start || previous === "=" || previous === ":"))
      throw new GiveUp("a home directory");
    else if (char === "=" && at === start && (/[A-Za-z_]/.test(line[at + 1] ?? "") || !/^(?:ba)?sh$/.test(shell)))
      throw new GiveUp("an =command");
    else {
      if (char === "*" || char === "?" || char === "[") glob = true;
      if ((char === "^" || char === "#" || char === "~") && shell === "zsh") throw new GiveUp("a zsh pattern");
      put(char, 1, char);
    }
  }
  const raw = line.slice(start, at);
  if (unquoted.includes("{") && /[,*?[]|\.\./.test(unquoted)) throw new GiveUp("a brace");
  if (shell === "zsh" && glob) throw new GiveUp("a zsh pattern");
  return { text, raw, glob, end: at };
}
function readDoubleQuoted(line, start) {
  let text = "";
  let at = start + 1;
  for (; at < line.length; at += 1) {
    const char = line[at];
    const next = line[at + 1] ?? "";
    if (char === '"') return { text, length: at + 1 - start };
    if (char === "`") throw new GiveUp("a command substitution");
    if (char === "$" && !/^["\s|)]$/.test(next)) throw new GiveUp("a $ expansion");
    if (char === "\\") {
      if (next === "\n") throw new GiveUp("a backslash before a line break");
      if (/^["\\$`]$/.test(next)) {
        text += next;
        at += 1;
        continue;
      }
    }
    text += char;
  }
  throw new GiveUp("a quote that is not closed");
}

// src/policy/powershell-reader.ts
function readPowerShell(line) {
  const gaveUp = (why) => ({ gaveUp: why, seen: seenInPowerShell(line) });
  if (line.length > LONGEST_LINE) return gaveUp("more text than a PowerShell line runs unasked with");
  const commands = [];
  const operators = [];
  let words = [];
  let at = 0;
  const close = () => {
    const command = commandOf2(words);
    if (typeof command === "string") return command;
    commands.push(command);
    words = [];
    return null;
  };
  while (at < line.length) {
    const blank = /^[ \t]+/.exec(line.slice(at));
    if (blank) {
      at += blank[0].length;
      continue;
    }
    const join5 = /^(?:&&|\|\||\||;)/.exec(line.slice(at, at + 2));
    if (join5) {
      const problem = close();
      if (problem) return gaveUp(problem);
      operators.push(join5[0]);
      at += join5[0].length;
      continue;
    }
    const merge = /^2>&1(?=[ \t;|]|$)/.exec(line.slice(at));
    if (merge && words.length > 0) {
      operators.push(merge[0]);
      at += merge[0].length;
      continue;
    }
    const read = readWords(line, at, words.length === 0);
    if (typeof read === "string") return gaveUp(read);
    words.push(...read.words);
    at = read.end;
  }
  if (words.length > 0 || operators.at(-1) !== ";") {
    const problem = close();
    if (problem) return gaveUp(problem);
  }
  return { commands, operators };
}
var LONGEST_LINE = 8 * 1024;
var SPECIAL2 = {
  $: "a variable",
  "`": "a backtick",
  "(": "a parenthesis",
  ")": "a parenthesis",
  "{": "a script block",
  "}": "a script block",
  "<": "a redirection",
  ">": "a redirection",
  "&": "a call or background operator",
  "\n": "a line break"
};
var BARE = /[\p{L}\p{N}\p{M}!%*+./:=?[\\\]^_~@#-]/u;
var QUOTED = /[\p{L}\p{N}\p{M}\p{P}\p{S}\n\t ]/u;
var TYPOGRAPHIC_QUOTE = /[\u2018-\u201f]/;
function readWords(line, start, isProgram2) {
  const words = [];
  let from = start;
  while (true) {
    const one = readItem(line, from);
    if (typeof one === "string") return one;
    words.push(one);
    const comma = /^[ \t]*,[ \t]*/.exec(line.slice(one.end));
    if (!comma || isProgram2) return { words, end: one.end };
    from = one.end + comma[0].length;
  }
}
function readItem(line, start) {
  const first2 = line[start] ?? "";
  if (first2 === "'" || first2 === '"') {
    const quote = readQuotes(line, start);
    if (typeof quote === "string") return quote;
    if (!/^(?:[ \t;|,]|$)/.test(line.slice(quote.end, quote.end + 1))) return "text right after a quote";
    return { text: quote.text, start, end: quote.end, bare: false };
  }
  if (/[@#]/.test(first2)) return first2 === "#" ? "a comment" : "an array, hash table or splat";
  let text = "";
  let at = start;
  while (at < line.length) {
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
    if (/[ \t;|,]/.test(char)) break;
    if (char === "'" || char === '"') {
      const quote = readQuotes(line, at);
      if (typeof quote === "string") return quote;
      if (/^-[^-]/.test(text)) return "a quote inside a parameter";
      text += quote.text;
      at = quote.end;
      continue;
    }
    if (SPECIAL2[char]) return SPECIAL2[char];
    if (!BARE.test(char)) return "a character PowerShell may read in its own way";
    text += char;
    at += char.length;
  }
  if (text === "") return "a comma without a word";
  if (text.startsWith("--%")) return "the stop-parsing mark";
  if (/^-[A-Za-z_][^-=]*\./.test(text)) return "a parameter with a dot in it";
  return { text, start, end: at, bare: true };
}
function readQuotes(line, start) {
  const quote = line[start];
  let text = "";
  let at = start + 1;
  while (at < line.length) {
    const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
    if (char === quote) {
      if (line[at + 1] !== quote) return { text, end: at + 1 };
      at += 1;
    } else if (quote === '"' && /[$`]/.test(char)) return "an expansion inside double quotes";
    else if (TYPOGRAPHIC_QUOTE.test(char)) return "a typographic quote, which PowerShell reads as a plain one";
    else if (!QUOTED.test(char)) return "an invisible or control character";
    text += char;
    at += char.length;
  }
  return "a quote that is not closed";
}
var PROGRAM = /^(?:[A-Za-z_]|\.{1,2}[\\/]|[\\/])[\w.\\/:+-]*$/;
var KEYWORD = /^(?:begin|break|catch|class|clean|configuration|continue|data|define|do|dynamicparam|else|elseif|end|enum|exit|filter|finally|for|foreach|from|function|hidden|if|in|inlinescript|parallel|param|process|return|sequence|static|switch|throw|trap|try|until|using|var|while|workflow)$/i;
var CMDLET = /^(?:add|clear|compare|convert|convertfrom|convertto|copy|disable|enable|export|find|format|get|group|import|invoke|join|measure|move|new|out|read|remove|rename|resolve|select|set|show|sort|split|start|stop|tee|test|update|where|write)-[a-z]+$/i;
function commandOf2(words) {
  const [first2, ...rest] = words;
  const last = words.at(-1);
  if (!first2 || !last) return "a separator without a command";
  if (!first2.bare || !PROGRAM.test(first2.text)) return "an expression instead of a command";
  if (KEYWORD.test(first2.text)) return `the keyword ${first2.text}`;
  if (rest.some((word) => word.text.startsWith("~"))) return "a home directory";
  const toCmdlet = CMDLET.test(first2.text);
  if (!toCmdlet && rest.some((word) => word.text === "" || /"|[ \t\n].*\\$/s.test(word.text)))
    return "a word that older PowerShells hand to a program in other pieces";
  const globs = words.flatMap((word, i) => !toCmdlet && word.bare && /[*?[]/.test(word.text) ? [i] : []);
  return { argv: words.map((word) => word.text), start: first2.start, end: last.end, globs };
}

// src/policy/pattern.ts
function readPattern(text, shell = "bash") {
  const open = /(^|\s)\*\s*$/.exec(text);
  const start = open ? text.slice(0, open.index) : text;
  if (start.trim() === "") return { problem: open ? "would allow every command" : "is empty" };
  const reading2 = shell === "powershell" ? readPowerShell(start) : readLiterally(start, shell === "cmd" ? "bash" : shell);
  if ("gaveUp" in reading2) return { problem: `has ${reading2.gaveUp}; a pattern is plain words, and * only as the last` };
  const [command, second] = reading2.commands;
  if (!command || second || (reading2.operators ?? []).length > 0)
    return { problem: "has an operator; a pattern is one command" };
  if (command.globs.length > 0) return { problem: "has an unquoted wildcard; * may stand only as the last word" };
  return { text, words: command.argv, openEnded: open !== null };
}
function matches(pattern, argv, shell = "bash") {
  if (pattern.openEnded ? argv.length < pattern.words.length : argv.length !== pattern.words.length) return false;
  const windows = shell === "powershell" || shell === "cmd";
  return pattern.words.every((word, i) => {
    const given = argv[i];
    return word === given || windows && i === 0 && word.toLowerCase() === given.toLowerCase();
  });
}

// src/policy/tools/option-model.ts
function inspectOptions(model) {
  let table = null;
  return (argv, start) => {
    table ??= compile(model);
    return new Inspection(model, table, argv).run(start);
  };
}
function compile(model) {
  const table = /* @__PURE__ */ new Map();
  const add = (list, why) => {
    for (const item of list.split(/\s+/).filter(Boolean)) {
      const kind = KINDS[item.at(-1) ?? ""] ?? "flag";
      table.set(spelled(kind === "flag" ? item : item.slice(0, -1), model), { kind, why });
    }
  };
  add(model.options ?? "", null);
  for (const [list, why] of Object.entries(model.hazards ?? {})) add(list, why);
  return table;
}
var KINDS = { "=": "value", "?": "glued", ":": "text" };
function spelled(name, model) {
  return model.spelling === "loose" && name.startsWith("--") ? `--${name.replaceAll("-", "").toLowerCase()}` : name;
}
var Inspection = class {
  #hazards = [];
  #operands = [];
  #seen = /* @__PURE__ */ new Set();
  #model;
  #table;
  #argv;
  constructor(model, table, argv) {
    this.#model = model;
    this.#table = table;
    this.#argv = argv;
  }
  run(start) {
    let ended = false;
    for (let at = start; at < this.#argv.length; at += 1) {
      const word = this.#argv[at];
      if (ended || !word.startsWith("-") || word === "-") {
        this.#operands.push({ at, text: word });
        if (this.#model.order === "options_first") ended = true;
      } else if (word === "--") ended = true;
      else if (word.startsWith("--") || this.#model.dashes === "words") at += this.#long(word, at);
      else at += this.#letters(word, at);
    }
    this.#hazards.push(...this.#model.operands?.(this.#operands, this.#seen) ?? []);
    return this.#hazards;
  }
  /** Returns how many of the next words belong to the option. */
  #long(word, at) {
    const cut = word.indexOf("=");
    const name = cut < 0 ? word : word.slice(0, cut);
    const known = this.#table.get(spelled(name, this.#model)) ?? this.#otherDashes(name);
    if (!known) {
      this.#unlisted(name, at);
      return 0;
    }
    return this.#take(name, known, { at, glued: cut < 0 ? null : word.slice(cut + 1) });
  }
  /** Go and its kin take `--name` and `-name` for the same option. */
  #otherDashes(name) {
    if (this.#model.dashes !== "words") return void 0;
    return this.#table.get(name.startsWith("--") ? name.slice(1) : `-${name}`);
  }
  #letters(word, at) {
    if (this.#model.digits === "allowed" && /^-\d+$/.test(word)) return 0;
    for (let i = 1; i < word.length; i += 1) {
      const name = `-${word[i]}`;
      const known = this.#table.get(name);
      if (!known) {
        if (this.#model.unlisted === "open") continue;
        this.#hazards.push({ at, why: `the option ${name} is not one we know` });
        return 0;
      }
      const rest = word.slice(i + 1);
      const skip = this.#take(name, known, { at, glued: known.kind !== "flag" && rest !== "" ? rest : null });
      if (known.kind === "value" || known.kind === "text" || known.kind === "glued" && rest !== "") return skip;
    }
    return 0;
  }
  #take(name, known, where) {
    this.#seen.add(name);
    if (known.why !== null) this.#hazards.push({ at: where.at, why: known.why });
    const separate = (known.kind === "value" || known.kind === "text") && where.glued === null;
    const value = where.glued ?? (separate ? this.#argv[where.at + 1] : void 0);
    for (const rule of this.#model.values ?? [])
      if (value !== void 0 && rule.of.split(" ").includes(name) && rule.bad.test(value))
        this.#hazards.push({ at: separate ? where.at + 1 : where.at, why: rule.why });
    const dashed = known.kind === "value" && /^-[^\d\s]/.test(this.#argv[where.at + 1] ?? "");
    return separate && !dashed ? 1 : 0;
  }
  #unlisted(name, at) {
    if (this.#model.unlisted === "closed") {
      this.#hazards.push({ at, why: `the option ${name} is not one we know` });
      return;
    }
    if (this.#model.dotted === "ask" && name.includes(".")) this.#hazards.push({ at, why: "sets a nested option" });
    if (this.#model.dashes === "words") return;
    const abbreviated = [...this.#table].find(
      ([option, known]) => known.why !== null && name.length > 2 && option.startsWith(spelled(name, this.#model))
    );
    if (abbreviated) this.#hazards.push({ at, why: `it may stand for ${abbreviated[0]}: ${abbreviated[1].why}` });
  }
};

// src/policy/tools/project-paths.ts
var leavesProject = (text) => /^[/~\\]|^[A-Za-z]:[\\/]|^file:/.test(text) || text.split(/[\\/]/).includes("..");
var insideOnly = (why) => (operands) => operands.filter(({ text }) => leavesProject(text)).map(({ at }) => ({ at, why }));

// src/policy/tools/tool-model.ts
function tools(names, model) {
  return Object.fromEntries(names.split(" ").map((name) => [name, model]));
}
var harmless = { inspect: () => [], globs: "anywhere" };
function options(model, globs = "after_text") {
  return { inspect: inspectOptions(model), globs };
}
function nothingButHelp(why) {
  return {
    globs: "nowhere",
    inspect: (argv, start) => {
      const words = argv.slice(start);
      if (words.length === 1 && HELP.test(words[0])) return [];
      return everyWord(argv, start, why);
    }
  };
}
var HELP = /^(--version|--help)$/;
function everyWord(argv, start, why) {
  if (argv.length <= start) return [{ at: argv.length, why }];
  return argv.slice(start).map((_, i) => ({ at: start + i, why }));
}
function subcommands(spec) {
  const free = new Set(spec.free.split("|"));
  const lists = Object.entries(spec.models).flatMap(([names, model]) => {
    const inspector = typeof model === "function" ? model : inspectOptions(model);
    return names.split("|").map((name) => [name, inspector]);
  });
  const models = new Map(lists);
  const otherwise = typeof spec.otherwise === "function" ? spec.otherwise : inspectOptions(spec.otherwise);
  const globals = inspectOptions(spec.globals);
  const takesValue = new Set(
    `${spec.globals.options ?? ""} ${Object.keys(spec.globals.hazards ?? {}).join(" ")}`.split(" ").filter((item) => /[=:]$/.test(item)).map((item) => item.slice(0, -1))
  );
  return {
    globs: "after_text",
    inspect: (argv, start) => {
      let at = start;
      while (argv[at]?.startsWith("-")) at += takesValue.has(argv[at]) ? 2 : 1;
      const hazards = [...globals(argv.slice(0, Math.min(at, argv.length)), start)];
      const name = argv[at];
      if (name === void 0) return hazards;
      const pair = `${name} ${argv[at + 1] ?? ""}`;
      const chosen2 = models.has(pair) || free.has(pair) ? pair : name;
      const last = chosen2 === pair ? at + 1 : at;
      if (!free.has(chosen2)) hazards.push({ at, why: spec.why, kind: "choice" });
      return [...hazards, ...(models.get(chosen2) ?? otherwise)(argv, last + 1)];
    }
  };
}

// src/policy/tools/archive-tools.ts
var WRITES = "writes files";
var RUNS = "runs a program";
var TAR_LONG = inspectOptions({
  options: "-t -v -f= -z -j -J -C= -O -p -k -h --list --verbose --file= --gzip --bzip2 --xz --zstd --lzma --exclude= --wildcards --no-wildcards --strip-components= --totals --numeric-owner --full-time --utc --show-transformed-names --null --occurrence? --help --version --to-stdout --exclude-vcs --exclude-vcs-ignores --auto-compress -a --no-recursion --directory= --one-file-system --owner= --group= --sort= --mtime= --keep-old-files --no-same-owner --no-same-permissions -o -m --touch",
  hazards: {
    "-c --create -x --extract --get -r --append -u --update -A --catenate --concatenate --delete -d --diff --compare": WRITES,
    "-I= --use-compress-program= --to-command= --checkpoint-action= --info-script= --new-volume-script= -F= --rsh-command= --rmt-command= --checkpoint?": RUNS,
    "-P --absolute-names --transform= --xform= -g= --listed-incremental= --index-file= --overwrite --unlink-first -U --recursive-unlink --remove-files --files-from= --exclude-from= --backup? --volno-file= --suffix= -T= -X= -Z --compress -K= -N= -L= -M -S -s -i -G -B -b= -V= -W -w -l -n -R": "changes what it touches"
  },
  values: [{ of: "-f --file", bad: /:/, why: "is on another machine" }],
  unlisted: "closed"
});
var CHANGES_FILES = /^-?[a-zA-Z]*[cxruA]|^--(create|extract|get|append|update|catenate|concatenate)$/;
function outside(argv, start) {
  if (!CHANGES_FILES.test(argv[start] ?? "")) return [];
  return argv.flatMap((word, at) => {
    if (at <= start) return [];
    const before = argv[at - 1];
    const glued = /^(?:-C|--(?:directory|file)=)(.+)$/.exec(word)?.[1];
    const target = glued ?? (at === start + 1 || /^(-[a-zA-Z]*[Cf]|--directory|--file)$/.test(before) ? word : null);
    return target !== null && leavesProject(target) ? [{ at, why: "is outside the project" }] : [];
  });
}
function inspectTar(argv, start) {
  const first2 = argv[start];
  const elsewhere2 = outside(argv, start);
  if (first2 === void 0 || first2.startsWith("-")) return [...TAR_LONG(argv, start), ...elsewhere2];
  const hazards = [];
  if (/[cxruAd]/.test(first2)) hazards.push({ at: start, why: WRITES });
  if (/[^tvfzjJOpkhacxruAd]/.test(first2)) hazards.push({ at: start, why: RUNS });
  const archive = argv[start + 1];
  if (first2.includes("f") && archive?.includes(":")) hazards.push({ at: start + 1, why: "is on another machine" });
  return [...hazards, ...TAR_LONG(argv, start + 1), ...elsewhere2];
}
var ARCHIVE_TOOLS = {
  ...tools("tar gtar bsdtar", { inspect: inspectTar, globs: "after_text" }),
  ...tools(
    "unzip",
    options({
      options: "-l -v -t -Z -z -q -1 -2 -h -p -c -C -x=",
      hazards: { "-d= -o -n -f -u -j -a -X -K -P= -: -L -M": WRITES },
      unlisted: "closed",
      operands: (operands, seen) => ["-l", "-v", "-t", "-Z", "-z", "-p", "-c"].some((option) => seen.has(option)) ? [] : operands.map(({ at }) => ({ at, why: WRITES }))
    })
  ),
  ...tools("zip 7z 7za 7zr rar ar cpio pax", {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).map((word, i) => ({ at: start + i, why: /^-?-?(TT|unzip-command)/.test(word) ? RUNS : WRITES })).filter(() => !isListing(argv, start))
  }),
  ...tools("zipinfo zcat bzcat xzcat gzcat zgrep zegrep", options({ unlisted: "open" })),
  ...tools("zstdcat lz4cat", options({ options: "-q -v -d -c -f --quiet --verbose", unlisted: "closed" })),
  ...tools(
    "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress",
    options({
      options: "-c -d -k -l -t -v -q -n -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --to-stdout --decompress --keep --list --test --verbose --quiet --fast --best --help --version -V -h",
      hazards: { "-f -r --force --recursive -S= --suffix= -o= --files? --filelist= --rm --output-dir-flat=": WRITES },
      unlisted: "closed",
      operands: (operands, seen) => ["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test", "-k", "--keep"].some(
        (option) => seen.has(option)
      ) ? [] : operands.map(({ at }) => ({ at, why: "replaces the file" }))
    })
  )
};
var isListing = (argv, start) => /^(l|-l|-sf|--show-files|t|-t|--version|--help|-h|-v)$/.test(argv[start] ?? "") && !argv.slice(start + 1).some((word) => word.startsWith("-"));

// src/policy/tools/awk-model.ts
var AWK = tools("awk gawk mawk nawk original-awk", {
  globs: "after_text",
  inspect: (argv, start) => {
    const hazards = [...OPTIONS(argv, start)];
    const program = firstOperand(argv, start);
    if (program && !isHarmlessProgram(program.text))
      hazards.push({ at: program.at, why: "its program may run a command or write a file" });
    return hazards;
  }
});
var OPTIONS = inspectOptions({
  options: "-F= -v= --field-separator= --assign= --posix --traditional --re-interval --csv -k --version --help --lint? -t --lint-old -n --non-decimal-data -N --use-lc-numeric -b --characters-as-bytes -S --sandbox",
  hazards: {
    "-f= --file= -E= --exec=": "takes its program from a file",
    "-i= --include= -l= --load=": "loads code",
    "-e= --source=": "adds more program text",
    "-o? --pretty-print? -p? --profile? -d? --dump-variables?": "writes a file",
    "-D? --debug? -W=": "changes how it runs"
  },
  unlisted: "closed",
  order: "options_first"
});
function firstOperand(argv, start) {
  for (let at = start; at < argv.length; at += 1) {
    const word = argv[at];
    if (word === "--") return at + 1 < argv.length ? { at: at + 1, text: argv[at + 1] } : null;
    if (/^(-F|-v|--field-separator|--assign)$/.test(word)) at += 1;
    else if (!word.startsWith("-") || word === "-") return { at, text: word };
  }
  return null;
}
var FORBIDDEN_WORDS = /\b(?:system|getline|close|fflush|extension)\b|@/;
function isHarmlessProgram(program) {
  if (FORBIDDEN_WORDS.test(program) || program.length > 4e3) return false;
  const code = withoutTexts(program);
  if (code === null) return false;
  if (/\|(?!\|)/.test(code.replace(/\|\|/g, ""))) return false;
  return !code.split(/[;}]/).some((statement) => /\bprintf?\b.*>/s.test(statement));
}
function withoutTexts(program) {
  let code = "";
  for (let at = 0; at < program.length; ) {
    const rest = program.slice(at);
    const char = rest[0];
    const slash = char === "/" ? slashAfter(code) : null;
    if (slash === "unclear") return null;
    const text = char === '"' ? STRING.exec(rest) : char === "#" ? COMMENT.exec(rest) : slash === "regex" ? REGEX.exec(rest) : null;
    if (!text && (char === '"' || slash === "regex")) return null;
    code += text ? " 0 " : char;
    at += text?.[0].length ?? 1;
  }
  return code;
}
var STRING = /^"(?:[^"\\\n]|\\[^\n])*"/;
var COMMENT = /^#[^\n]*/;
var REGEX = /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?[^\]\n/]*\])+\//;
function slashAfter(code) {
  const [, before = "", blank = ""] = /(\w+|\S|)(\s*)$/.exec(code) ?? [];
  if (before === "" || blank.includes("\n")) return "regex";
  if (/^(?:print|printf|return|in|else|do|case)$/.test(before)) return "regex";
  if (/^[)$+-]$/.test(before)) return "unclear";
  return /[\w\].]$/.test(before) ? "division" : "regex";
}

// src/policy/tools/project-code.ts
var LOADS = "loads code or configuration";
var WRITES2 = "writes files";
var runsInside = (operands) => operands.filter(({ text }) => leavesProject(text) || text.startsWith("@")).map(({ at }) => ({ at, why: "brings in something from outside the project" }));

// src/policy/tools/build-tools.ts
var projectRunner = (isTarget) => options({
  hazards: {
    "-P= -E= -f= -C= -S= -B= -D= -I= --init-script= --build-file= --project-dir= --settings= -s= -e= --eval= --script= --include-build= --settings-file= --gulpfile= --gruntfile= --cwd= --justfile= -F= --override_repository= --run_under= --action_env= --shell= --shell-arg= --working-directory= -d= --rakefile= --require= -r= --bazelrc= -G= --toolchain= --project-cache-dir= --gradle-user-home= -g= -b= --execute= -E= --execute-print= --execute-continue= -p= -t= --taskfile= -c= --command= --chdir= --dir= --workspace_status_command= --shell_executable= --credential_helper= --remote_executor= --test_env= --repo_env= --package_path= --output_base= --output_user_root= --host_jvm_args= --script_path= --trace-redirect= --graphviz= --profiling-output= --chooser= --edit --dotenv-path= --dotenv-filename= --graph? --api= -R= --rakelibdir= --libdir= --tasks= --npm= --preload=": LOADS
  },
  unlisted: "open",
  operands: (operands) => [
    ...runsInside(operands.filter(({ text }) => !isTarget(text))),
    ...operands.filter(({ text }) => /^-?D|^(run|exec|x)$|^(eval|console|shell)\b|[=;!]/.test(text)).map(({ at }) => ({ at, why: LOADS }))
  ]
});
var BUILD_TOOLS = {
  ...tools(
    "make gmake",
    options({
      options: "-B -d -i -j? -k -l? -n -O? -p -q -r -R -s -S -t -w --always-make --debug? --ignore-errors --jobs? --keep-going --load-average? --just-print --dry-run --recon --output-sync? --question --silent --quiet --no-silent --stop --print-directory --no-print-directory --warn-undefined-variables --trace --print-data-base --no-builtin-rules --help --version -v -h",
      hazards: {
        "--eval= -E=": "runs make code",
        "-f= --file= --makefile=": "takes another makefile",
        "-C= --directory=": "works in another directory",
        "-I= --include-dir= -e --environment-overrides -o= -W= --old-file= --new-file= --what-if= --assume-new= --assume-old=": LOADS
      },
      unlisted: "closed",
      operands: (operands) => [
        ...operands.filter(({ text }) => text.includes("=")).map(({ at }) => ({ at, why: "sets a make variable" })),
        ...operands.filter(({ text }) => /^[/~]|\$/.test(text)).map(({ at }) => ({ at, why: "names a file outside the project" }))
      ]
    })
  ),
  ...tools(
    "tsc",
    options({
      options: "-p= --project= -w --watch -b --build --noEmit --listFilesOnly --pretty --incremental --strict --skipLibCheck --listFiles --showConfig --version -v --help -h --target= -t= --module= -m= --lib= --jsx= --moduleResolution= --types= --force -f --verbose --dry -d --diagnostics --extendedDiagnostics --explainFiles --traceResolution --noEmitOnError --esModuleInterop --allowJs --checkJs --resolveJsonModule --isolatedModules --noUnusedLocals --noUnusedParameters --noImplicitAny --strictNullChecks --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns --noImplicitOverride --noImplicitThis --noFallthroughCasesInSwitch --noPropertyAccessFromIndexSignature --noErrorTruncation --preserveWatchOutput --preserveSymlinks --assumeChangesOnlyAffectDirectDependencies --allowImportingTsExtensions --allowSyntheticDefaultImports --allowUnreachableCode --allowUnusedLabels --verbatimModuleSyntax --erasableSyntaxOnly --useUnknownInCatchVariables --strictFunctionTypes --strictBindCallApply --strictPropertyInitialization --forceConsistentCasingInFileNames --moduleDetection= --jsxImportSource= --maxNodeModuleJsDepth= --composite --all",
      hazards: {
        "--outFile= --outDir= --declarationDir= --generateTrace= --generateCpuProfile= --tsBuildInfoFile= --init --declaration --emitDeclarationOnly --sourceMap --clean": WRITES2,
        "--plugins= --rootDir= --baseUrl= --locale= --allowPlugins --runExternalCode": LOADS
      },
      values: [{ of: "-p --project", bad: /^[/~]|\.\./, why: "names a project outside this one" }],
      unlisted: "closed",
      operands: runsInside
    })
  ),
  ...tools(
    "gcc g++ cc c++ clang clang++ ld rustc javac",
    options({
      hazards: {
        "-o= -wrapper= -B= -fplugin= -Xlinker= -specs= --specs= -load= -save-temps -MF= -Wl, -D= -I= -include= -d= -processor= -cp= -classpath= -C= --out-dir= --emit= --extern=": "loads code or writes a file"
      },
      options: "--version -v -dumpversion -dumpmachine --help",
      unlisted: "closed",
      dashes: "words",
      operands: (operands) => operands.map(({ at }) => ({ at, why: WRITES2 }))
    })
  ),
  ...tools(
    "cmake meson ninja gradle gradlew ant sbt xcodebuild msbuild rake grunt gulp turbo nx lerna just task",
    projectRunner(() => false)
  ),
  // `//pkg:target` is a place in the workspace.
  ...tools(
    "bazel bazelisk",
    projectRunner((text) => /^\/\/[\w./:@+-]*$/.test(text) && !text.split("/").includes(".."))
  ),
  ...tools(
    "mvn mvnw",
    options({
      options: "-q -B -U -o -e -X -V -N -T= -pl= -rf= -am -amd -fae -ff -fn -nsu -ntp -C -c -h -v --quiet --batch-mode --update-snapshots --offline --errors --debug --show-version --non-recursive --threads= --projects= --resume-from= --also-make --also-make-dependents --fail-at-end --fail-fast --fail-never --no-transfer-progress --help --version -Dtest= -Dit.test= -DskipTests -DskipITs -Dmaven.test.skip -DfailIfNoTests= -Dsurefire.failIfNoSpecifiedTests= -Dstyle.color=",
      unlisted: "closed",
      dashes: "words",
      operands: (operands) => [
        ...runsInside(operands),
        ...operands.filter(({ text }) => /[:=]/.test(text)).map(({ at }) => ({ at, why: "runs a plugin by its name" }))
      ]
    })
  ),
  ...tools("ctags cscope", nothingButHelp(WRITES2)),
  ...tools(
    "dotnet",
    options({
      hazards: {
        "-p= --property= --configfile= --output= -o= --runtimeconfig= --depsfile= --additionalprobingpath= --diagnostics --settings= -s= --test-adapter-path= --logger= --results-directory=": "loads code or writes files"
      },
      unlisted: "open",
      operands: (operands) => /^(exec|run|tool|script|new|add|nuget|fsi|workload)$/.test(operands[0]?.text ?? "") || /\.(dll|exe|csx)$/.test(operands[0]?.text ?? "") ? operands.map(({ at }) => ({ at, why: "runs a program" })) : operands.filter(({ text }) => text.startsWith("/") || text.startsWith("@") || leavesProject(text)).map(({ at }) => ({ at, why: "sets a property or names a file outside the project" }))
    })
  ),
  ...tools(
    "webpack vite rollup esbuild babel swc parcel tsup stylelint",
    options({
      hazards: {
        "-c= --config= --config-file= -r= --require= --presets= --plugins= --plugin= --custom-syntax= --processor= --config-basedir= --configPlugin= --root= --servedir= --inject= --preset= --custom-formatter= --tsconfig= --tsconfig-raw= -p=": LOADS,
        "--outfile= --outdir= --out-dir= --outDir= -o= -d= --output= --output-path= --out-file= --fix --metafile= --dist-dir= --cache-dir=": WRITES2
      },
      unlisted: "open",
      spelling: "loose",
      dotted: "ask",
      operands: runsInside
    })
  ),
  ...tools(
    "ansible ansible-playbook ansible-console vagrant watchexec packer",
    nothingButHelp("runs commands of its own")
  )
};

// src/policy/tools/file-tools.ts
var GIT_OR_SECRETS = /(^|[\\/])(\.git|\.ssh|\.husky|\.vscode|\.idea|\.github|\.bashrc|\.profile|\.npmrc)([\\/]|$)/;
var changes = (why) => options({
  hazards: {
    "-t= --target-directory= -S= --suffix= --reference=": why,
    "-f --force --no-preserve-root": why
  },
  unlisted: "open",
  operands: (operands) => [
    ...insideOnly(why)(operands),
    ...operands.filter(({ text }) => !leavesProject(text) && GIT_OR_SECRETS.test(text)).map(({ at }) => ({ at, why }))
  ]
});
var always = (why) => ({
  globs: "nowhere",
  inspect: (argv, start) => argv.slice(start).flatMap((word, i) => word.startsWith("--help") || word === "--version" ? [] : [{ at: start + i, why }])
});
var FILE_TOOLS = {
  ...tools("mkdir touch cp mv ln mkfifo mktemp", changes("is a place outside the project or one that tools run from")),
  ...tools("rm rmdir unlink shred srm wipe truncate trash del erase rd rimraf", always("deletes for good")),
  ...tools("dd install patch", always("writes where it is told")),
  ...tools("tee sponge", {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).flatMap(
      (word, i) => /^(-a|-i|-p|--append|--ignore-interrupts|\/dev\/null|--help|--version)$/.test(word) ? [] : [{ at: start + i, why: "is a file it writes" }]
    )
  }),
  ...tools("chmod chown chgrp chattr setfacl xattr", changes("changes who may read or run it")),
  ...tools(
    "mkfs mkswap fdisk parted mount umount swapon swapoff losetup wipefs blkdiscard hdparm useradd userdel usermod passwd visudo iptables nft ufw modprobe insmod rmmod sysctl reboot shutdown halt poweroff init telinit",
    always("changes the machine")
  )
};

// src/policy/tools/find-model.ts
var VALUES = new Set(
  "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -user -group -uid -gid -perm -links -inum -samefile -fstype -printf -used -newermt -newerat -newerct -newermm -newerBt -D".split(
    " "
  )
);
var FLAGS = new Set(
  "-print -print0 -ls -prune -quit -empty -readable -writable -executable -true -false -depth -d -mount -xdev -follow -daystart -noleaf -nouser -nogroup -ignore_readdir_race -noignore_readdir_race -warn -nowarn -not -and -or -a -o -L -P -H -E -X -O1 -O2 -O3 --help --version -help -version".split(
    " "
  )
);
var ACTIONS = {
  "-exec": "runs a program",
  "-execdir": "runs a program",
  "-ok": "runs a program",
  "-okdir": "runs a program",
  "-delete": "deletes files",
  "-fprint": "writes a file",
  "-fprint0": "writes a file",
  "-fprintf": "writes a file",
  "-fls": "writes a file"
};
var FIND = tools("find gfind", {
  globs: "after_text",
  inspect: (argv, start) => {
    const hazards = [];
    for (let at = start; at < argv.length; at += 1) {
      const word = argv[at];
      if (VALUES.has(word)) at += 1;
      else if (word.startsWith("-") && !FLAGS.has(word))
        hazards.push({ at, why: ACTIONS[word] ?? "is no part of find we know" });
    }
    return hazards;
  }
});

// src/policy/tools/git-options.ts
var DIFF_OPTIONS = `-p -u -s --patch --no-patch -U= --unified= --raw --patch-with-raw --patch-with-stat --indent-heuristic --no-indent-heuristic --minimal --patience --histogram
  --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat -X? --dirstat? --cumulative --dirstat-by-file? --summary -z --name-only --name-status --submodule? --color? --no-color
  --color-moved? --no-color-moved --color-moved-ws= --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev -B? --break-rewrites?
  -M? --find-renames? -C? --find-copies? --find-copies-harder -D --irreversible-delete -l= --diff-filter= -S: -G: --pickaxe-all --pickaxe-regex -R --relative? --no-relative -a --text
  --ignore-cr-at-eol --ignore-space-at-eol -b --ignore-space-change -w --ignore-all-space --ignore-blank-lines -I= --ignore-matching-lines= --inter-hunk-context= -W --function-context --exit-code --quiet
  --no-ext-diff --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --output-indicator-new= --output-indicator-old= --output-indicator-context= --ita-invisible-in-index --ita-visible-in-index --cached --staged --merge-base --no-index -1 -2 -3 -0 --base --ours --theirs -O=
  -c --cc -m -t --diff-merges= --combined-all-paths --remerge-diff --dd --no-diff-merges`;
var LOG_OPTIONS = `${DIFF_OPTIONS} --follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --mailmap --use-mailmap --no-mailmap --full-diff --log-size -L= -n= --max-count= --skip= --since= --after= --until= --before=
  --since-as-filter= --max-age= --min-age= --author: --committer= --grep-reflog= --grep: --all-match --invert-grep -i --regexp-ignore-case --basic-regexp -E --extended-regexp -F --fixed-strings -P --perl-regexp --remove-empty
  --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs
  --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry -g --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges
  --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --standard-notes --no-standard-notes
  --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --count --timestamp -r --root --always --no-commit-id`;
var GIT_HAZARDS = {
  "--output= --output-directory=": "writes a file",
  "--ext-diff --textconv": "runs a program from the configuration",
  "--upload-pack= --receive-pack= --exec= --server-option=": "names a program to run on the other side",
  "--show-signature --gpg-sign? --sign --signed? --verify-signatures": "runs a signing program",
  "--open-files-in-pager?": "runs a pager",
  "--template= --config= --config-env= --exec-path?": "loads a configuration",
  "--edit --interactive --edit-description": "opens an editor",
  "--paginate": "runs a pager"
};
var SIGNATURE_FORMAT = [{ of: "--format --pretty", bad: /%G/, why: "runs a signing program" }];

// src/policy/tools/git-model.ts
var closed = (options2, more = {}) => ({
  options: `${options2} --help`,
  unlisted: "closed",
  ...more,
  hazards: { ...GIT_HAZARDS, ...more.hazards }
});
var RUNNING = "may run a program or change the repository";
var noTransports = (operands) => operands.filter(({ text }) => /^[A-Za-z0-9+.-]+::|^-|^ssh:\/\/-|^file:/.test(text)).map(({ at }) => ({ at, why: "names a program to transport with" }));
var REMOTE_OPTIONS = "-v -q -4 -6 -j= -n --verbose --quiet --progress --no-progress --dry-run --jobs= --ipv4 --ipv6 --porcelain --tags --no-tags --atomic --no-verify --verify";
var verbs = (harmless2) => (argv, start) => {
  const words = argv.slice(start);
  const verb = words.find((word) => !word.startsWith("-"));
  const fine = (verb === void 0 || harmless2.verbs.test(verb)) && words.every((word) => !word.startsWith("-") || harmless2.options.test(word));
  return fine ? [] : words.map((_, i) => ({ at: start + i, why: harmless2.why }));
};
var inspectConfig = (argv, start) => {
  const words = argv.slice(start);
  const names = words.filter((word) => !word.startsWith("-"));
  const reads = words.some((word) => /^(--get|--get-all|--get-regexp|--get-urlmatch|-l|--list)$/.test(word));
  const known = words.every(
    (word) => !word.startsWith("-") || /^(--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|--show-origin|--show-scope|--name-only|-z|--null|--local|--global|--system|--worktree|--type=\w+|--bool|--int|--path|--includes|--all)$/.test(
      word
    )
  );
  const verb = names[0] === "get" || names[0] === "list";
  const variable = names.length === 1 && names[0].includes(".");
  return known && (reads || verb || variable || names.length === 0) ? [] : words.map((_, i) => ({ at: start + i, why: "changes the configuration" }));
};
var REF_LISTING = "-a -r -v -vv -l -i -q --all --remotes --list --verbose --show-current --contains? --no-contains? --merged? --no-merged? --points-at= --sort= --format= --column? --no-column --color? --no-color --abbrev? --no-abbrev --ignore-case --omit-empty";
var MODELS = {
  "log|show|whatchanged|shortlog|reflog show|stash show|rev-list|range-diff": closed(
    `${LOG_OPTIONS} -s -e -q --find-object= --summary --numbered --email --group= -w? --disk-usage? --objects --objects-edge --bisect-vars --header --use-bitmap-index --quiet`,
    { digits: "allowed", values: SIGNATURE_FORMAT }
  ),
  reflog: closed(LOG_OPTIONS, { digits: "allowed", values: SIGNATURE_FORMAT }),
  "diff|diff-tree|diff-index|diff-files": closed(
    `${DIFF_OPTIONS} -r --root --always --no-commit-id -v --pretty? --stdin --merge-base`,
    { digits: "allowed" }
  ),
  status: closed(
    "-s -b -v -u? -z --short --branch --no-branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?"
  ),
  grep: closed(
    `-a -i -I -r -w -v -h -H -E -G -F -P -n -l -L -z -c -p -W -q -o -e: -f= -A= -B= -C= -m= --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --text --no-textconv --ignore-case --recursive --no-recursive --max-depth= --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --function-context --context= --after-context= --before-context= --max-count= --threads= --and --or --not --all-match --quiet`,
    { hazards: { "-O?": "runs a pager" }, digits: "allowed" }
  ),
  blame: closed(
    "-b -L= -l -t -S= -M? -C? -h -c -f -n -s -e -w -p --root --show-stats --reverse= --first-parent --porcelain --line-porcelain --incremental --encoding= --date= --progress --no-progress --abbrev= --show-name --show-number --show-email --score-debug --ignore-rev= --color-lines --color-by-age --minimal --since=",
    { hazards: { "--contents= --ignore-revs-file=": "reads another file" } }
  ),
  "ls-files|ls-tree|show-ref|for-each-ref|name-rev|describe|merge-base|cat-file|count-objects|check-ignore|check-attr|rev-parse|var|symbolic-ref|version": { options: "--verify", hazards: { ...GIT_HAZARDS, "--filters --web --parseopt": RUNNING }, unlisted: "open" },
  cherry: closed("-v --verbose --abbrev?"),
  branch: closed(
    `${REF_LISTING} -f -m -c -t? -u= --copy --move --track? --no-track --set-upstream-to= --unset-upstream --create-reflog --force`,
    {
      hazards: { "-D -d --delete -M -C": "deletes or overwrites a branch" }
    }
  ),
  tag: closed(
    `${REF_LISTING} -n? -m: -F= -a -f --annotate --message: --file= --cleanup= --force --no-sign --create-reflog`,
    {
      hazards: { "-d --delete": "deletes a tag", "-s -u= --local-user= -v --verify": "runs a signing program" }
    }
  ),
  "ls-remote": closed("-h -t -q -b --heads --branches --tags --refs --quiet --exit-code --get-url --sort= --symref", {
    hazards: { "-o=": "passes an option to the other side" },
    operands: noTransports
  }),
  "fetch|remote update": closed(
    `${REMOTE_OPTIONS} -a -f -k -p -P -t --all --append --depth= --deepen= --shallow-since= --unshallow --force --keep --prune --prune-tags --multiple --set-upstream --no-recurse-submodules --show-forced-updates --refetch --auto-maintenance --no-auto-maintenance --no-auto-gc --write-commit-graph --no-write-fetch-head`,
    {
      hazards: { "-o=": "passes an option to the other side", "--recurse-submodules?": "fetches from elsewhere" },
      operands: noTransports
    }
  ),
  pull: closed(
    `${REMOTE_OPTIONS} -a -f -p -r? --rebase? --no-rebase --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit --stat --no-stat --autostash --no-autostash --all --prune --depth= --unshallow --no-recurse-submodules --set-upstream --allow-unrelated-histories --log? --no-log`,
    {
      hazards: {
        "-s= --strategy= -X= --strategy-option=": "names a merge program",
        "-S? -o= -e": RUNNING,
        "--recurse-submodules?": "fetches from elsewhere"
      },
      operands: noTransports
    }
  ),
  push: closed(
    `${REMOTE_OPTIONS} -u --set-upstream --all --branches --follow-tags --no-force-with-lease --thin --no-thin --no-recurse-submodules --recurse-submodules= --no-signed`,
    {
      hazards: {
        "-f --force --force-with-lease? --force-if-includes --mirror -d --delete --prune": "rewrites or deletes what is on the other side",
        "-o= --push-option= --repo=": "passes an option to the other side"
      },
      operands: (operands) => [
        ...noTransports(operands),
        ...operands.filter(({ text }) => /^[+:]/.test(text)).map(({ at }) => ({ at, why: "rewrites or deletes what is on the other side" }))
      ]
    }
  ),
  clone: closed(
    "-v -q -n -l -s -b= -o= -j= --verbose --quiet --progress --no-checkout --bare --mirror --branch= --origin= --depth= --shallow-since= --single-branch --no-single-branch --no-tags --jobs= --filter= --sparse --local --no-local --no-hardlinks --no-recurse-submodules",
    {
      hazards: {
        "-u= -c= --recurse-submodules? --recursive? --separate-git-dir= --reference= --remote-submodules": RUNNING
      },
      operands: noTransports
    }
  ),
  commit: closed(
    "-a -m: -F= -C= -q -v -n -s -i -o -u? -z --all --message: --file= --reuse-message= --fixup= --squash= --reset-author --short --branch --porcelain --long --null --author= --date= --signoff --no-signoff --trailer= --no-verify --verify --allow-empty --allow-empty-message --cleanup= --no-edit --amend --no-post-rewrite --include --only --untracked-files? --verbose --quiet --dry-run --status --no-status --no-gpg-sign --pathspec-from-file= --pathspec-file-nul",
    {
      hazards: {
        "-S?": "runs a signing program",
        "-e -c= --reedit-message= -p --patch": "opens an editor",
        "-t=": "loads a file"
      }
    }
  ),
  add: closed(
    "-n -v -f -u -A -N --dry-run --verbose --force --update --all --no-all --ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --sparse --renormalize --chmod= --no-warn-embedded-repo --pathspec-from-file= --pathspec-file-nul",
    {
      hazards: { "-i -p --patch -e": "opens an editor" }
    }
  ),
  rm: closed("-n -r -q --dry-run --cached --ignore-unmatch --quiet --sparse", {
    hazards: { "-f --force": "deletes changed files" }
  }),
  mv: closed("-n -v -k -f --dry-run --verbose --force --sparse"),
  "checkout|switch": closed(
    "-b= -B= -c= -q -t? -l -d --quiet --progress --no-progress --track? --no-track --detach --orphan= --guess --no-guess --create= --no-overlay --overlay --no-recurse-submodules --ignore-other-worktrees",
    {
      hazards: {
        "-f --force --discard-changes -C= --force-create= --ours --theirs -m --merge --conflict= -p --patch --recurse-submodules?": "throws changes away"
      }
    }
  ),
  restore: closed("-s= -q --staged -S --source= --quiet --progress", {
    hazards: { "-W --worktree -p --patch -m --merge": "throws changes away" }
  }),
  "stash|stash push|stash save": closed(
    "-q -u -a -k -S -m: --quiet --include-untracked --all --keep-index --no-keep-index --staged --message:",
    { hazards: { "-p --patch": "opens a dialogue" } }
  ),
  "stash list|stash apply|stash pop": closed(`${LOG_OPTIONS} -q --quiet --index`, {
    digits: "allowed",
    values: SIGNATURE_FORMAT
  }),
  merge: closed(
    "-n -q -v -m: -F= --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit --stat --no-stat --abort --continue --quit --signoff --log? --no-log --autostash --no-autostash --no-verify --allow-unrelated-histories --progress --verbose --quiet --message:",
    { hazards: { "-s= --strategy= --strategy-option= -X= -S? -e": RUNNING } }
  ),
  "cherry-pick|revert": closed(
    "-n -q -v -x -m= --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --no-edit --stat --no-stat -n --abort --continue --quit --skip --mainline= --signoff -s --log? --no-log --autostash --no-verify --allow-unrelated-histories --progress --verbose --quiet -m=",
    {
      hazards: { "--strategy= --strategy-option= -X= -S? -e -F=": RUNNING }
    }
  ),
  rebase: closed(
    "-q -v -n -f --onto= --abort --continue --skip --quit --autostash --no-autostash --autosquash --no-autosquash --quiet --verbose --stat --no-stat --no-verify --verify --signoff --keep-base --fork-point --no-fork-point --committer-date-is-author-date --reset-author-date --update-refs --root",
    {
      hazards: {
        "-x= --exec= -i -s= --strategy= -X= --strategy-option= -S? --edit-todo --rebase-merges? -r?": RUNNING
      }
    }
  ),
  reset: closed("-q -N --quiet --soft --mixed --no-refresh --refresh --intent-to-add", {
    hazards: { "--hard --merge --keep -p --patch": "throws changes away" }
  }),
  clean: closed("-n -q --dry-run --quiet -e= --exclude= -d -x -X", { hazards: { "-f --force -i": "deletes files" } }),
  archive: closed("-l -v --format= --list --verbose --prefix= --worktree-attributes -0 -1 -2 -9", {
    hazards: { "-o= --remote= --add-file=": "writes a file or calls another machine" }
  }),
  remote: verbs({
    verbs: /^(show|get-url)$/,
    options: /^(-v|--verbose|-n|--all|--push)$/,
    why: "changes where it fetches from"
  }),
  config: inspectConfig,
  worktree: verbs({ verbs: /^list$/, options: /^(--porcelain|-v|-z|--verbose)$/, why: RUNNING }),
  submodule: verbs({ verbs: /^(status|summary)$/, options: /^(--cached|--recursive|--quiet)$/, why: RUNNING }),
  bisect: verbs({ verbs: /^log$/, options: /^$/, why: RUNNING }),
  notes: verbs({ verbs: /^(list|show)$/, options: /^--ref=/, why: RUNNING }),
  "sparse-checkout": verbs({ verbs: /^list$/, options: /^$/, why: RUNNING }),
  help: {
    hazards: { "-w -i --web --info": "opens a browser" },
    options: "-a -g -c -v --all --guides --config --man -m --verbose",
    unlisted: "closed"
  },
  "difftool|mergetool|filter-branch|daemon|instaweb|gui|citool|gitk|send-email|imap-send|hook|shell|credential|p4|svn|cvsimport|http-backend|upload-pack|receive-pack|upload-archive|remote-ext|for-each-repo|maintenance|web--browse|am|fast-import|replace|update-ref|gc|repack|prune|fsmonitor--daemon|request-pull|init": (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: RUNNING }))
};
var FREE = "log|show|diff|status|grep|blame|ls-files|ls-tree|show-ref|for-each-ref|name-rev|describe|merge-base|cat-file|count-objects|check-ignore|check-attr|rev-parse|rev-list|shortlog|whatchanged|reflog|range-diff|diff-tree|diff-index|diff-files|branch|tag|remote|config|worktree|submodule|bisect|stash list|stash show|add|commit|fetch|version|help|var";
var GIT = tools(
  "git",
  subcommands({
    globals: {
      options: "--no-pager -P --version --help -h -v --no-optional-locks --literal-pathspecs --no-replace-objects --no-advice --no-lazy-fetch",
      hazards: {
        "-c= --config-env=": "injects configuration",
        "-C= --git-dir= --work-tree= --namespace= --super-prefix= --bare": "works on another repository",
        "--exec-path? --html-path --man-path --info-path": "changes where git finds its programs",
        "-p --paginate": "runs a pager",
        "--attr-source= --list-cmds=": "changes what it reads"
      },
      unlisted: "closed"
    },
    free: FREE,
    models: MODELS,
    otherwise: { hazards: GIT_HAZARDS, unlisted: "closed" },
    why: "is a git subcommand that may change things or run a program"
  })
);

// src/policy/tools/network-tools.ts
var UPLOADS = "sends a file";
var WRITES3 = "writes a file";
var SECRET = /(^|\/)(\.env|\.ssh|\.aws|\.git|id_[a-z0-9]+|\.netrc|\.npmrc)/;
var secretsOrOutside = (operands) => operands.filter(({ text }) => leavesProject(text) || SECRET.test(text)).map(({ at }) => ({ at, why: "is a file outside the project or a secret" }));
var NETWORK_TOOLS = {
  ...tools(
    "curl",
    options({
      options: `-o= --output= -A= -b= -d= -e= -H= -X= -m= -r= -u= -w= -y= -Y= -z= -0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -k -l -L -M -N -p -R -s -S -v -V -# -h?
        --user-agent= --cookie= --data= --data-raw= --data-binary= --data-ascii= --data-urlencode= --json= --header= --request= --max-time= --range= --user= --write-out= --connect-timeout= --retry= --retry-delay= --retry-max-time= --max-redirs= --referer= --url= --limit-rate= --compressed --fail --fail-with-body --globoff --get --include --head --insecure --location --no-buffer --silent --show-error --verbose --version --help? --progress-bar --no-progress-meter --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --tlsv1.2 --tlsv1.3 --retry-connrefused --retry-all-errors --parallel --raw --tr-encoding --styled-output --no-styled-output --max-filesize= --form-string= --oauth2-bearer= --url-query=`,
      hazards: {
        "-O --remote-name --remote-name-all -J --remote-header-name --output-dir= --create-dirs -c= --cookie-jar= -D= --dump-header= --trace= --trace-ascii= --trace-config= --libcurl= --stderr= --hsts= --alt-svc= --etag-save= -C= --continue-at= --xattr": WRITES3,
        "-K= --config= --engine= --variable= -q --disable": "loads a configuration",
        "-T= --upload-file= -F= --form= -E= --cert= --key= --cacert= --capath= --etag-compare= --netrc-file= -n --netrc --netrc-optional --crlfile= --pinnedpubkey= --proxy-cert= --proxy-key=": UPLOADS,
        "-x= --proxy= --preproxy= --socks4= --socks5= --socks5-hostname= --socks4a= -U= --proxy-user= --unix-socket= --abstract-unix-socket= --resolve= --connect-to= --doh-url= --dns-servers= --interface= --location-trusted -P= --ftp-port= -Q= --quote= -t= --telnet-option= --mail-from= --mail-rcpt=": "goes another way"
      },
      values: [
        { of: "-d --data --data-binary --data-ascii --json --url-query -H --header", bad: /^@/, why: UPLOADS },
        { of: "-o --output", bad: /^(?!\/dev\/null$|-$)/, why: WRITES3 },
        { of: "--data-urlencode --url-query", bad: /@/, why: UPLOADS },
        { of: "-b --cookie", bad: /^[^=]*$/, why: "reads a cookie file" },
        { of: "-w --write-out", bad: /^@|%output/, why: WRITES3 },
        { of: "--url", bad: /^(?!https?:\/\/)[a-z0-9+.-]+:\/\//i, why: "is no web address" }
      ],
      unlisted: "closed",
      operands: (operands) => operands.filter(({ text }) => /^(?!https?:\/\/)[^/?#]*:\/|^[^/?#]*[{}[\]]/i.test(text)).map(({ at }) => ({ at, why: "is no web address" }))
    })
  ),
  ...tools(
    "wget wget2",
    options({
      options: "-O= --output-document= -q -v -S -c -N -nv -t= -T= -U= -4 -6 -d --quiet --verbose --no-verbose --server-response --spider --tries= --timeout= --user-agent= --header= --no-check-certificate --continue --timestamping --max-redirect= --https-only --help --version -V -h --method= --show-progress --compression= -nc --no-clobber",
      hazards: {
        "-P= --directory-prefix= -o= --output-file= -a= --append-output= --save-cookies= --save-headers --warc-file= --rejected-log= -x --force-directories": WRITES3,
        "--post-file= --body-file= --post-data= --body-data= --load-cookies= --certificate= --private-key= --ca-certificate=": UPLOADS,
        "-e= --execute= --config= --use-askpass= -i= --input-file= -B= --base= -r --recursive -m --mirror -p --page-requisites -k --convert-links -l= -H --hsts-file= --use-server-timestamps": "loads a configuration or fetches many files"
      },
      values: [{ of: "-O --output-document", bad: /^(?!\/dev\/null$|-$)/, why: WRITES3 }],
      unlisted: "closed",
      operands: (operands, seen) => operands.flatMap(({ at, text }) => {
        if (/^(?!https?:)[a-z0-9+.-]+:\/\//i.test(text)) return [{ at, why: "is no web address" }];
        const shown = ["-O", "--output-document", "--spider"].some((option) => seen.has(option));
        return shown ? [] : [{ at, why: "is kept as a file" }];
      })
    })
  ),
  ...tools(
    "ssh",
    options(
      {
        options: "-4 -6 -a -C -k -q -T -t -v -V -x -y -l= -p= -b= -c= -m=",
        hazards: {
          "-o= -F= -E= -I= -i= -J= -L= -R= -D= -W= -w= -S= -O= -Q= -e= -f -N -n -A -X -Y -K -M -g -s -G -B= -P=": "changes how it connects, or runs a program"
        },
        unlisted: "closed",
        order: "options_first",
        operands: (operands) => [
          ...operands.slice(1).map(({ at }) => ({ at, why: "runs a command on another machine" })),
          ...operands.slice(0, 1).filter(({ text }) => text.startsWith("-")).map(({ at }) => ({ at, why: "is no host" }))
        ]
      },
      "nowhere"
    )
  ),
  ...tools(
    "rsync",
    options({
      options: "-a -v -r -z -h -n -u -t -l -p -P -q -C -4 -6 -c -x -H -i -8 -W --archive --verbose --recursive --compress --human-readable --dry-run --update --times --links --perms --progress --stats --partial --exclude= --include= --itemize-changes --checksum --size-only --ignore-existing --info= --version --help --quiet --delay-updates --no-perms --no-owner --no-group --chmod= --max-size= --min-size= --list-only --cvs-exclude",
      hazards: {
        "-e= --rsh= --rsync-path= -S= -F= -o= -i= -J= -D= -c= -M= --remote-option= --daemon --config= --password-file= --files-from= --filter= -f= --write-batch= --read-batch= --log-file= --partial-dir= --temp-dir= -T= --backup-dir= --link-dest= --copy-dest= --compare-dest= --exclude-from= --include-from= --early-input= --sockopts=": "runs a program or changes how it connects",
        "--delete --delete-before --delete-during --delete-after --delete-excluded --del --remove-source-files --inplace --backup -b --existing --force": "deletes files"
      },
      unlisted: "closed",
      operands: secretsOrOutside
    })
  ),
  ...tools(
    "scp",
    options({
      options: "-4 -6 -C -p -q -r -v -B -3 -P= -l=",
      hazards: { "-S= -F= -o= -i= -J= -D= -c= -X= -s -O -A -T -R": "runs a program or changes how it connects" },
      unlisted: "closed",
      operands: secretsOrOutside
    })
  ),
  ...tools(
    "ssh-keygen ssh-add",
    options({
      options: "-l -L -v -B -F= -E=",
      hazards: { "-D= -s= -e= -P= -f= -w= -M= -O=": "loads code or writes keys" },
      unlisted: "closed"
    })
  ),
  ...tools(
    "dpkg rpm",
    options({
      options: "-l -L= -s= -S= -q -a -i -p -f= --list --listfiles= --status= --search= --version --help",
      hazards: { "-i --install -U -e -F -r -P": "installs or removes packages" },
      unlisted: "closed"
    })
  ),
  ...tools(
    "ping ping6",
    options({
      options: "-c= -i= -W= -w= -s= -t= -4 -6 -n -q -v -D -O -a -V",
      hazards: { "-f -l= -A -I= -p= -M= -Q= -S= -F=": "floods the network" },
      unlisted: "closed"
    })
  ),
  ...tools(
    "nmap tcpdump",
    options({
      hazards: {
        "--script= -oN= -oX= -oA= -oG= -iL= -w= -z= -r= --interactive --datadir= -Z= -oS=": "runs a program or writes a file"
      },
      options: "-V --version --help",
      unlisted: "closed"
    })
  )
};

// src/policy/tools/package-managers.ts
var ELSEWHERE = "works on another project or with another program";
var untilDashes = (inspect) => (argv, start) => {
  const end = argv.indexOf("--", start);
  return inspect(end < 0 ? argv : argv.slice(0, end), start);
};
var andBehindDashes = (inspect) => (argv, start) => {
  const end = argv.indexOf("--", start);
  if (end < 0) return inspect(argv, start);
  const handedOn = argv.flatMap(
    (word, at) => at > end && /^(?:-[ZCo]|--(?:logfile|codegen|emit|out-dir|config|print))/.test(word) ? [{ at, why: "writes a file or loads code" }] : []
  );
  return [...inspect(argv.slice(0, end), start), ...handedOn];
};
var NPM_OPTIONS = "-s -q -d -w= -ws -l -h --silent --quiet --verbose --loglevel= --if-present --workspace= --workspaces --include-workspace-root --json --long --parseable --depth= --all --no-color --color? --progress --no-progress --no-audit --no-fund --no-update-notifier --foreground-scripts --timing --omit= --include= --dry-run --help --version --production --offline --prefer-offline --ignore-scripts";
var INSIDE = [
  { of: "-w --workspace -r --requirement -c --constraint -e --editable", bad: /^[/~]|\.\.|:\/\//, why: ELSEWHERE }
];
var npmScripts = untilDashes(inspectOptions({ options: NPM_OPTIONS, values: INSIDE, unlisted: "closed" }));
var npmReading = inspectOptions({ options: NPM_OPTIONS, unlisted: "closed" });
var npmAudit = inspectOptions({
  options: `${NPM_OPTIONS} --audit-level= --package-lock-only`,
  unlisted: "closed",
  operands: (operands) => operands.filter(({ text }) => text !== "signatures").map(({ at }) => ({ at, why: "changes what is installed" }))
});
var npmInstalls = untilDashes(
  inspectOptions({
    options: `${NPM_OPTIONS} -D -E -S -P -O -B --save --save-dev --save-exact --save-prod --save-optional --save-peer --no-save --frozen-lockfile --legacy-peer-deps --package-lock-only --no-package-lock --force -f`,
    hazards: { "-g --global --prefix= -C= --registry= --script-shell= --install-links": ELSEWHERE },
    unlisted: "closed",
    operands: (operands) => operands.filter(
      ({ text }) => /^(git|http|file|ssh|github|gitlab|bitbucket)[+:]|^[/~.]|:\/\/|^[^@/]+\/[^/]+$|@(git|http|file|npm:)/.test(
        text
      )
    ).map(({ at }) => ({ at, why: "installs from outside the registry" }))
  })
);
var runsAny = (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: "runs any program" }));
var NPM_WHY = "is an npm command that may install, publish or run something";
var npmLike = subcommands({
  globals: {
    options: "-s -v --silent --version --help -h --no-color --json",
    hazards: {
      "--prefix= -C= --dir= --cwd= --userconfig= --globalconfig= --script-shell= --node-options= --registry= --cache= --use-yarnrc= --modules-folder= --config= --cafile= --node-gyp= --git= --editor= --viewer= --shell= --scripts-prepend-node-path -g --global -F= --filter= -w= --workspace-root -r --recursive": ELSEWHERE
    },
    unlisted: "closed"
  },
  free: "ls|list|view|info|show|outdated|help|root|prefix|why|explain|fund|search|ping|whoami|docs|-v|version",
  models: {
    "test|t|tst|run|run-script|rum|urn|start|stop|restart|lint|build|typecheck": npmScripts,
    "ls|list|view|info|show|outdated|why|explain|fund|search|ping|whoami|root|prefix|help": npmReading,
    audit: npmAudit,
    "install|i|ci|add|update|up|upgrade|uninstall|remove|rm|dedupe|prune|install-test|it": npmInstalls,
    "exec|x|dlx|create|init|explore|edit|config|set|login|adduser|publish|unpublish|link|pack|version|token|owner|access|hook|rebuild|node|patch": runsAny
  },
  otherwise: npmScripts,
  why: NPM_WHY
});
var SCRIPT_NAME = /^(?:test|tests|lint|build|typecheck|type-check|check|format|fmt|dev|start|stop|ci|coverage|cov|e2e|unit|clean|docs|storybook|preview|compile|watch|verify|bench|generate|codegen|ls|list|why|outdated|audit|info)(?:[:.-][\w:.-]*)?$/;
var PROGRAM_NAME = /[/\\]|^(?:node|bun|deno|sh|bash|zsh|dash|env|python\d?|perl|ruby|tsx|ts-node|npx|npm|cmd|powershell|pwsh|sudo|curl|wget)$/;
var scriptThenAnything = options({
  options: "-s --silent --version -v --help -h --filter= -F= -r --recursive",
  hazards: {
    "--cwd= --dir= -C= --prefix= --use-yarnrc= --script-shell= --config= --registry= --modules-folder= --shell= --top-level -T -e= --eval= -p= --print= --preload= --require= --import= --env-file= --outfile= --outdir= --compile": ELSEWHERE
  },
  unlisted: "open",
  operands: ([first2, second, ...rest]) => {
    if (!first2) return [];
    const script = first2.text === "run" || first2.text === "run-script" ? second : first2;
    if (!script) return [];
    if (SCRIPT_NAME.test(script.text)) return [];
    const after = script === first2 && second ? [second, ...rest] : rest;
    if (script !== first2 && !PROGRAM_NAME.test(script.text))
      return [{ at: first2.at, why: "chooses a script", kind: "choice" }];
    return [script, ...after].map(({ at }) => ({ at, why: "may install, publish or run something" }));
  }
});
var packageManagers = (behind2) => ({
  ...tools("npm", npmLike),
  ...tools("yarn pnpm bun", scriptThenAnything),
  ...tools(
    "cargo",
    subcommands({
      globals: {
        options: "-V --version --list -v -q --verbose --quiet --color= --locked --offline --frozen --help -h",
        hazards: { "--config= -Z= -C= --explain=": "injects configuration" },
        unlisted: "closed"
      },
      free: "tree|metadata|search|version|help|verify-project|pkgid|locate-project|read-manifest",
      models: {
        "test|t|clippy|build|b|check|c|doc|d|bench|tree|fmt|nextest run|nextest list": andBehindDashes(
          inspectOptions({
            options: "-p= --package= --exclude= --test= --bin= --example= --bench= --features= -F= --target= --profile= -j= --jobs= --message-format= --color= -E= --all",
            hazards: {
              "--config= -Z= --manifest-path= -C= --target-dir= --artifact-dir= --out-dir= --lockfile-path= --runner= --config-path= --tool-config-file=": ELSEWHERE,
              "--fix --allow-dirty --allow-no-vcs --open": "changes files or opens a program"
            },
            unlisted: "open"
          })
        ),
        "install|publish|run|r|owner|login|yank|fix|uninstall|init|new|add|remove|vendor|rustc|rustdoc|clean|update|package|logout": runsAny
      },
      otherwise: runsAny,
      why: "is a cargo command that builds or runs code"
    })
  ),
  ...tools(
    "go",
    subcommands({
      globals: { hazards: { "-C=": ELSEWHERE }, options: "--version --help -h", unlisted: "closed" },
      free: "version|env|list|help|doc",
      models: {
        env: { options: "-json -changed", unlisted: "closed", dashes: "words" },
        "test|build|vet|list|doc|fmt|mod tidy|mod graph|mod why|mod verify|mod download|version|install|run|generate|tool|clean|get": inspectOptions({
          options: "-run= -bench= -count= -timeout= -tags= -p= -parallel= -cpu= -skip= -list= -f= -mod= -covermode= -coverpkg= -benchtime= -shuffle= -fuzztime=",
          hazards: {
            "-exec= -toolexec= -vettool= -pkgdir= -overlay= -modfile= -modcacherw -C= -ldflags= -gcflags= -asmflags= -gccgoflags= -compiler= -buildmode= -linkshared -work": "runs a program or works elsewhere",
            "-o= -c -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir= -test.cpuprofile= -test.memprofile= -test.blockprofile= -test.mutexprofile= -test.trace= -test.outputdir= -test.coverprofile= -test.gocoverdir= -w": "writes a file",
            "-fuzz=": "writes a corpus"
          },
          unlisted: "open",
          dashes: "words",
          dotted: "ask",
          operands: insideOnly("runs code from outside the project")
        })
      },
      otherwise: runsAny,
      why: "is a go command that builds or runs code"
    })
  ),
  ...tools(
    "pip pip3",
    subcommands({
      globals: {
        options: "-V --version --help -h -q -v --disable-pip-version-check --no-color --no-input",
        hazards: { "--python= --log= --cache-dir= --proxy=": ELSEWHERE },
        unlisted: "closed"
      },
      free: "list|show|freeze|check|index|inspect|help|debug",
      models: {
        "list|show|freeze|check|inspect": { hazards: { "--path= --python= --log=": ELSEWHERE }, unlisted: "open" },
        install: {
          options: "-q -v -U -r= -e= --editable= --upgrade --no-deps --user --dry-run --pre --require-hashes --no-cache-dir --quiet --disable-pip-version-check --requirement= -c= --constraint=",
          hazards: {
            "-i= --index-url= --extra-index-url= -f= --find-links= --target= -t= --prefix= --root= --global-option= --config-settings= --trusted-host=": ELSEWHERE
          },
          values: INSIDE,
          unlisted: "closed",
          operands: (operands) => operands.filter(({ text }) => /:\/\/|^git\+|^[/~]|@ /.test(text)).map(({ at }) => ({ at, why: "installs from outside the index" }))
        }
      },
      otherwise: runsAny,
      why: "is a pip command that installs or runs something"
    })
  ),
  ...tools(
    "brew apt apt-get apt-cache dnf yum pacman apk snap gem bundle composer poetry uv pipx conda mamba nix rustup asdf mise volta nvm",
    subcommands({
      globals: { options: "--version -V --help -h -q", unlisted: "closed" },
      free: "list|ls|search|show|info|outdated|version|help|policy|depends|rdepends|env list|config list|lock --check",
      models: {
        "run|exec|x|shell|tool": (argv, start) => {
          const at = argv.findIndex((word, i) => i >= start && !word.startsWith("-"));
          const words = argv.slice(start, at < 0 ? void 0 : at + 1);
          const chosen2 = words.map((_, i) => ({ at: start + i, why: "runs any program" }));
          return at < 0 ? chosen2 : [...chosen2, ...behind2(argv, at)];
        }
      },
      otherwise: {
        unlisted: "open",
        hazards: {
          "-c= --config= --config-file= --directory= --working-dir= -d= -C= --project= --root= --prefix= --index-url= --option= -o=": ELSEWHERE
        }
      },
      why: "may install or run something"
    })
  )
});

// src/policy/tools/pagers.ts
var PAGERS = {
  ...tools(
    "man",
    options({
      options: "-a -d -f -k -w -W -I -i -h -u -K -D -s= -S= -e= -R= -L= -m= -E= -c --all --default --whatis --apropos --where --path --location --where-cat --ignore-case --match-case --regex --wildcard --names-only --update --no-subpages --sections= --section= --locale= --extension= --encoding= --no-hyphenation --no-justification --help --usage --version",
      hazards: {
        "-P= --pager=": "runs a pager program",
        "-H? --html?": "runs a browser program",
        "-C= --config-file=": "loads a configuration",
        "-M= --manpath=": "reads manuals from elsewhere",
        "-T? --troff-device? -t --troff -X? --gxditview? -Z --ditroff -p= --preprocessor= -r= --prompt= -l --local-file": "runs formatting programs"
      },
      unlisted: "closed",
      operands: (operands) => operands.filter(({ text }) => text.includes("/")).map(({ at }) => ({ at, why: "is a file, not a manual" }))
    })
  ),
  ...tools(
    "less more most",
    options({
      options: "-e -E -f -F -g -G -i -I -J -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X -~ -x? -y? -z? -h? -j? --quit-if-one-screen --no-init --raw-control-chars --RAW-CONTROL-CHARS --chop-long-lines --line-numbers --LINE-NUMBERS --ignore-case --IGNORE-CASE --squeeze-blank-lines --quit-at-eof --help --version",
      hazards: {
        "-o= -O= --log-file= --LOG-FILE=": "writes a file",
        "-k= --lesskey-file= --lesskey-src=": "loads key commands",
        "-t= -T= --tag= --tag-file=": "reads a tags file",
        "-p= --pattern= -P= --prompt=": "takes text that less interprets"
      },
      values: [{ of: "-x -y -z -h -j", bad: /[^\d,.]/, why: "hides another option" }],
      unlisted: "closed",
      digits: "allowed",
      operands: (operands) => operands.filter(({ text }) => text.startsWith("+")).map(({ at }) => ({ at, why: "is a command for the pager" }))
    })
  ),
  ...tools("info pinfo", options({ options: "-k= --apropos= -w --where --help --version", unlisted: "closed" }))
};

// src/policy/tools/reading-tools.ts
var XXD = inspectOptions({
  options: "-a -b -c= -C -d -e -E -g= -h -i -l= -n= -o= -p -s= -u -v -R= -plain -ps -postscript -cols= -groupsize= -len= -seek= -bits -include -uppercase -version",
  hazards: { "-r -revert": "writes binary data" },
  unlisted: "closed",
  dashes: "words",
  operands: (operands) => operands.slice(1).map(({ at }) => ({ at, why: "is a file it writes" }))
});
var READING_TOOLS = {
  ...tools("cat head tail wc ls dir vdir stat du df pwd whoami id uname nproc", harmless),
  ...tools("echo true false basename dirname realpath readlink which whereis type seq yes", harmless),
  ...tools("grep egrep fgrep cut tr nl tac rev fold fmt expand unexpand paste join comm column cmp", harmless),
  ...tools("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base32 od hexdump", harmless),
  ...tools("strings readelf size jq uptime free ps pgrep tty groups users who w last lsblk lscpu getent", harmless),
  ...tools("expr factor numfmt tsort sleep cal lsb_release sw_vers printenv locale nslookup host", harmless),
  ...tools("sort", {
    ...options({
      options: "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k= -t= -S= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check? --merge --stable --unique --zero-terminated --key= --field-separator= --buffer-size= --sort= --parallel= --debug --batch-size= --help --version",
      hazards: {
        "-o= --output=": "writes a file",
        "--compress-program=": "runs a program",
        "-T= --temporary-directory=": "writes files elsewhere",
        "--files0-from= --random-source=": "reads a list of files"
      },
      unlisted: "closed"
    })
  }),
  ...tools(
    "uniq",
    options(
      {
        options: "-c -d -D -i -u -z -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars= --help --version",
        unlisted: "closed",
        operands: (operands) => operands.slice(1).map(({ at }) => ({ at, why: "is a file it writes" }))
      },
      "nowhere"
    )
  ),
  ...tools("xxd", {
    globs: "nowhere",
    // A number may be glued to its option.
    inspect: (argv, start) => XXD(
      argv.map((word) => /^-[cglos][+-]?\d+$/.test(word) ? "-v" : word),
      start
    )
  }),
  ...tools(
    "date",
    options(
      {
        options: "-d= -r= -R -u -I? -f= -j -n -v= --date= --reference= --rfc-email --rfc-2822 --rfc-3339= --iso-8601? --utc --universal --debug --file= --resolution --help --version",
        hazards: { "-s= --set=": "sets the clock" },
        unlisted: "closed",
        operands: (operands) => operands.filter(({ text }) => !text.startsWith("+")).map(({ at }) => ({ at, why: "sets the clock" }))
      },
      "nowhere"
    )
  ),
  ...tools(
    "rg",
    options({
      options: `-A= -B= -C= -e: -f= -g: -j= -M= -m= -r: -t= -T= -d= -E= -0 -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -.
        --after-context= --before-context= --context= --regexp: --file= --glob: --iglob: --threads= --max-columns= --max-count= --replace: --type= --type-not= --max-depth= --maxdepth= --encoding= --engine= --sort= --sortr= --color= --colors= --context-separator= --dfa-size-limit= --field-context-separator= --field-match-separator= --hyperlink-format= --ignore-file= --max-filesize= --path-separator= --regex-size-limit= --type-add= --type-clear=
        --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --column --no-column --count --count-matches --crlf --no-crlf --debug --trace --files --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --help --hidden --no-hidden --ignore-case --ignore-file-case-insensitive --include-zero --invert-match --no-invert-match --json --no-json --line-buffered --line-number --no-line-number --line-regexp --max-columns-preview --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-config --no-filename --with-filename --no-ignore --ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --messages --no-require-git --no-unicode --unicode --null --null-data --one-file-system --only-matching --passthru --passthrough --pcre2 --no-pcre2 --pcre2-version --pretty --quiet --smart-case --stats --no-stats --stop-on-nonmatch --text --no-text --trim --no-trim --type-list --unrestricted --version --vimgrep --word-regexp --no-pre --no-search-zip`,
      hazards: {
        "--pre=": "runs a program for each file",
        "--pre-glob=": "chooses files for a program to run on",
        "--hostname-bin=": "runs a program",
        "-z --search-zip": "runs decompression programs",
        "--generate=": "prints files of its own"
      },
      unlisted: "closed"
    })
  ),
  ...tools(
    "diff colordiff",
    options({
      hazards: { "-l --paginate": "runs pr", "--output=": "writes a file" },
      unlisted: "open"
    })
  ),
  ...tools(
    "tree",
    options({
      options: "-L -P -I -H -T --filelimit= --timefmt= --charset= --sort= --gitfile= --infofile=",
      hazards: { "-o= --output=": "writes a file", "-R": "writes files with -H" },
      unlisted: "open"
    })
  ),
  ...tools(
    "file",
    options({
      options: "-b -c -d -e= -E -f= -F= -h -i -I -k -L -l -N -n -p -r -s -0 -v --brief --checking-printout --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --raw --special-files --separator= --exclude= --files-from= --extension --apple --print0 --no-pad --preserve-date --help --version",
      hazards: {
        "-C --compile": "writes a magic file",
        "-m= --magic-file=": "loads a magic file",
        "-z -Z --uncompress --uncompress-noreport": "runs decompression programs",
        "-S --no-sandbox": "switches its sandbox off",
        "-P= --parameter=": "changes its limits"
      },
      unlisted: "closed"
    })
  ),
  ...tools("base64", options({ hazards: { "-o= --output=": "writes a file" }, unlisted: "open" })),
  ...tools("shuf", options({ hazards: { "-o= --output=": "writes a file" }, unlisted: "open" })),
  ...tools("iconv", options({ hazards: { "-o= --output=": "writes a file" }, unlisted: "open" })),
  ...tools("split csplit", {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: "writes files" }))
  }),
  ...tools("objdump", options({ hazards: { "--debuginfod": "fetches files" }, unlisted: "open" })),
  ...tools("hostname domainname", {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).flatMap(
      (word, i) => /^-[a-zA-Z]$/.test(word) && !/[bF]/.test(word) ? [] : [{ at: start + i, why: "sets the name" }]
    )
  }),
  ...tools(
    "ss lsof netstat",
    options({ hazards: { "-K -D= --kill --diag=": "closes sockets or writes a file" }, unlisted: "open" })
  ),
  ...tools("dig", options({ hazards: { "-f= -k=": "reads a file" }, unlisted: "open", dashes: "words" })),
  ...tools("top htop", options({ options: "-b -n= -d= -p= -u= -o= -c -H -i -h -v", unlisted: "closed" })),
  ...tools(
    "bat batcat",
    options({
      hazards: {
        "--pager= --lessopen --generate-config-file --diagnostic --acknowledgements --completion= --config-file --cache-dir --config-dir": "runs a program or writes a file"
      },
      unlisted: "open",
      operands: (operands) => operands[0]?.text === "cache" ? operands.map(({ at }) => ({ at, why: "writes its cache" })) : []
    })
  ),
  ...tools("nm", options({ hazards: { "--plugin= -B=": "loads code" }, unlisted: "open" })),
  ...tools(
    "arch",
    options({ unlisted: "closed", operands: (operands) => operands.map(({ at }) => ({ at, why: "runs a program" })) })
  ),
  ...tools(
    "cloc",
    options({
      options: "--by-file --json --yaml --csv --xml --quiet --exclude-dir= --include-lang= --exclude-lang= --not-match-d= --match-f= --hide-rate --sum-one --by-percent= --version --help",
      unlisted: "closed",
      dashes: "words"
    })
  ),
  ...tools("tokei", options({ options: "-f --files --hidden -e= -t= -s= -o= --version --help", unlisted: "closed" })),
  ...tools(
    "yq",
    options({
      hazards: { "-i --inplace --in-place": "writes the file", "-s= --split-exp=": "writes files" },
      unlisted: "open"
    })
  ),
  ...tools(
    "fd fdfind",
    options({
      hazards: {
        "-x= --exec=": "runs a program for each file",
        "-X= --exec-batch=": "runs a program",
        "-l --list-details": "runs ls",
        "--ignore-file=": "reads a file"
      },
      unlisted: "open"
    })
  ),
  ...tools("eza exa lsd", harmless)
};

// src/policy/tools/runtimes.ts
var CODE = "runs any code";
function interpreter(modes, inspectModule) {
  return (argv, start) => {
    const words = argv.slice(start);
    if (words.length === 1 && (modes.version ?? HELP).test(words[0])) return [];
    if (words.length === 0) return [{ at: argv.length, why: CODE }];
    const hazards = [];
    for (let at = start; at < argv.length; at += 1) {
      const word = argv[at];
      const mode = modes.withModule === word || modes.alone?.includes(word);
      hazards.push({ at, why: CODE, ...mode ? { kind: "choice" } : {} });
      if (modes.withModule === word) {
        if (at + 1 < argv.length) hazards.push({ at: at + 1, why: CODE, kind: "choice" });
        return [...hazards, ...inspectModule?.(argv, at + 1) ?? []];
      }
      if (modes.alone?.includes(word))
        return [
          ...hazards,
          ...argv.slice(at + 1).flatMap((later, i) => {
            const option = later.startsWith("-") && !/^--test(-(name-pattern|only|reporter=(spec|tap|dot)|timeout|concurrency|skip-pattern|shard|force-exit))/.test(
              later
            );
            return option || leavesProject(later) ? [{ at: at + 1 + i, why: CODE }] : [];
          })
        ];
      if (!word.startsWith("-")) return hazards;
    }
    return hazards;
  };
}
function runtimes(inspectPythonModule) {
  return {
    ...tools("sh bash dash zsh ksh mksh ash csh tcsh fish pwsh powershell cmd nu elvish xonsh rbash", {
      globs: "nowhere",
      inspect: interpreter({})
    }),
    ...tools("python python2 python3 pypy pypy3", {
      globs: "after_text",
      inspect: interpreter({ withModule: "-m", version: /^(--version|--help|-V|-VV|-h)$/ }, inspectPythonModule)
    }),
    ...tools("node nodejs", {
      globs: "after_text",
      inspect: interpreter({ alone: ["--test", "--check", "-c"], version: /^(--version|--help|-v|-h)$/ })
    }),
    ...tools(
      "perl ruby php lua luajit tclsh wish osascript Rscript R julia java groovy scala kotlin ghci irb ipython jshell guile racket sbcl clojure erl elixir iex swift raku ts-node tsx deno jjs awk-script expect m4 bc dc gnuplot octave",
      {
        globs: "nowhere",
        inspect: interpreter({ version: /^(--version|--help|-v|-version)$/ })
      }
    ),
    ...tools(
      "vi vim nvim view ex ed emacs emacsclient nano pico joe micro helix hx code subl gedit",
      nothingButHelp("is an editor: it writes files and runs commands")
    ),
    ...tools(
      "psql mysql mariadb sqlite3 mongo mongosh redis-cli ftp sftp telnet nc ncat netcat socat gdb lldb pry screen tmux",
      nothingButHelp("takes commands of its own, some of which run programs")
    )
  };
}

// src/policy/tools/sed-model.ts
var SED = tools("sed gsed", {
  globs: "after_text",
  inspect: (argv, start) => {
    const scripts = [];
    for (let at = start; at < argv.length; at += 1) {
      const word = argv[at];
      if (word === "--") break;
      const glued = /^(?:-[nErusz]*e|--expression=)(.+)$/s.exec(word);
      if (/^-[nErusz]*e$|^--expression$/.test(word)) scripts.push({ at: at + 1, text: argv[at + 1] ?? "" });
      else if (glued) scripts.push({ at, text: glued[1] ?? "" });
    }
    const table = OPTIONS2(argv, start);
    const first2 = firstOperand2(argv, start);
    if (first2 && scripts.every(({ at }) => first2.at < at)) scripts.push(first2);
    return [
      ...table,
      ...scripts.flatMap(
        ({ at, text }) => isHarmlessScript(text) ? [] : [{ at, why: "its script may write, run or read a file" }]
      )
    ];
  }
});
var OPTIONS2 = inspectOptions({
  options: "-n -E -r -u -z -s -l= -e= --quiet --silent --regexp-extended --unbuffered --null-data --zero-terminated --separate --line-length= --expression= --debug --posix --sandbox --help --version",
  hazards: {
    "-i? --in-place? -I?": "writes the files it reads",
    "-f= --file=": "takes its script from a file",
    "-c --copy --follow-symlinks -b --binary": "changes how it writes files"
  },
  unlisted: "closed"
});
function firstOperand2(argv, start) {
  for (let at = start; at < argv.length; at += 1) {
    const word = argv[at];
    if (word === "--") return at + 1 < argv.length ? { at: at + 1, text: argv[at + 1] } : null;
    if (/^(?:-[nErusz]*[el]|--expression|--line-length)$/.test(word)) at += 1;
    else if (!word.startsWith("-") || word === "-") return { at, text: word };
  }
  return null;
}
function isHarmlessScript(script) {
  let rest = script;
  for (let steps = 0; steps < 500; steps += 1) {
    rest = rest.replace(/^[\s;{}]+/, "");
    if (rest === "") return true;
    const after = afterCommand(afterAddresses(rest));
    if (after === null) return false;
    rest = after;
  }
  return false;
}
var OTHER_ADDRESS = String.raw`\\(?:#[^#\\\[\n]*#|\|[^|\\\[\n]*\||,[^,\\\[\n]*,|@[^@\\\[\n]*@|%[^%\\\[\n]*%)[IM]*`;
var ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|${OTHER_ADDRESS}|/(?:[^/\\\n\[]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[^\]\[\n/\\])+\])*/[IM]*)`;
var ADDRESSES = new RegExp(String.raw`^${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*`);
var afterAddresses = (text) => text.replace(ADDRESSES, "").replace(/^\s*!?\s*/, "");
function afterCommand(text) {
  const command = text[0] ?? "";
  const rest = text.slice(1);
  if (command === "{" || command === "}") return rest;
  if (/[pdDnNPhHgGxzF=]/.test(command)) return closed2(rest);
  if (/[qQlL]/.test(command)) return closed2(rest.replace(/^[ \t]*\d*/, ""));
  if (/[btT]/.test(command)) return closed2(rest.replace(/^[ \t]*[\w.-]*/, ""));
  if (command === ":") return closed2(rest.replace(/^[ \t]*[\w.-]+/, ""));
  if (command === "#") return rest.replace(/^[^\n]*/, "");
  if (/[aic]/.test(command)) return /^[ \t]*\\?[^\n\\]*$/.test(rest) ? "" : null;
  if (command === "s" || command === "y") return afterSubstitution(command, rest);
  return null;
}
function closed2(rest) {
  return /^[ \t]*(?:[;}\n#]|$)/.test(rest) ? rest.replace(/^[ \t]*/, "") : null;
}
function afterSubstitution(command, rest) {
  const delimiter = rest[0];
  if (delimiter === void 0 || /[\\\n\s\w]/.test(delimiter)) return null;
  const left = part(rest, 1, delimiter);
  const right = left === null ? null : part(rest, left + 1, delimiter);
  if (right === null) return null;
  const tail = rest.slice(right + 1);
  const flags = command === "s" ? /^[gpiIMm0-9]*/.exec(tail) : /^/.exec(tail);
  return closed2(tail.slice(flags?.[0].length ?? 0));
}
function part(text, from, delimiter) {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === delimiter) return at;
    else if (char === "\n") return null;
    else if (char === "[") {
      const [bracket] = BRACKET.exec(text.slice(at, at + 200)) ?? [];
      if (bracket === void 0 || bracket.replace(/\\./g, "").includes(delimiter)) return null;
      at += bracket.length - 1;
    }
  }
  return null;
}
var BRACKET = /^\[(?!\^?\])\^?(?:\[:[a-z]+:\]|\\[^\n\]]|[^\][\n\\])+\]/;

// src/policy/tools/service-tools.ts
var everything = (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: "may run or change something" }));
var ELSEWHERE2 = "talks to another server or as another user";
var DOCKER_HAZARDS = {
  "-H= --host= --config= -c= --context= --tls --tlscacert= --tlscert= --tlskey= --tlsverify -D --debug -l= --log-level=": ELSEWHERE2
};
var KUBE_HAZARDS = {
  "--kubeconfig= -s= --server= --token= --as= --as-group= --as-uid= --user= --username= --password= --client-certificate= --client-key= --certificate-authority= --insecure-skip-tls-verify --cluster= --cache-dir= --raw= --profile= --profile-output= --tls-server-name= --log-file= --log-dir= --output-directory= --output-watch-events=": ELSEWHERE2
};
var composeGlobals = inspectOptions({
  hazards: {
    "-f= --file= --project-directory= --env-file= -p= --project-name= --profile= --parallel=": "takes another project"
  },
  unlisted: "open",
  order: "options_first"
});
var compose = (argv, start) => {
  const verb = argv.findIndex(
    (word, i) => i >= start && /^(exec|run|cp|watch|attach|commit|export|publish)$/.test(word)
  );
  return [...composeGlobals(argv, start), ...verb < 0 ? [] : everything(argv, verb)];
};
var docker = subcommands({
  globals: { options: "-v --version --help", hazards: DOCKER_HAZARDS, unlisted: "closed" },
  free: "ps|images|logs|inspect|version|info|top|stats|port|diff|history|events|container ls|container ps|container list|container logs|container inspect|image ls|image list|image inspect|image history|volume ls|volume inspect|network ls|network inspect|context ls|compose ps|compose logs|compose config|compose ls|compose images|compose top|compose version|compose port|system df|system info|buildx ls|search|node ls|service ls|stack ls",
  models: {
    "exec|run|container exec|container run|compose exec|compose run|cp|container cp|export|save|load|import|commit|plugin|context|swarm|compose cp|compose watch|buildx|builder|trust|login|update|attach|create|container create": everything,
    "ps|images|logs|inspect|top|stats|port|diff|history|events|container ls|image ls|volume ls|network ls|compose ps|compose logs|compose images|compose top|compose ls|search|version|info": {
      options: "-n= --last= --filter= -f? --format= --tail= --since= --until= -a -q -s --size --no-trunc --all --quiet",
      hazards: { "-H= --host= --config= --context= --tlscacert= --tlscert= --tlskey=": ELSEWHERE2 },
      unlisted: "open"
    },
    compose,
    "compose config": { hazards: { "-o= --output= --lock-image-digests": "writes a file" }, unlisted: "open" },
    build: {
      options: "-t= --tag= -f= --file= --build-arg= --target= --platform= --progress= --label= --cache-from= -q --no-cache --pull",
      values: [{ of: "-f --file", bad: /^[/~]|\.\.|:\/\//, why: "is outside the project" }],
      operands: (operands) => operands.filter(({ text }) => leavesProject(text) || /:\/\/|@|^git/.test(text)).map(({ at }) => ({ at, why: "is outside the project" })),
      hazards: {
        ...DOCKER_HAZARDS,
        "-o= --output= --secret= --ssh= --iidfile= --metadata-file= --cache-to= --allow= --build-context= --network=": "reads secrets or writes files"
      },
      unlisted: "open"
    }
  },
  otherwise: { hazards: DOCKER_HAZARDS, unlisted: "open" },
  why: "may start, stop, change or remove something"
});
var kubectl = subcommands({
  globals: {
    options: "-n= --namespace= --context= -v= --request-timeout= --help -h",
    hazards: KUBE_HAZARDS,
    unlisted: "closed"
  },
  free: "get|describe|logs|version|top|explain|api-resources|api-versions|cluster-info|config view|config current-context|config get-contexts|auth can-i|rollout status|rollout history|events|diff",
  models: {
    "exec|cp|run|attach|debug|edit|proxy|port-forward|plugin|kustomize|krew": everything,
    logs: { options: "-f -n= -c= --tail= --since= -p", hazards: KUBE_HAZARDS, unlisted: "open" },
    "get|describe|top|explain|events|version|api-resources|rollout status": {
      options: "-n= --namespace= -o= --output= -l= --selector= --context= -c= --container= --tail= --since= --field-selector= --sort-by= -L= -w -A",
      hazards: { ...KUBE_HAZARDS, "-f= --filename= -k= --kustomize=": "reads a file or an address" },
      values: [{ of: "-o --output --template", bad: /-file(=|$)/, why: "reads a file" }],
      unlisted: "open"
    }
  },
  otherwise: { hazards: KUBE_HAZARDS, unlisted: "open" },
  why: "changes the cluster or runs something in it"
});
var gh = subcommands({
  globals: { options: "--version --help", unlisted: "closed" },
  free: "pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run list|run view|repo view|repo list|release list|release view|workflow list|workflow view|search issues|search prs|search code|search repos|status|auth status|gist list|label list|version|help|ruleset list|cache list",
  models: {
    "pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run list|run view|run watch|repo view|repo list|release list|release view|workflow list|workflow view|search issues|search prs|search code|search repos": {
      hazards: { "-w --web": "opens a browser" },
      unlisted: "open"
    },
    "api|extension|alias|auth|config|codespace|ssh-key|secret|gpg-key|variable|gist": everything
  },
  otherwise: {
    hazards: {
      "-w --web": "opens a browser",
      "-F= --body-file= --notes-file= -e --editor": "sends a file or opens an editor",
      "--admin": "overrides the rules"
    },
    unlisted: "open"
  },
  why: "changes something on the server"
});
var reading = (free, hazards = {}, dashes = "letters") => subcommands({
  globals: { options: "--version -version --help -h -v", hazards, unlisted: "closed", dashes },
  free,
  models: {},
  otherwise: { hazards, unlisted: "open", dashes },
  why: "may change something"
});
var SERVICE_TOOLS = {
  ...tools("docker podman nerdctl", docker),
  ...tools("docker-compose", reading("ps|logs|config|images|top|version|ls", DOCKER_HAZARDS)),
  ...tools("kubectl oc", kubectl),
  ...tools("gh glab", gh),
  ...tools(
    "terraform tofu terragrunt",
    reading(
      "version|validate|providers schema|output|show|state list|workspace list|graph|fmt -check",
      {
        "-chdir= -plugin-dir= -config= -backend-config= -var-file= -out= -state= -lock-file= -from-module= -auto-approve": "works elsewhere or writes files"
      },
      "words"
    )
  ),
  ...tools(
    "helm",
    reading("list|ls|status|version|get|history|show|search|env", {
      "--kubeconfig= --output-dir= --post-renderer= --kube-apiserver= --kube-token= --registry-config= --repository-config=": ELSEWHERE2
    })
  ),
  ...tools(
    "systemctl",
    reading(
      "status|list-units|list-unit-files|list-timers|is-active|is-enabled|is-failed|show|cat|list-dependencies|list-sockets|--version",
      { "-H= --host= -M= --machine= --root=": ELSEWHERE2 }
    )
  ),
  ...tools(
    "journalctl",
    options({
      options: "-u= -n= -f -e -b? -k --since= --until= -p= -o= --no-pager --grep= -g=",
      hazards: {
        "--vacuum-size= --vacuum-time= --vacuum-files= --rotate --cursor-file= --flush --sync --setup-keys --update-catalog -D= --directory= --file= --root= -M= --machine=": "deletes logs or reads others"
      },
      unlisted: "open"
    })
  ),
  ...tools("launchctl service", reading("list|print|--status-all")),
  ...tools("ip", {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).flatMap(
      (word, i) => /^(-[46sdhojp]|-br|-brief|-details|-json|-pretty|-color|a|addr|address|l|link|r|route|n|neigh|rule|show|list|ls|dev|\w+\d+|lo)$/.test(
        word
      ) ? [] : [{ at: start + i, why: "may change the network" }]
    )
  }),
  ...tools(
    "gpg gpg2",
    options({
      options: "-k -K -a -q -v --list-keys --list-secret-keys --list-public-keys --list-sigs --check-sigs --fingerprint --with-fingerprint --with-colons --keyid-format= --verify --export --armor --print-md= --quiet --verbose --no-tty --version --help --show-keys",
      unlisted: "closed"
    })
  ),
  ...tools(
    "age",
    options({
      options: "-d -r= -i= -a --decrypt --encrypt --recipient= --identity= --armor --version",
      unlisted: "closed"
    })
  ),
  ...tools(
    "openssl",
    options({
      hazards: {
        "-engine= -provider= -provider-path= -config= -out= -writerand= -keyout= -caout= -sigfile= -keylogfile= -sess_out= -CAcreateserial -outdir=": "loads code, writes a file or touches keys"
      },
      unlisted: "open",
      dashes: "words",
      operands: (operands) => /^(engine|ca|s_server|rehash)$/.test(operands[0]?.text ?? "") ? operands.map(({ at }) => ({ at, why: "loads code, writes files or serves them" })) : []
    })
  ),
  ...tools(
    "ifconfig",
    options({
      options: "-a -s",
      unlisted: "closed",
      operands: (operands) => operands.slice(1).map(({ at }) => ({ at, why: "may change the network" }))
    })
  ),
  ...tools(
    "aws gcloud az heroku fly flyctl vercel netlify firebase doctl linode-cli s3cmd wrangler supabase",
    reading("version|help|whoami|list|ls")
  ),
  ...tools("rclone", nothingButHelp("names programs in its remotes")),
  ...tools(
    "crontab",
    options({
      options: "-l",
      unlisted: "closed",
      operands: (operands) => operands.map(({ at }) => ({ at, why: "replaces the table" }))
    })
  )
};

// src/policy/tools/shell-builtins.ts
var STATE = ". source alias unalias bind caller compgen complete compopt declare typeset local readonly export unset enable eval exec fc getopts hash history let logout mapfile readarray read return set setopt unsetopt shift shopt suspend trap ulimit autoload zmodload zstyle functions vared emulate disable sched print zle bindkey limit unlimit abbr";
var CHANGES_SHELL = new Set(STATE.split(" "));
var SHELL_BUILTINS = {
  ...tools(STATE, {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).map((_, i) => ({ at: start + i, why: "changes the shell or runs a command" }))
  }),
  ...tools("cd pushd popd dirs times help exit umask :", harmless),
  ...tools("wait", options({ hazards: { "-p=": "sets a variable" }, unlisted: "open" }, "nowhere")),
  ...tools(
    "printf",
    options({ hazards: { "-v=": "sets a variable" }, unlisted: "open", order: "options_first" }, "nowhere")
  ),
  ...tools(
    "test [",
    options({
      hazards: { "-v= -R=": "evaluates a name" },
      unlisted: "open",
      dashes: "words",
      operands: (operands) => operands.filter(({ text }) => text.includes("[") && text !== "[").map(({ at }) => ({ at, why: "may be evaluated" }))
    })
  ),
  ...tools("kill killall pkill", {
    globs: "nowhere",
    inspect: (argv, start) => argv.slice(start).map((word, i) => ({ at: start + i, why: `${word} ends processes` }))
  }),
  ...tools("fg bg disown jobs", nothingButHelp("moves a job"))
};
var POSIX_BUILTINS = /* @__PURE__ */ new Set([
  ...CHANGES_SHELL,
  ..."cd pushd popd dirs jobs wait times help exit umask : echo printf pwd true false test [ kill type command builtin fg bg disown".split(
    " "
  )
]);
var POWERSHELL_ALIASES = /^(?:[a-z]+-[a-z]+|ls|dir|gci|cat|gc|type|echo|write|pwd|gl|cd|sl|select|where|sort|measure|ft|fl|gps|ps|gsv|sls|gm|gi|gp|rvpa|compare|diff|group|h|history|clear|cls|help|man)$/i;
var CMD_BUILTINS = /^(?:dir|echo|type|cd|chdir|ver|vol|date|time|path|set|cls|exit|rem|where|pushd|popd|title)$/i;
function isBuiltin(program, shell) {
  switch (shell) {
    case "bash":
    case "sh":
    case "zsh":
      return POSIX_BUILTINS.has(program);
    case "powershell":
      return POWERSHELL_ALIASES.test(program);
    case "cmd":
      return CMD_BUILTINS.test(program);
    case "fish":
      return false;
  }
}

// src/policy/tools/test-and-lint-tools.ts
var TEST_AND_LINT_TOOLS = {
  ...tools(
    "eslint",
    options({
      options: "--ext= --max-warnings= --format= -f= --cache --cache-strategy= --no-eslintrc --env= --global= --ignore-pattern= --rule= --parser-options=",
      hazards: {
        "-c= --config= --rulesdir= --parser= --plugin= --resolve-plugins-relative-to= --ignore-path= --flag= --inspect-config --init": LOADS,
        "--fix -o= --output-file= --cache-file= --cache-location= --suppress-all --suppress-rule= --prune-suppressions": WRITES2
      },
      values: [
        { of: "-f --format", bad: /[./\\]/, why: LOADS },
        { of: "--parser-options", bad: /^(?!(?:ecmaVersion|sourceType|ecmaFeatures\.\w+):\w+$)/, why: LOADS }
      ],
      unlisted: "open",
      operands: runsInside
    })
  ),
  ...tools(
    "prettier",
    options({
      options: "--check -c --list-different -l --ignore-path= --log-level= --parser= --tab-width= --print-width= --stdin-filepath=",
      hazards: {
        "--write -w --cache-location= --cache": WRITES2,
        "--plugin= --config= --plugin-search-dir= --find-config-path= --config-precedence=": LOADS
      },
      unlisted: "open",
      // The configuration beside a file may be code.
      operands: insideOnly(LOADS)
    })
  ),
  ...tools(
    "vitest jest mocha ava tap playwright cypress karma",
    options({
      options: "--run --sequence.shuffle? --sequence.seed= --coverage.enabled? --coverage.reporter= --poolOptions.threads.singleThread? --poolOptions.forks.singleFork? --reporters= --coverageReporters= -t= --testNamePattern= --reporter= -R= --project= --maxWorkers= --testTimeout= --shard= --pool= --coverage --grep= -g= --testPathPattern= -w= --environment= --retry= --bail?",
      hazards: {
        "-c= --config= -r= --root= --dir= --globalSetup= --globalTeardown= --testResultsProcessor= --testSequencer= --filter= --haste= --prettierPath= --moduleNameMapper= --moduleLoader= --dependencyExtractor= --snapshotResolver= --package= --setupFiles= --setupFilesAfterEnv= --require= --import= --loader= --experimental-loader= --environment= --env= --testEnvironment= --runner= --testRunner= --transform= --preset= --rootDir= --roots= --resolver= --globals= --watchPlugins= --file= --opts= --spec= --ui= --api? --open --browser? --inspect? --inspect-brk? --node-option= --execArgv= --typecheck.checker= --projects= --moduleDirectories= --modulePaths= --snapshotSerializers= --coverageProvider= --coverage.customProviderModule= --workspace= -n= --diff= --snapshotEnvironment= --vmMemoryLimit=": LOADS,
        "-u --update --updateSnapshot --updateSnapshots? --outputFile= --output-file= --coverage.reportsDirectory= --coverageDirectory= --cacheDirectory= --outputTruncateLength= --clearCache --init --json= --standalone": WRITES2
      },
      values: [
        { of: "--reporter -R --pool", bad: /[./\\]/, why: LOADS },
        { of: "--reporters --coverageReporters --coverage.reporter", bad: /^(?![a-z-]+$)/, why: LOADS },
        { of: "--project", bad: /^[/~]|\.\./, why: LOADS }
      ],
      unlisted: "open",
      spelling: "loose",
      dotted: "ask",
      operands: (operands) => [
        ...runsInside(operands),
        ...operands.slice(0, 1).filter(
          ({ text }) => /^(init|codegen|open|install|install-deps|uninstall|show-report|show-trace)$/.test(text)
        ).map(({ at }) => ({ at, why: "installs, opens or writes something", kind: "choice" }))
      ]
    })
  ),
  ...tools("nyc c8", nothingButHelp("runs another program")),
  ...tools(
    "pytest py.test",
    options({
      options: "--co --collect-only -p= -k: -m: -n= --maxfail= --tb= --durations= --cov= --color= -r= --timeout= --dist= --ignore= --deselect= --cov-report= -W= --numprocesses= --cov-branch --lf --ff --sw",
      hazards: {
        "-c= --config-file= --rootdir= --confcutdir= --pdbcls= --pdb --trace -o= --override-ini= --import-mode= --pyargs --cov-config= --tx= --px= --rsyncdir= --noconftest --pythonwarnings= -P": LOADS,
        "--basetemp= --junitxml= --junit-xml= --log-file= --resultlog= --report-log= --html= --debug? --pastebin= --snapshot-update --cache-clear --json-report-file= --profile-svg --benchmark-json= --benchmark-save= --benchmark-autosave --benchmark-storage= --inline-snapshot=": WRITES2
      },
      values: [
        { of: "--cov-report", bad: /^(?!term)/, why: WRITES2 },
        { of: "-p", bad: /^(?!no:[\w.-]+$)/, why: LOADS }
      ],
      unlisted: "open",
      operands: runsInside
    })
  ),
  ...tools(
    "ruff",
    options({
      hazards: {
        "--fix --unsafe-fixes -o= --output-file= --add-noqa --cache-dir= --fix-only": WRITES2,
        "--config=": LOADS
      },
      unlisted: "open"
    })
  ),
  ...tools(
    "mypy pyright pylint flake8 bandit black isort",
    options({
      hazards: {
        "--config-file= --python-executable= --rcfile= --init-hook= --load-plugins= --plugins= --config= --custom-typeshed-dir= --shadow-file= --settings-path= --require-plugins= --append-config= --pythonpath= --project= --typeshedpath= --venvpath=": LOADS,
        "--install-types --cache-dir= --html-report= --xml-report= --txt-report= --junit-xml= --any-exprs-report= --linecount-report= --cobertura-xml-report= --output-file= -o= --writebaseline --createstub= --memory-xml-report= --in-place --lineprecision-report= --linecoverage-report= --any-exprs-report= --xslt-html-report= --xslt-txt-report= --junit-format= --output=": WRITES2
      },
      // pylint takes a class or `json:file` for a format.
      values: [{ of: "--output-format", bad: /[:./\\]/, why: "loads code or writes a file" }],
      options: "--output-format=",
      unlisted: "open",
      operands: runsInside
    })
  ),
  ...tools(
    "unittest",
    options({
      options: "-s= -t= -p= -k: --start-directory= --top-level-directory= --pattern=",
      values: [{ of: "-s -t --start-directory --top-level-directory", bad: /^[/~]|\.\./, why: LOADS }],
      unlisted: "open",
      operands: runsInside
    })
  ),
  ...tools(
    "json.tool",
    options(
      {
        options: "--indent=",
        unlisted: "open",
        operands: (operands) => operands.slice(1).map(({ at }) => ({ at, why: WRITES2 }))
      },
      "nowhere"
    )
  ),
  ...tools(
    "rspec rubocop phpunit",
    options({
      options: "-f= -e= -t= -P= --format= --example= --tag= --pattern= --filter= --only=",
      hazards: {
        "-r= --require= -I= --bootstrap= -c= --config= --configuration= --options= -O= --default-path= --include-path= --plugin= -d= --extension= --printer= --loader=": LOADS,
        "-o= --out= -a -A --autocorrect --auto-correct --autocorrect-all --auto-correct-all --init -x --fix-layout --auto-gen-config --regenerate-todo --cache-root= --log-junit= --log-events-text= --log-teamcity= --coverage-html= --coverage-clover= --coverage-php= --coverage-text= --coverage-xml= --coverage-cobertura= --coverage-crap4j= --testdox-html= --testdox-text= --testdox-xml= --generate-configuration --migrate-configuration --cache-directory= --cache-result-file=": WRITES2
      },
      unlisted: "open",
      operands: runsInside
    })
  ),
  ...tools(
    "tox nox",
    options({
      options: "-e= -s= -k= -t= -m=",
      hazards: {
        "-c= --conf= -f= --noxfile= -x= --override= --workdir= --root= --discover= --runner= --force-dep= -i= --index-url= --devenv= --result-json=": LOADS
      },
      unlisted: "open",
      operands: (operands) => /^(exec|e|devenv|d|quickstart|q)$/.test(operands[0]?.text ?? "") ? operands.map(({ at }) => ({ at, why: "runs a program" })) : []
    })
  ),
  ...tools("shellcheck hadolint", harmless),
  ...tools(
    "markdownlint markdownlint-cli2",
    options({
      hazards: { "-r= --rules= -c= --config= -f --fix -o= --output= -p= --ignore-path=": LOADS },
      unlisted: "open",
      operands: insideOnly(LOADS)
    })
  ),
  ...tools(
    "actionlint",
    options({
      hazards: { "-shellcheck= -pyflakes= -config-file= -init-config": LOADS },
      unlisted: "open",
      dashes: "words"
    })
  )
};

// src/policy/tools/wrappers.ts
var NAMES = "sudo doas su runuser pkexec run0 gosu su-exec env nice ionice chrt taskset numactl nohup setsid time timeout stdbuf unbuffer command builtin exec noglob nocorrect xargs parallel watch strace ltrace truss dtruss perf valgrind chroot unshare nsenter bwrap firejail flock systemd-run systemd-nspawn busybox toybox fakeroot caffeinate rlwrap proxychains proxychains4 torsocks tsocks setpriv prlimit cpulimit cgexec script scriptreplay setarch linux32 linux64 i386 x86_64 dbus-run-session dbus-launch xvfb-run faketime entr at batch start-stop-daemon run-parts logsave choom capsh sg newgrp ssh-agent catchsegv coproc eval ld.so pipenv direnv dotenv dotenvx cross-env concurrently npm-run-all nodemon pm2 forever hyperfine chronic ifne ts sem open xdg-open start wslview ldd cscript wscript mshta rundll32 regsvr32 msbuild.exe wsl doppler op aws-vault sops age-run with-contenv tini dumb-init xterm gnome-terminal konsole alacritty kitty wezterm urxvt terminator x-terminal-emulator foot st proot eatmydata softlimit multitime nix-shell chpst envdir setuidgid setlock tcpserver fakechroot schroot pproxy sshpass expect unshare-run rr heaptrack gdbserver envchain chamber teller infisical dtach abduco zellij byobu detach nsjail minijail0 apparmor_parser aa-exec runcon";
function wrappers(inspectTool) {
  const inspect = (argv, start) => {
    if (argv.length === start + 1 && HELP.test(argv[start])) return [];
    if (/^(command|type)$/.test(argv[0] ?? "") && /^-[vV]$/.test(argv[start] ?? "")) return [];
    const program = argv.findIndex((word, i) => i >= start && isProgram(word) && !(i === 1 && isRunVerb(argv)));
    const upTo = program < 0 ? argv.length : program + 1;
    const hazards = argv.slice(start, upTo).map((_, i) => ({ at: start + i, why: "a wildcard does not cover the program that is run in the end" }));
    if (program < 0) return hazards;
    const inner = argv.slice(program);
    const model = inspectTool(inner);
    const name = argv[0] ?? "";
    if (name === "watch")
      return [...hazards, ...argv.slice(upTo).map((_, i) => ({ at: upTo + i, why: "is read by a shell" }))];
    if (ADDS_WORDS.test(name) && model?.globs !== "anywhere")
      hazards.push({ at: argv.length, why: `${name} adds words nobody has judged` });
    return [...hazards, ...(model?.inspect(inner, 1) ?? []).map(({ at, why }) => ({ at: at + program, why }))];
  };
  return tools(NAMES, { inspect, globs: "nowhere" });
}
var isRunVerb = ([name = "", verb = ""]) => /^(?:doppler|op|aws-vault|infisical|chamber|teller|pipenv|direnv|dotenvx|sops)$/.test(name) && /^(?:run|exec|exec-env|exec-file|shell)$/.test(verb);
var ADDS_WORDS = /^(?:xargs|parallel)$/;
var isProgram = (word) => /^[A-Za-z_./]/.test(word) && !/^[A-Za-z_]\w*=/.test(word);

// src/policy/tools/tool-models.ts
function modelFor(argv, letters2 = "as_typed") {
  const typed = toolName(argv[0] ?? "");
  const name = letters2 === "any_case" ? typed.toLowerCase() : typed;
  return Object.hasOwn(MODELS2, name) ? MODELS2[name] ?? null : null;
}
function toolName(program) {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).replace(/\.(exe|cmd|bat|com)$/i, "");
  if (/^ld(-linux.*)?(-[\d.]+)?\.so(\.\d+)?$/.test(name)) return "ld.so";
  const versioned = /^(python|pip|node|ruby|perl|php|lua|gcc|g\+\+|clang|clang\+\+)-?\d[\d.]*$/.exec(name);
  return versioned?.[1] ?? name;
}
var ANYWHERE = { ...READING_TOOLS, ...PAGERS, ...SHELL_BUILTINS, ...FIND, ...SED, ...AWK };
function actsOnDirectory(argv) {
  return !Object.hasOwn(ANYWHERE, toolName(argv[0] ?? ""));
}
var behind = (argv, at) => {
  const inner = argv.slice(at);
  return (modelFor(inner)?.inspect(inner, 1) ?? []).map((hazard) => ({ ...hazard, at: hazard.at + at }));
};
var RUNS_PACKAGE = "runs any package";
var packageRunner = {
  globs: "after_text",
  inspect: (argv, start) => {
    if (argv.length === start + 1 && HELP.test(argv[start])) return [];
    const hazards = [];
    for (let at = start; at < argv.length; at += 1) {
      const name = !argv[at].startsWith("-");
      hazards.push({ at, why: RUNS_PACKAGE, ...name ? { kind: "choice" } : {} });
      if (name) return [...hazards, ...behind(argv, at)];
    }
    return hazards;
  }
};
var MODELS2 = {
  ...SERVICE_TOOLS,
  ...packageManagers((argv, at) => behind(argv, at)),
  ...BUILD_TOOLS,
  ...TEST_AND_LINT_TOOLS,
  ...NETWORK_TOOLS,
  ...ARCHIVE_TOOLS,
  ...runtimes(behind),
  ...wrappers((argv) => modelFor(argv)),
  ...READING_TOOLS,
  ...PAGERS,
  ...FILE_TOOLS,
  ...SHELL_BUILTINS,
  ...FIND,
  ...SED,
  ...AWK,
  ...GIT,
  ...tools("npx bunx uvx pnpx", packageRunner)
};

// src/policy/check-rule.ts
var MANY_COMMANDS = new Set(
  "git npm yarn pnpm docker podman kubectl cargo go gh terraform helm systemctl pip pip3".split(" ")
);

// src/policy/inside.ts
import { isAbsolute, relative, sep } from "node:path";
function isInside(directory, path) {
  const from = relative(directory, path);
  return from === "" || !from.startsWith(`..${sep}`) && from !== ".." && !isAbsolute(from);
}

// src/policy/cover.ts
import { relative as relative2, sep as sep2 } from "node:path";
var ALL_CHECKS = { optionModels: true, globs: true };
function coverage(call, rules, checks = ALL_CHECKS) {
  let closest = null;
  for (const argv of spellings(call.command.argv)) {
    const hazards = checks.optionModels ? hazardsOf(argv, call.shell) : [];
    for (const rule of rules.rules) {
      const pattern = patternFor(rule.pattern, call.shell);
      if (!pattern || !matches(pattern, argv, call.shell === "none" ? "bash" : call.shell)) continue;
      const obstacle = beyond(pattern, argv, hazards) ?? (checks.globs ? globObstacle(pattern, call, argv) : null) ?? outOfReach(rule, argv, call.cwd, rules);
      if (obstacle === null) return { rule };
      closest ??= `"${rule.pattern.text}" does not cover it: ${obstacle}`;
    }
  }
  return { why: closest ?? "no rule covers it" };
}
function spellings(argv) {
  const plain2 = argv[0] === "git" && argv[1] === "--no-pager" ? ["git", ...argv.slice(2)] : null;
  return plain2 ? [argv, plain2] : [argv];
}
function hazardsOf(argv, shell) {
  const windows = shell === "powershell" ? powershellBeyondWildcard(argv) : null;
  if (windows) return everyWord(argv, 1, windows);
  return modelFor(argv, lettersOf(shell))?.inspect(argv, 1) ?? [];
}
var lettersOf = (shell) => shell === "powershell" || shell === "cmd" ? "any_case" : "as_typed";
function beyond(pattern, argv, hazards) {
  const hazard = hazards.find(({ at }) => at >= pattern.words.length);
  return hazard ? `${argv[hazard.at] ?? "what is left out"} ${hazard.why}` : null;
}
function globObstacle(pattern, call, argv) {
  const shift = call.command.argv.length - argv.length;
  if (call.shell === "powershell" && isBuiltin(argv[0] ?? "", "powershell")) return null;
  const where = modelFor(argv, lettersOf(call.shell))?.globs ?? "after_text";
  for (const glob of call.command.globs) {
    const word = argv[glob - shift] ?? "";
    if (glob - shift < pattern.words.length) return `${word} is a wildcard of the shell`;
    if (where === "nowhere" || where === "after_text" && !/^[A-Za-z0-9_./]/.test(word))
      return `${word} may turn into an option`;
  }
  return null;
}
var otherShells = /* @__PURE__ */ new WeakMap();
function patternFor(pattern, shell) {
  if (shell !== "powershell") return pattern;
  const known = otherShells.get(pattern) ?? /* @__PURE__ */ new Map();
  otherShells.set(pattern, known);
  const before = known.get(shell);
  if (before !== void 0) return before;
  const reading2 = readPattern(pattern.text, shell);
  const again = "problem" in reading2 ? null : reading2;
  known.set(shell, again);
  return again;
}
function outOfReach(rule, argv, cwd, rules) {
  if (rule.reach === "anywhere") return null;
  const { workspace, facts } = rules;
  if (!workspace) return "this directory is not in a workspace you have bound";
  if (!isInside(workspace.directory, cwd)) return "the directory is outside the workspace";
  if (rule.reach === "trusted" && !workspace.trusted)
    return "it runs code of the project and the workspace is not trusted";
  const words = argv.slice(rule.pattern.words.length);
  let texts = words.some((word) => /^-[A-Za-z]*[ef]|^--(regexp|file)/.test(word)) ? 0 : rule.textOperands ?? 0;
  if (searchesEverything(rule, words, texts)) return "without a path it searches hidden files too";
  for (const word of words) {
    if (rule.never?.includes(word)) return `${word} may reach hidden files`;
    if (word.startsWith(":")) return `${word} may hold secrets`;
    if (texts > 0 && !word.startsWith("-")) {
      texts -= 1;
      continue;
    }
    if (word.startsWith("-") && rule.options !== "any" && !rule.options.includes(word))
      return `the option ${word} is not on its list`;
    for (const value of pathsIn(word)) {
      const path = facts.realPath(value, facts.realPath(cwd, ""));
      if (!isInside(workspace.directory, path)) return `${word} is outside the workspace`;
      if (isSecretFile(relative2(workspace.directory, path)) || /(^|\/)\.[^/]*[*?[]/.test(value))
        return `${word} may hold secrets`;
    }
  }
  return null;
}
function searchesEverything(rule, words, texts) {
  if (rule.textOperands === void 0 || !words.some((word) => /^-[A-Za-z]*[rR]|^--(dereference-)?recursive/.test(word)))
    return false;
  return words.filter((word) => !word.startsWith("-")).length <= texts;
}
function pathsIn(word) {
  const colon = word.indexOf(":");
  if (!word.startsWith("-")) return colon >= 0 && colon + 1 < word.length ? [word, word.slice(colon + 1)] : [word];
  const cut = word.indexOf("=");
  if (cut >= 0) return [word.slice(cut + 1)];
  const glued = /^-[A-Za-z0-9]+?([./~].*)$/.exec(word)?.[1];
  return glued === void 0 ? [] : [glued];
}
var isSecretFile = (path) => path.split(sep2).some(
  (name) => /^\.env|^\.ssh$|^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|kdbx|jks|keystore)$|^\.netrc$|^\.npmrc$|^\.pypirc$|^\.aws$|^\.gnupg$|^\.git-credentials$|^credentials(\.json)?$|^secrets?(\.|$)/i.test(
    name
  )
);

// src/runs/journal.ts
var FIRST = "0".repeat(64);

// src/policy/grammar-reader.ts
import { parse } from "unbash";
function readByGrammar(line, checks = ALL_CHECKS2) {
  const script = parse(line);
  const found = { commands: [], operators: [], tokens: [] };
  const problem = walkScript(script, found, checks);
  if (problem) return { gaveUp: problem, seen: found.commands };
  if (found.commands.length === 0) return { gaveUp: "no command", seen: [] };
  const uncovered = checks.coverage ? uncoveredText(line, found.tokens) : null;
  if (uncovered) return { gaveUp: `text the reader does not account for: ${uncovered}`, seen: found.commands };
  return { commands: found.commands, operators: found.operators };
}
var ALL_CHECKS2 = { positiveList: true, coverage: true, literalWords: true };
function walkScript(script, found, checks) {
  if (script.errors?.[0]) return `something the grammar cannot read (${script.errors[0].message})`;
  for (const statement of script.commands) {
    if (statement.background) return "a & that runs it in the background";
    const command = statement.command;
    const joined = command.type === "AndOr" ? command.commands : [command];
    if (command.type === "AndOr") found.operators.push(...command.operators);
    for (const node of joined) {
      const stages = node.type === "Pipeline" ? node.commands : [node];
      if (node.type === "Pipeline") {
        if (node.prefixes.length > 0) return "a ! or time before a pipeline";
        found.operators.push(...node.operators);
      }
      for (const stage of stages) {
        if (stage.type !== "Command") {
          if (checks.positiveList) return `a ${stage.type} construct`;
          continue;
        }
        const problem = takeCommand(stage, found, checks);
        if (problem) return problem;
      }
    }
  }
  return null;
}
function takeCommand(command, found, checks) {
  const argv = [];
  const globs = [];
  const pieces = [...command.prefix, ...command.name ? [command.name] : [], ...command.suffix];
  for (const piece of pieces) {
    found.tokens.push({ pos: piece.pos, end: piece.end });
    if (piece.type === "Assignment") return "an assignment";
    if (piece.type !== "Word") {
      if (!isHarmlessRedirection(piece)) return "a redirection to or from a file";
      found.operators.push(piece.operator);
      continue;
    }
    const problem = checks.literalWords ? notLiteral(piece) : null;
    if (problem) return problem;
    if (piece.parts?.some((part2) => part2.type === "Glob")) globs.push(argv.length);
    argv.push(piece.value);
  }
  if (argv.length === 0) return "a redirection without a command";
  found.commands.push({ argv, start: command.pos, end: command.end, globs });
  return null;
}
function isHarmlessRedirection(redirection) {
  if (redirection.type !== "Redirect" || !redirection.target) return false;
  const { descriptor, operator, target } = redirection;
  if (descriptor && (descriptor.type !== "FileDescriptor" || descriptor.value < 1 || descriptor.value > 2)) return false;
  if (operator === ">&") return target.text === "1" || target.text === "2";
  const sink = operator === ">" || operator === ">>" || operator === "&>" || operator === "&>>" || operator === "<";
  return sink && target.text === "/dev/null";
}
function notLiteral(word) {
  for (const part2 of word.parts ?? []) {
    if (part2.type === "Literal" || part2.type === "SingleQuoted") continue;
    if (part2.type === "Glob" && part2.kind !== "bracket") continue;
    if (part2.type === "Glob" && part2.parts?.every((inner) => inner.type === "Literal")) continue;
    if (part2.type === "DoubleQuoted" && part2.parts.every((inner) => inner.type === "Literal")) continue;
    return `a ${part2.type} in a word`;
  }
  return /^~|[=:]~/.test(word.text) ? "a home directory" : null;
}
var BETWEEN_TOKENS = /^(?:[ \t\n]|&&|\|\|?&?|;|(?<=^|[ \t\n])#[^\n]*(?=\n|$))*$/;
function uncoveredText(line, tokens) {
  let at = 0;
  for (const token of [...[...tokens].sort((a, b) => a.pos - b.pos), { pos: line.length, end: line.length }]) {
    const gap = line.slice(at, token.pos);
    if (token.pos < at || !BETWEEN_TOKENS.test(gap)) return JSON.stringify(gap.slice(0, 20));
    at = token.end;
  }
  return null;
}

// src/policy/bash-reader.ts
var DEEPEST_NESTING = 40;
function readBash(line, shell, checks = ALL_CHECKS3) {
  const ours = readLiterally(line, shell);
  if (checks.secondOpinion && "gaveUp" in ours) return ours;
  if (nesting(line) > DEEPEST_NESTING) return { gaveUp: "too many nested brackets", seen: [] };
  const theirs = readByGrammar(line, checks);
  if (!checks.secondOpinion || "gaveUp" in ours || "gaveUp" in theirs) return theirs;
  if (!sameCommands(ours.commands, theirs.commands))
    return { gaveUp: "something our two readers disagree about", seen: theirs.commands };
  return ours;
}
var ALL_CHECKS3 = { positiveList: true, coverage: true, literalWords: true, secondOpinion: true };
function sameCommands(left, right) {
  return left.length === right.length && left.every((command, i) => {
    const other = right[i];
    return other !== void 0 && sameList(command.argv, other.argv) && sameList(command.globs, other.globs);
  });
}
var sameList = (left, right) => left.length === right.length && left.every((item, i) => item === right[i]);
function nesting(line) {
  let deepest = 0;
  let depth = 0;
  for (const char of line) {
    if (char === "(" || char === "{" || char === "[" || char === "`") depth += 1;
    else if (char === ")" || char === "}" || char === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

// src/policy/cmd-reader.ts
function readCmd(line) {
  const words = [...line.matchAll(/"[^"]*"|[^ "]+/g)];
  const command = {
    argv: words.map(({ 0: word }) => word.replaceAll('"', "")),
    start: words[0]?.index ?? 0,
    end: words.at(-1) ? (words.at(-1)?.index ?? 0) + (words.at(-1)?.[0].length ?? 0) : 0,
    globs: words.flatMap(({ 0: word }, i) => /[*?]/.test(word) ? [i] : [])
  };
  const problem = whyNotPlain(line, command.argv);
  return problem === null ? { commands: [command] } : { gaveUp: problem, seen: seenInCmd(line) };
}
var PLAIN_LINE = /^ *(?:[\w./\\:+*?@~#-]+|"[\w./\\:+@~# -]+")(?: +(?:[\w./\\:+*?@~#-]+|"[\w./\\:+@~#, -]+"))* *$/;
function whyNotPlain(line, argv) {
  const [program = ""] = argv;
  if (program === "") return "no command";
  if (/[&|<>^%!()\n\r]/.test(line)) return "a character that cmd reads in its own way";
  if (!PLAIN_LINE.test(line)) return "a word that cmd or the program may split in another way";
  if (argv.some((word) => /^(?:\\\\|\/\/)/.test(word))) return "a place on another machine";
  if (/\\"/.test(line)) return "a backslash before a quote";
  if (!/^[A-Za-z_][\w-]*(?:\.(?:exe|com))?$/.test(program)) return "a program that is not named by a plain word";
  if (/^(?:if|for|call|start|rem|goto|set|setlocal|endlocal|exit|cmd|pushd|popd|path|prompt|assoc|ftype|shift)$/i.test(
    program
  ))
    return `${program}, which is part of cmd itself`;
  return null;
}
function seenInCmd(line) {
  const commands = [];
  for (const { 0: piece, index } of line.matchAll(/(?:"[^"\n]*"|[^&|()\n\r"])+/g)) {
    const words = [...piece.replaceAll("^", "").matchAll(/"[^"]*"|[^ \t,;="@<>]+/g)].map(
      ({ 0: word }) => word.replaceAll('"', "")
    );
    if (words.length > 0) commands.push({ argv: words, start: index, end: index + piece.length, globs: [] });
  }
  return commands;
}

// src/policy/display-flags.ts
var CHARACTERS = [
  ["bidi_control", /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/],
  ["zero_width", /(?![\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])(?:\p{Default_Ignorable_Code_Point}|\p{Cf})/u],
  ["unicode_space", /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/],
  // Lone surrogates cannot be sent to a shell as they are, so they count with the characters nobody can see.
  ["control_char", /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009a\u009c\u009e\u009f]|\p{Cs}/u],
  ["ansi_escape", /[\u001b\u009b\u009d]/],
  ["combining_stack", /\p{M}{3}/u]
];
var EMOJI = /[0-9#*]\ufe0f\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu;
var LONG_BLANKS = /[ \t]{32}|\n[ \t]*(?:\n[ \t]*){7}/;
var LONG_TEXT = 1e3;
var MANY_LINES = 25;
var MARKUP = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]{0,500})?\/?>|<!--|&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});|javascript:/i;
var ACTIVE_MARKUP = /<script\b[^<>]{0,500}(?:>\s*[^\s'"<]|\ssrc\s*=)|<(?:iframe|object|embed|base|meta|link)\s[^<>]{0,500}=|<style\b[^<>]{0,500}>[^<]{0,500}\{|<\w[^<>]{0,500}[\s/]on\w{3,}\s*=|javascript:/i;
var LOOKS_LIKE_ASCII = /[\u00b4\u02b9-\u02bc\u02c8\u02cb\u2010-\u2015\u2018-\u201f\u2024\u2032-\u2036\u2039\u203a\u2044\u204e\u2212\u2215-\u2217\u2223\u2236\u223c\u2758\u2768\u29f5\u29f8\ua789\ufe52-\ufe6b\uff01-\uff5e]/;
var FOREIGN_LETTER = /[\u0370-\u03ff\u0400-\u052f\u0531-\u058f\u10a0-\u10ff\u13a0-\u13f4\u2100-\u214f]|[\u{1d400}-\u{1d7ff}]/u;
var NEVER_AUTO = /* @__PURE__ */ new Set([
  "bidi_control",
  "zero_width",
  "homoglyph",
  "unicode_space",
  "control_char",
  "ansi_escape",
  "long_whitespace",
  "combining_stack"
]);
function displayFlags(text) {
  const flags = [];
  if (/[^\n\t -~]/.test(text)) {
    const withoutEmoji = text.replace(EMOJI, "x");
    for (const [flag2, pattern] of CHARACTERS) if (pattern.test(withoutEmoji)) flags.push(flag2);
    const together = withoutEmoji.replace(/["'\\]/g, "");
    if (hasForeignProgram(withoutEmoji) || hasLookAlike(withoutEmoji) || hasLookAlike(together)) flags.push("homoglyph");
  }
  if (!flags.includes("homoglyph") && ENCODED_HOST.test(text)) flags.push("homoglyph");
  if (LONG_BLANKS.test(text)) flags.push("long_whitespace");
  if (text.length > LONG_TEXT || text.split("\n", MANY_LINES + 1).length > MANY_LINES) flags.push("truncated_view");
  if (MARKUP.test(text) || ACTIVE_MARKUP.test(text)) flags.push("html_text");
  return flags;
}
function deception(text, flags) {
  const worst = flags.find((flag2) => NEVER_AUTO.has(flag2));
  if (worst) return DECEPTIONS[worst];
  return flags.includes("html_text") && ACTIVE_MARKUP.test(text) ? DECEPTIONS.html_text : null;
}
var DECEPTIONS = {
  bidi_control: "a character that turns the direction of the text around",
  zero_width: "a character nobody can see",
  homoglyph: "a letter that looks like another one",
  unicode_space: "a space that is not a plain space",
  control_char: "a control character",
  ansi_escape: "a terminal escape sequence",
  long_whitespace: "a long run of blanks that could push text out of sight",
  truncated_view: "more text than a card shows at once",
  combining_stack: "marks stacked on one character",
  html_text: "markup that a page could run"
};
var PROGRAM_WORDS = /(?:^|[;|&(\n])[ \t]*([^\s;|&()<>'"]+)/g;
var ODD_LATIN = /[\u0131\u0138\u017f\u0180-\u02af\u1d00-\u1dbf\ua720-\ua7ff]/;
var FOREIGN_HOST = /\b[a-z][a-z0-9+.-]{1,9}:\/\/[^\s/'"]*[^\u0000-\u007f]/i;
var ENCODED_HOST = /\b[a-z][a-z0-9+.-]{1,9}:\/\/[^\s/'"]*\bxn--/i;
var FOREIGN_SYNTAX = /(?:^|[\u0000-\u007f])[\u01c0\u037e\u2024\u2044\u204e\u2215\u2217\u2223\u2236\u2758\u29f5\u29f8\ua789\ufe52-\ufe6b\uff01-\uff5e](?:[\u0000-\u007f]|$)/;
var UNMISTAKABLE = /[ΓΔΘΛΞΠΣΦΨΩδθλμξπφψ]/g;
var QUOTED2 = /'[^']*'|"[^"]*"/g;
function hasForeignProgram(text) {
  const unsure = /[`\\]|\$\(/.test(text) || /['"]/.test(text.replace(QUOTED2, ""));
  const line = unsure ? text : text.replace(QUOTED2, (quoted) => quoted.slice(1, -1).replace(/[;|&(\n]/g, "x"));
  for (const [, word = ""] of line.matchAll(PROGRAM_WORDS))
    if (/[\p{L}\p{N}]/u.test(word) && [FOREIGN_LETTER, LOOKS_LIKE_ASCII, ODD_LATIN].some((odd) => odd.test(word)))
      return true;
  return false;
}
function hasLookAlike(text) {
  if (FOREIGN_HOST.test(text) || FOREIGN_SYNTAX.test(text)) return true;
  return text.split(/[\s'"`;|&()<>]+/).some((word) => {
    if (!/[^\u0000-\u007f]/.test(word)) return false;
    if (/^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/.test(word) && word.length > 1) return true;
    return word.split(/[^\p{L}\p{M}]+/u).some((run) => /[A-Za-z]/.test(run) && FOREIGN_LETTER.test(run.replace(UNMISTAKABLE, "")));
  });
}

// src/policy/reading.ts
function byteOffsets(line) {
  let known = 0;
  let bytes = 0;
  return (index) => {
    if (index < known) {
      known = 0;
      bytes = 0;
    }
    bytes += Buffer.byteLength(line.slice(known, index));
    known = index;
    return bytes;
  };
}

// src/policy/request-env.ts
var SAFE_NAME = /^(CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|COLORTERM|NODE_ENV|RUST_BACKTRACE)$/;
var SAFE_VALUE = /^[A-Za-z0-9_.:@,+-]{0,64}$/;
var ZONE = /^[A-Z][A-Za-z_]{0,31}(?:\/[A-Z][A-Za-z_+-]{0,31}){0,2}$/;
function unsafeVariable(env) {
  const found = Object.entries(env ?? {}).find(([name, value]) => !SAFE_NAME.test(name) || !isSafe(name, value));
  return found ? found[0] || "a variable without a name" : null;
}
var isSafe = (name, value) => SAFE_VALUE.test(value) || name === "TZ" && ZONE.test(value);

// src/policy/surroundings.ts
import { basename, resolve } from "node:path";
function stateProblem(commands) {
  if (commands.length < 2) return null;
  const found = commands.find(({ argv }) => CHANGES_SHELL.has(argv[0] ?? ""));
  return found ? `${found.argv[0]} changes what the rest of the line means` : null;
}
var MOST_DIRECTORIES = 16;
function walkDirectories(commands, cwd, rules) {
  const home = rules.workspace && isInside(rules.workspace.directory, cwd) ? rules.workspace.directory : cwd;
  let here = [cwd];
  let seen = [cwd];
  let certain = true;
  return commands.map(({ argv, globs, joinedBy }) => {
    if (joinedBy !== "&&") {
      certain = joinedBy !== "||" && joinedBy !== "|" && joinedBy !== "|&";
      if (here !== null) here = seen;
    }
    const outside2 = here === null || here.some((at) => !isInside(home, rules.facts.realPath(at, "")));
    const problem = outside2 && actsOnDirectory(argv) ? `${argv[0]} would work outside the directory the rules are for` : null;
    const place = { cwds: here ?? seen, problem };
    if (/^(cd|pushd|popd|chdir|Set-Location|sl)$/i.test(argv[0] ?? "")) {
      const target = argv.slice(1).find((word) => word === "-" || !word.startsWith("-"));
      const known = here !== null && target !== void 0 && target !== "-" && globs.length === 0 && seen.length < MOST_DIRECTORIES;
      here = known ? (here ?? []).map((at) => resolve(at, target)) : null;
      seen = [.../* @__PURE__ */ new Set([...seen, ...here ?? []])];
      if (!certain && here !== null) here = seen;
    }
    return place;
  });
}
function programProblem(program, shell, rules) {
  if (shell !== "none" && isBuiltin(program, shell)) return null;
  const found = rules.facts.program(program);
  return "problem" in found ? `${program}: ${found.problem}` : null;
}
function namesUs(argv, cwd, rules) {
  return argv.some((word) => {
    if (/^interactive-terminal(\.\w+)?$/.test(basename(word))) return true;
    const values = word.startsWith("-") ? [word.slice(word.indexOf("=") + 1), word.slice(2)] : [word, word.slice(word.indexOf("=") + 1)];
    return values.some((value) => {
      if (value === "" || rules.facts.ours.length === 0) return false;
      if (/[*?[]/.test(value)) return rules.facts.ours.some((own) => couldMatch(resolve(cwd, value), own));
      const path = rules.facts.realPath(value, rules.facts.realPath(cwd, ""));
      return rules.facts.ours.some((own) => isInside(own, path));
    });
  });
}
function couldMatch(path, own) {
  const names = path.split("/");
  return own.split("/").every((name, i) => {
    const glob = names[i];
    if (glob === void 0) return false;
    return glob === "**" || nameMatches(glob, name);
  });
}
function nameMatches(glob, name) {
  if (!/[*?[]/.test(glob)) return glob === name;
  const shape = glob.replace(/\[[^\]]*\]/g, "?").replace(/[.+^${}()|\\\][]/g, "\\$&");
  const pattern = new RegExp(`^${shape.replace(/\*+/g, ".*").replace(/\?/g, ".")}$`);
  return pattern.test(name);
}
var isGit = (program) => /(^|[\\/])git(\.exe)?$/i.test(program);
function repositoryProblem(cwds, { facts }) {
  for (const cwd of cwds) {
    const problem = facts.repositoryProblem?.(facts.realPath(cwd, "")) ?? null;
    if (problem) return problem;
  }
  return null;
}

// src/policy/decide.ts
var LONGEST_LINE2 = 64 * 1024;
var SCANNED_END = 6 * 1024;
var bothEnds = (line) => line.length > 2 * SCANNED_END ? `${line.slice(0, SCANNED_END)}
${line.slice(-SCANNED_END)}` : line;
var MOST_WORDS4 = 4096;
var decide = gateWithout([]);
function gateWithout(checks) {
  const off = new Set(checks);
  return (line, rules, lane) => new Judgement(line, rules, { lane, off }).verdict();
}
var shownText = ({ command, args }) => [command, ...(args ?? []).map((word) => /^[\w./=:@%+,-]*$/.test(word) ? word : `'${word.replaceAll("'", "")}'`)].join(
  " "
);
var Judgement = class {
  #line;
  #rules;
  #lane;
  #off;
  #shell;
  #text;
  #flags;
  #scanned;
  constructor(line, rules, how) {
    this.#line = line;
    this.#rules = rules;
    this.#lane = how.lane;
    this.#off = how.off;
    this.#shell = line.args ? "none" : line.shell ?? "bash";
    this.#text = [line.command, ...line.args ?? []].join(" ");
    this.#flags = displayFlags(shownText(line).slice(0, LONGEST_LINE2));
    this.#scanned = line.args || line.command.length > LONGEST_LINE2 ? [] : roughScan(bothEnds(line.command));
  }
  verdict() {
    if (this.#on("limits") && Buffer.byteLength(this.#text) > LONGEST_LINE2)
      return this.#ask("the line is longer than 64 KiB");
    const reading2 = this.#read();
    const commands = "gaveUp" in reading2 ? reading2.seen : reading2.commands;
    const destroyed = this.#catastrophe(commands);
    if (destroyed) return this.#answer("destructive", destroyed, { tier: "catastrophic" });
    const heavy = this.#on("grave") ? this.#grave(commands) : null;
    if (heavy) return this.#ask(`${heavy}; that is always asked`, "grave", this.#graveParts(reading2));
    if ("gaveUp" in reading2) return this.#ask(`the line has ${reading2.gaveUp}, which only a person can allow`);
    const obstacle = this.#lineObstacle(reading2);
    if (obstacle) return this.#ask(obstacle);
    return this.#judgeParts(reading2.commands);
  }
  #on(check) {
    return !this.#off.has(check);
  }
  #read() {
    const { command, args } = this.#line;
    if (args) {
      const argv = [command, ...args];
      return { commands: [{ argv, start: 0, end: command.length, globs: [] }] };
    }
    switch (this.#shell) {
      case "bash":
      case "sh":
      case "zsh":
        return readBash(command, this.#shell, {
          positiveList: this.#on("positive_list"),
          coverage: this.#on("coverage"),
          literalWords: this.#on("literal_words"),
          secondOpinion: this.#on("second_opinion")
        });
      case "powershell":
        return readPowerShell(command);
      case "cmd":
        return readCmd(command);
      case "fish":
      case "none":
        return { gaveUp: "words for a shell we do not read", seen: [] };
    }
  }
  #catastrophe(commands) {
    const { cwd, command } = this.#line;
    const windows = this.#shell === "powershell" || this.#shell === "cmd";
    if (this.#on("catastrophic_words"))
      for (const { argv } of commands) {
        const found = (windows ? powershellCatastrophe(argv) : null) ?? catastropheOf(argv, cwd);
        if (found) return found;
      }
    if (!this.#on("catastrophic_scan") || this.#line.args) return null;
    return (windows ? powershellLineCatastrophe(bothEnds(command)) : null) ?? catastrophe(bothEnds(command), cwd, this.#scanned);
  }
  #grave(commands) {
    for (const { argv } of commands) {
      const found = this.#graveCommand(argv);
      if (found) return found;
    }
    return grave(this.#scanned);
  }
  #graveCommand(argv) {
    const windows = this.#shell === "powershell" || this.#shell === "cmd";
    return (windows ? powershellGrave(argv) : null) ?? graveCommand(argv);
  }
  /** The line part by part, with the grave ones named; undefined where only the raw text tells of it. */
  #graveParts(reading2) {
    if ("gaveUp" in reading2) return void 0;
    const parts = this.#judgeParts(reading2.commands).parts.map((part2) => {
      const why = part2.argv ? this.#graveCommand(part2.argv) : null;
      return why ? { ...part2, covered: false, rule: null, why: `${why}; that is always asked` } : part2;
    });
    return parts.some((part2) => !part2.covered) ? parts : void 0;
  }
  /** Reasons that concern the line as a whole. */
  #lineObstacle(reading2) {
    if (this.#rules.autoApprove === "never") return "nothing runs unasked: PM_TERM_AUTO_APPROVE is never";
    const words = reading2.commands.reduce((sum, { argv }) => sum + argv.length, 0);
    if (this.#on("limits") && words > MOST_WORDS4) return `the line has more than ${MOST_WORDS4} words`;
    const disguise = this.#on("byte_filter") ? deception(this.#text, this.#flags) : null;
    if (disguise) return `the line has ${disguise}`;
    const variable = this.#on("environment") ? unsafeVariable(this.#line.env) : null;
    if (variable) return `the request sets ${variable}, which only a person can allow`;
    const operator = reading2.operators?.[0] ?? (reading2.commands.length > 1 ? "a separator" : void 0);
    if (this.#on("headless_operators") && this.#lane === "headless" && operator !== void 0)
      return `the headless lane takes no shell operators, and the line has ${operator === "\n" ? "a line break" : operator}`;
    return this.#on("shell_state") ? stateProblem(reading2.commands) : null;
  }
  #judgeParts(commands) {
    const places = walkDirectories(commands, this.#line.cwd, this.#rules);
    const at = byteOffsets(this.#line.command);
    const parts = commands.map((command, i) => {
      const place = places[i] ?? { cwds: [this.#line.cwd], problem: null };
      const found = this.#partObstacle(command, place);
      const start = at(command.start);
      return {
        text: this.#line.command.slice(command.start, command.end),
        start,
        end: at(command.end),
        argv: command.argv,
        ..."rule" in found ? { covered: true, rule: found.rule.pattern.text, why: found.rule.why } : { covered: false, rule: null, why: found.why }
      };
    });
    const open = parts.find((part2) => !part2.covered);
    if (!open)
      return this.#answer("auto", parts.length === 1 ? parts[0]?.why ?? "" : "a rule covers each part", { parts });
    return this.#ask(parts.length === 1 ? open.why : `${open.argv?.[0]}: ${open.why}`, "none", parts);
  }
  #partObstacle(command, place) {
    const [program] = command.argv;
    if (program === void 0 || program === "") return { why: "there is no command" };
    if (this.#on("own_files") && place.cwds.some((cwd) => namesUs(command.argv, cwd, this.#rules)))
      return { why: "the line names our own files or program" };
    const checks = { optionModels: this.#on("option_models"), globs: this.#on("globs") };
    const answers = place.cwds.map((cwd) => coverage({ command, shell: this.#shell, cwd }, this.#rules, checks));
    const found = answers.find((answer) => "why" in answer) ?? answers[0] ?? { why: "no rule covers it" };
    if ("why" in found) return found;
    if (this.#on("directory") && place.problem) return { why: place.problem };
    const problem = this.#on("programs") ? programProblem(program, this.#shell, this.#rules) : null;
    if (problem) return { why: problem };
    const hostile = this.#on("repository") && isGit(program) ? repositoryProblem(place.cwds, this.#rules) : null;
    return hostile ? { why: hostile } : found;
  }
  /** Fewer rights win. Headless has nobody to ask, so a question becomes a refusal there. */
  #ask(why, tier = "none", parts) {
    return this.#answer(this.#lane === "interactive" ? "approval" : "blocked", why, {
      tier,
      ...parts ? { parts } : {}
    });
  }
  #answer(verdict, why, more) {
    const { command, args } = this.#line;
    const whole2 = {
      text: command,
      start: 0,
      end: Buffer.byteLength(command),
      argv: args ? [command, ...args] : null,
      covered: false,
      rule: null,
      why
    };
    return { verdict, why, parts: more.parts ?? [whole2], flags: this.#flags, tier: more.tier ?? "none" };
  }
};

// src/runs/repository-problem.ts
var LARGEST_CONFIG_BYTES = 256 * 1024;

// src/host/terminals-carry.ts
var MOST_BYTES = 128 * 1024;

// src/runs/output-text.ts
var HEAD_SHARE = 1 / 3;

// src/runs/search-output.ts
var PAGE_BYTES = 1024 * 1024;
var LONGEST_OPEN_LINE = 4 * 1024 * 1024;

// src/host/ask-person.ts
var GRAVE_TEXT = "run it";
var needsTyping = `This is hard to undo: type "${GRAVE_TEXT}" to approve it.`;

// src/host/approver-record.ts
import * as z11 from "zod";
var Stored = z11.object({
  v: z11.literal(1),
  salt: z11.string().regex(/^[0-9a-f]{32}$/),
  cost: z11.int().min(2 ** 14).max(2 ** 20),
  public_key: z11.string().regex(/^[0-9a-f]{88}$/)
});

// src/runs/wait.ts
var SCAN_BYTES = 1024 * 1024;

// src/host/client-requests.ts
var FOREVER_MS = 2 ** 31 - 1;

// src/host/file-additions.ts
var never = new AbortController().signal;

// src/contract/run-record.ts
import * as z12 from "zod";
var ProcessId = z12.object({ pid: z12.int(), start: z12.string().nullable() });
var OpenedLine = z12.object({
  type: z12.literal("opened"),
  v: z12.literal(1),
  id: Id,
  trace_id: z12.string(),
  client_request_id: z12.string().nullable(),
  requester: z12.string(),
  lane: z12.enum(["headless", "interactive"]),
  adapter: z12.string(),
  terminal_id: Id.optional(),
  /** What kind of terminal it is and where that began: a later host opens it again under its id. */
  terminal: z12.object({ profile: z12.string(), home: z12.string() }).optional(),
  command: z12.string(),
  args: z12.array(z12.string()).nullable(),
  cwd: z12.string(),
  workspace_id: z12.string().nullable(),
  env_names: z12.array(z12.string()),
  payload_hash: z12.string(),
  server: ProcessId.extend({ id: Id }),
  at: z12.number()
});
var StartedLine = ProcessId.extend({
  type: z12.literal("started"),
  id: Id,
  mark: z12.string(),
  executable: z12.string(),
  plan_hash: z12.string(),
  at: z12.number(),
  /** The process that owns its terminal: while that lives, the run does not die with its server. */
  pty_host: ProcessId.optional(),
  approved_by: z12.enum(["person", "allowlist"]).optional(),
  command_executed: z12.string().optional(),
  kill_after_ms: z12.int().optional(),
  /** Where it really runs, when that is not where it was asked to. */
  cwd: z12.string().optional()
});
var EndedLine = z12.object({
  type: z12.literal("ended"),
  id: Id,
  state: z12.enum(RUN_STATES),
  at: z12.number(),
  started_at: z12.number().nullable(),
  took_ms: z12.number().nullable(),
  exit_code: z12.int().nullable(),
  signal: z12.string().nullable(),
  ended_by: z12.string().nullable(),
  /** Why it was blocked, declined or failed. */
  why: z12.string().nullable(),
  destructive: z12.boolean(),
  /** It had to be asked and could not be shown to anybody. */
  unshown: z12.boolean().optional(),
  approved_by: z12.enum(["person", "allowlist"]).optional(),
  command_executed: z12.string().optional(),
  /** Where it ran, if its terminal had moved on since it was asked for. */
  cwd: z12.string().optional(),
  carried: Carried2.optional(),
  survivors: z12.array(z12.int()),
  output_bytes: z12.int(),
  lost_bytes: z12.int(),
  drained: z12.boolean()
});
var RecordLine = z12.discriminatedUnion("type", [OpenedLine, StartedLine, EndedLine]);

// src/runs/run-store.ts
var LONGEST_REMEMBERED_MS = 30 * 6e4;

// src/host/requester-runs.ts
var BRIMMING_SHARE = 1 / 8;

// src/host/open-host.ts
var MB2 = 1024 * 1024;
var EVICT_EVERY_MS = 15 * 6e4;

// test/fakes/place.ts
import {
  chmodSync as chmodSync2,
  existsSync,
  mkdirSync as mkdirSync2,
  mkdtempSync,
  readFileSync as readFileSync2,
  realpathSync,
  rmSync as rmSync3,
  writeFileSync as writeFileSync3
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname as dirname2, join, resolve as resolve2 } from "node:path";
var PRODUCT = resolve2("/work/pty/test/fakes", "../../dist/interactive-terminal.cjs");
var WORKSPACE = "test";
var Place = class {
  root = realpathSync(mkdtempSync(join(tmpdir(), "it-test-")));
  home = join(this.root, "home");
  work = join(this.root, "work");
  #allowed = [];
  #trusted;
  constructor(options2 = {}) {
    this.#trusted = options2.trusted ?? false;
    mkdirSync2(this.work);
    this.write("home/state/host-in-container.for-tests-only", "");
    this.allow(...options2.allow ?? []);
  }
  /** Rules as a person would have confirmed them. Count at once, also for a server that already runs. */
  allow(...patterns) {
    this.#allowed.push(...patterns);
    const updated_at = (/* @__PURE__ */ new Date()).toISOString();
    this.write(
      `home/data/${WORKSPACE}/terminal-allowlist.json`,
      JSON.stringify({ patterns: this.#allowed, updated_at })
    );
    const binding = {
      workspace_id: WORKSPACE,
      directory: this.work,
      trusted: this.#trusted,
      accepted: { base: this.#allowed, headless: [] },
      updated_at
    };
    this.write(`home/data/${WORKSPACE}/workspace.v1.json`, JSON.stringify(binding));
  }
  /** Writes a file below `root` and returns its path. */
  write(path, content, mode = 384) {
    const file = join(this.root, path);
    mkdirSync2(dirname2(file), { recursive: true, mode: 448 });
    writeFileSync3(file, content);
    chmodSync2(file, mode);
    return file;
  }
  read(path) {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync2(file, "utf8") : "";
  }
  /** An allowlisted executable script in the workspace; returns its path. */
  script(name, text) {
    const file = this.write(`work/${name}`, text, 493);
    this.allow(`${file} *`);
    return file;
  }
  /** What to send to run a line with a shell: the gate allows one script, which runs the line. */
  shell(line) {
    const file = join(this.work, "line.sh");
    if (!existsSync(file)) this.script("line.sh", '#!/bin/sh\nexec bash -c "$1"\n');
    return { command: file, args: [line] };
  }
  /** A plain environment, so that nothing of the machine decides a test. */
  env(more = {}) {
    return {
      PATH: `/usr/local/bin:/usr/bin:/bin:${dirname2(process.execPath)}`,
      HOME: this.root,
      LANG: "C.UTF-8",
      PM_TERM_HOME: this.home,
      PM_TERM_PORT: "0",
      PM_TERM_APPROVER_PORT: "0",
      PM_TERM_PTY_HOST_PORT: "0",
      ...more
    };
  }
  /** Nobody will come to answer: a question fails at once instead of waiting for somebody. */
  alone() {
    this.write("home/settings.json", JSON.stringify({ PM_TERM_APPROVER_WAIT_MS: 0 }));
  }
  /** A host that a server of this place has started ends with the place, or else what a killed one has left. */
  #end(what) {
    try {
      process.kill(JSON.parse(this.read(`home/state/${what}.json`)).pid, "SIGTERM");
      return true;
    } catch {
      return false;
    }
  }
  remove() {
    if (!this.#end("host")) this.#end("pty-host");
    rmSync3(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
};

// test/fakes/live-host.ts
var PASSPHRASE = "a passphrase for tests";
var never2 = new AbortController().signal;
var ids = randomIds();
var RECORD = makeApproverRecord(PASSPHRASE);
var Heard = class {
  all = [];
  #waiting = [];
  add(frame) {
    this.all.push(frame);
    for (const waiting of [...this.#waiting])
      if (waiting.fits(frame)) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.resolve(frame);
      }
  }
  next(type, fits = () => true, withinMs = 1e4) {
    const good = (frame) => frame.type === type && fits(frame);
    const already = this.all.find(good);
    if (already) return Promise.resolve(already);
    return new Promise((resolve3, reject) => {
      const late = setTimeout(
        () => reject(new Error(`no ${type} came; there was ${JSON.stringify(this.all).slice(0, 2e3)}`)),
        withinMs
      );
      this.#waiting.push({
        fits: good,
        resolve: (frame) => {
          clearTimeout(late);
          resolve3(frame);
        }
      });
    });
  }
};
var FakeClient = class {
  heard = new Heard();
  closed = null;
  link;
  constructor(link) {
    this.link = link;
    link.onFrame((frame) => this.heard.add(FromHost.parse(frame)));
    link.onClose((reason) => {
      this.closed = reason;
    });
  }
  send(frame) {
    this.link.send(frame);
  }
  async hello(session = ids.make("ses")) {
    const client = { name: "test client", version: "1", pid: process.pid };
    const versions = { protocol_version: PROTOCOL_VERSION, capabilities: [] };
    this.send({ type: "hello", ...versions, trace_id: "trace_1", runtime_session_id: session, client });
    await this.heard.next("hello_ack");
    return this;
  }
  /** Sends a command and returns its id. */
  command(command, more = {}) {
    const request_id = more.request_id ?? ids.make("req");
    this.send({ type: "command_request", trace_id: "trace_1", command, ...more, request_id });
    return request_id;
  }
  response(request_id, withinMs) {
    return this.heard.next("command_response", (frame) => frame.request_id === request_id, withinMs);
  }
  ask(type, more = {}) {
    const request_id = ids.make("req");
    this.send({ type, request_id, trace_id: "trace_1", ...more });
    return request_id;
  }
};
var FakeApprover = class {
  heard = new Heard();
  link;
  closed = null;
  constructor(link) {
    this.link = link;
    link.onFrame((frame) => this.heard.add(ToApprover.parse(frame)));
    link.onClose((reason) => {
      this.closed = reason;
    });
  }
  send(frame) {
    this.link.send(FromApprover.parse(frame));
  }
  attach(name = "tester") {
    this.send({ type: "attach", protocol_version: 1, surface: "terminal", name });
  }
  async admitted() {
    this.attach();
    const challenge = await this.heard.next("challenge");
    const message = admissionMessage(challenge.nonce, this.link.binding);
    this.send({ type: "prove", signature: signAsApprover(PASSPHRASE, RECORD, message) });
    await this.heard.next("admitted");
    return this;
  }
  /** The next question, shown and read for long enough to be answered. */
  async question(fits = () => true) {
    const question = await this.heard.next("question", fits);
    this.send({ type: "shown", ask_id: question.ask_id });
    await new Promise((resolve3) => setTimeout(resolve3, 450));
    return question;
  }
  approve({ ask_id, plan_hash }, more = {}) {
    this.send({ type: "answer", ask_id, plan_hash, decision: { kind: "approve", scope: { kind: "once" }, ...more } });
  }
  decline({ ask_id, plan_hash }, reason = null) {
    this.send({ type: "answer", ask_id, plan_hash, decision: { kind: "decline", reason } });
  }
};
var LiveHost = class {
  place;
  host;
  #links = [];
  constructor(place, host) {
    this.place = place;
    this.host = host;
  }
  get state() {
    return join2(this.place.home, "state");
  }
  async dial(identity, key, port = this.host.port) {
    const host = "127.0.0.1";
    const link = await dialPsk({ host, port, identity, key, timeoutMs: 3e3, clock: systemClock, signal: never2 });
    this.#links.push(link);
    return link;
  }
  async stranger(identity = "local") {
    const file = identity === "local" ? "local.key" : `keys/${identity}.key`;
    return new FakeClient(await this.dial(identity, readKeyFile(join2(this.state, file))));
  }
  /** A client paired by name. */
  pair(name) {
    ensureKeyFile(join2(this.state, "keys", `${name}.key`));
  }
  async client(identity = "local", session) {
    return (await this.stranger(identity)).hello(session);
  }
  async unproved() {
    const key = readKeyFile(join2(this.state, "local.key"));
    return new FakeApprover(await this.dial("approver", key, this.host.approverPort));
  }
  async approver() {
    setPassphrase(this.place);
    return (await this.unproved()).admitted();
  }
  async close() {
    for (const link of this.#links) link.close("the test ends");
    await this.host.close();
    this.place.remove();
  }
};
function setPassphrase(place) {
  writeFileSync4(join2(place.home, "state", "approver.v1.json"), JSON.stringify(RECORD), { mode: 384 });
}

// test/fakes/mcp-client.ts
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
var LARGEST_ANSWER_BYTES = 256 * 1024 * 1024;
async function endOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve3) => child.once("exit", () => resolve3()));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 4e3);
  await gone;
  clearTimeout(force);
}
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
async function eventually(what, isSo, withinMs = 8e3) {
  const until = performance.now() + withinMs;
  while (!await isSo()) {
    if (performance.now() > until) throw new Error(`never: ${what}`);
    await new Promise((resolve3) => setTimeout(resolve3, 20));
  }
}

// test/fakes/host-process.ts
var HostProcesses = class {
  place;
  #children = [];
  #env;
  constructor(env = {}) {
    this.place = new Place();
    this.#env = env;
  }
  told(what = "host") {
    const text = this.place.read(`home/state/${what}.json`);
    return text === "" ? null : JSON.parse(text);
  }
  async start(args = [], env = {}) {
    const child = spawn2(process.execPath, [PRODUCT, "host", ...args], {
      cwd: this.place.root,
      env: this.place.env({ ...this.#env, ...env }),
      stdio: ["ignore", "ignore", openSync2(join3(this.place.root, "host.log"), "a")]
    });
    this.#children.push(child);
    await eventually("the host is ready", () => this.told()?.pid === child.pid, 15e3);
    return child;
  }
  /** Dies without a word. */
  async kill(what) {
    const { pid } = this.told(what) ?? {};
    if (pid === void 0) throw new Error(`there is no ${what}`);
    process.kill(pid, "SIGKILL");
    const child = this.#children.find((each) => each.pid === pid);
    if (child) await eventually("it is gone", () => child.signalCode !== null);
  }
  /** The one started last dies, ready or not. */
  killNewest() {
    this.#children.at(-1)?.kill("SIGKILL");
  }
  /** A client, and a person who could look. */
  async meet() {
    const at = this.told();
    if (!at) throw new Error("no host");
    const live = new LiveHost(this.place, { port: at.port, approverPort: at.approver_port });
    setPassphrase(this.place);
    return { live, client: await live.client(), approver: await live.approver() };
  }
  /** A line that a rule covers: it runs without a question. */
  line(client, line, more = {}) {
    const { command, args } = this.place.shell(line);
    return client.command(command, { args, working_directory: this.place.work, workspace_id: "test", ...more });
  }
  /** Runs the product and says how that went. */
  cli(args) {
    return new Promise((resolve3) => {
      const options2 = { cwd: this.place.root, env: this.place.env(), timeout: 2e4 };
      execFile(
        process.execPath,
        [PRODUCT, ...args],
        options2,
        (error, stdout, stderr) => resolve3({ code: error ? Number(error.code ?? -1) : 0, said: stdout + stderr })
      );
    });
  }
  async close() {
    for (const child of this.#children.splice(0)) await endOf(child);
    this.place.remove();
  }
};
async function readAll(client, session_id) {
  let cursor = 0;
  let text = "";
  for (; ; ) {
    const request = client.ask("read_output", { session_id, output: { cursor, max_bytes: 2e5 } });
    const page = await client.heard.next("output", (frame) => frame.request_id === request);
    text += page.output;
    if ((page.cursor ?? 0) <= cursor || page.output_bytes === page.cursor) return { text, page };
    cursor = page.cursor ?? 0;
  }
}

// test/fuzz/random.ts
var Random = class {
  #state;
  constructor(seed) {
    this.#state = seed >>> 0;
  }
  below(limit) {
    this.#state = this.#state + 1831565813 >>> 0;
    let mixed = Math.imul(this.#state ^ this.#state >>> 15, this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) % limit;
  }
  pick(items) {
    return items[this.below(items.length)];
  }
  chance(oneIn) {
    return this.below(oneIn) === 0;
  }
};

// test/soak/survival.ts
var JOBS = 6;
var MOST_PTY_HOST_KILLS = 4;
var A_MINUTE_MS = 6e4;
async function campaign({ rounds, minutes, seed, say }) {
  const random = new Random(seed);
  const at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: "300", PM_TERM_LOG_LEVEL: "warn" });
  const until = performance.now() + minutes * A_MINUTE_MS;
  const counts = { rounds: 0, runs: 0, bytes: 0 };
  const count = (what, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const problems = [];
  let ptyHostKills = [];
  try {
    await at.start();
    let met = await at.meet();
    for (let round = 1; round <= rounds && performance.now() < until && problems.length === 0; round++) {
      const jobs = Array.from({ length: JOBS }, (_, i) => jobOf(random, `r${round}n${i}`));
      const victim = chosen(random, ptyHostKills.length < MOST_PTY_HOST_KILLS);
      for (const { id, line } of jobs) at.line(met.client, line, { request_id: id });
      await pause(random.below(600));
      await strike(at, victim);
      if (victim !== "host") ptyHostKills.push(performance.now());
      ptyHostKills = victim === "pty-host" ? ptyHostKills.filter((when) => performance.now() - when < A_MINUTE_MS) : [];
      if (victim !== "pty-host") {
        if (random.below(4) === 0) await dieEarly(at, random);
        await at.start();
        met = await at.meet();
      }
      for (const job of jobs) {
        const told = await howItWent(met, job, at);
        const ran = timesRan(at, job);
        problems.push(...wrongWith(job, told, ran, victim).map((wrong) => `round ${round}, ${victim} killed: ${wrong}`));
        count(told.state);
        count("bytes", told.text.length);
        count("runs");
      }
      count(`killed ${victim}`);
      count("rounds");
      if (round % 10 === 0 || problems.length > 0) {
        const { said: said2, code: code2 } = await at.cli(["verify"]);
        if (code2 !== 0) problems.push(`round ${round}: ${said2}`);
        say(`${JSON.stringify(counts)} seed ${seed}`);
      }
    }
    const { said, code } = await at.cli(["verify"]);
    if (code !== 0) problems.push(said);
    say(said.trim());
  } finally {
    const ptyHost = at.told("pty-host")?.pid ?? -1;
    if (problems.length > 0) say(`pty-host.log:
${at.place.read("home/state/pty-host.log").slice(-3e3)}`);
    if (problems.length > 0) say(`host.log:
${at.place.read("host.log").slice(-3e3)}`);
    await at.close();
    await eventually("pty-host ends with its host", () => !isAlive(ptyHost)).catch(
      () => problems.push(`pty-host ${ptyHost} lives on after an orderly end`)
    );
  }
  const left = leftOver();
  if (left.length > 0) problems.push(`processes are left over: ${left.join(", ")}`);
  for (const problem of problems) say(problem);
  say(`${problems.length === 0 ? "nothing was lost, doubled or told wrongly" : "FAILED"}: ${JSON.stringify(counts)}`);
  return problems.length === 0;
}
function jobOf(random, name) {
  const lines = 1 + random.below(random.below(3) === 0 ? 2e4 : 300);
  const exitCode = random.below(100);
  const wait = random.below(2) === 0 ? `sleep 0.${random.below(9)}; ` : "";
  const half = Math.floor(lines / 2);
  const line = `/bin/echo ${name} >> ran; seq -f '${name} %.0f' 1 ${half}; ${wait}seq -f '${name} %.0f' ${half + 1} ${lines}; exit ${exitCode}`;
  const printed2 = Array.from({ length: lines }, (_, i) => `${name} ${i + 1}\r
`).join("");
  return { id: `soak-${name}-${random.below(2 ** 30)}`, name, line, printed: printed2, exitCode };
}
function chosen(random, ptyHostToo) {
  const dice = random.below(10);
  return !ptyHostToo || dice < 5 ? "host" : dice < 8 ? "pty-host" : "both";
}
async function strike(at, victim) {
  const pids = victim === "both" ? ["host", "pty-host"] : [victim];
  for (const what of pids) await at.kill(what).catch(() => {
  });
}
async function dieEarly(at, random) {
  const starting = at.start().catch(() => null);
  await pause(random.below(500));
  at.killNewest();
  await Promise.race([starting, pause(100)]);
}
async function howItWent(met, { id, line }, at) {
  const over = await untilOver(met.client, id);
  if (over === "unknown") return { state: "unknown", exitCode: null, text: "" };
  const { text, page } = await readAll(met.client, id);
  at.line(met.client, line, { request_id: id });
  const again = await met.client.response(id, 2e4);
  if (again.state !== page.state)
    throw new Error(`${id} is ${page.state}, and ${again.state} when it is asked for again`);
  return { state: page.state, exitCode: page.exit_code ?? null, text };
}
async function untilOver(client, session_id) {
  const request = client.ask("read_output", {
    session_id,
    output: { wait_for: "exit", wait_ms: 3e4, max_bytes: 256 }
  });
  const fits = (frame) => frame.request_id === request;
  const answered = client.heard.next("output", fits, 35e3).then(({ running }) => {
    if (running) throw new Error(`${session_id} does not end`);
    return "over";
  });
  const refused = client.heard.next("error", fits, 35e3).then(() => "unknown");
  answered.catch(() => {
  });
  refused.catch(() => {
  });
  return Promise.race([answered, refused]);
}
var timesRan = (at, { name }) => at.place.read("work/ran").split("\n").filter((line) => line === name).length;
function wrongWith({ name, printed: printed2, exitCode }, told, ran, victim) {
  const wrong = [];
  const { state, text } = told;
  if (ran > 1) wrong.push(`${name} ran ${ran} times`);
  if (state === "exited") {
    if (told.exitCode !== exitCode) wrong.push(`${name} exited with ${told.exitCode}, not ${exitCode}`);
    if (text !== printed2) wrong.push(`${name} printed ${printed2.length} bytes, ${text.length} are told`);
    if (ran !== 1) wrong.push(`${name} is told to have ended but did not run`);
  } else if (state === "lost") {
    if (victim === "host") wrong.push(`${name} is lost though pty-host lived`);
    if (!printed2.startsWith(text)) wrong.push(`${name} was lost, and what is told is not what it printed`);
  } else if (["failed", "withdrawn", "unknown", "blocked"].includes(state)) {
    if (ran > 0) wrong.push(`${name} is ${state}, but it ran`);
  } else wrong.push(`${name} is ${state}`);
  return wrong;
}
function leftOver() {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      return readFileSync3(join4("/proc", pid, "environ"), "latin1").includes("INTERACTIVE_TERMINAL_RUN=soak-");
    } catch {
      return false;
    }
  });
}
var pause = (ms) => new Promise((resolve3) => setTimeout(resolve3, ms));
export {
  campaign
};
