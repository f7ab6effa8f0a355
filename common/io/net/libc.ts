import { createRequire } from 'node:module';
import type * as Koffi from 'koffi' with { 'resolution-mode': 'import' };
import { InputError } from '../../errors';

// The package types itself as an ECMAScript module only, although it is both.
const koffi = createRequire(__filename)('koffi') as typeof Koffi;

/** An address in this process, as the C library gives and takes it. */
export type Address = bigint;

/** The calls of the C library that raw packet sockets need, with its own names and results. */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  setsockopt(fd: number, option: SocketOption, value: Uint8Array, length: number): number;
  getsockopt(fd: number, option: SocketOption, value: Uint8Array, length: Uint8Array): number;
  ioctl(fd: number, request: number, argument: Uint8Array): number;
  sendmmsg(fd: number, messages: Address, count: number, flags: number): number;
  recvmmsg(fd: number, messages: Address, count: number, flags: number): number;
  mmap(length: number, protection: number, flags: number, fd: number): Address;
  munmap(address: Address, length: number): number;
  /** The memory at an address of {@link mmap}, as an ArrayBuffer. */
  memoryAt(address: Address, length: number): ArrayBuffer;
  read(fd: number, buffer: Address, length: number): number;
  write(fd: number, buffer: Address, length: number): number;
  close(fd: number): number;
  fcntl(fd: number, command: number, argument: number): number;
  if_nametoindex(name: string): number;
  /** bpf(2), which the C library itself does not have; -1 on processors whose number is unknown. */
  bpf(command: number, attributes: Uint8Array, length: number): number;
  epoll_create1(flags: number): number;
  epoll_ctl(epoll: number, operation: number, fd: number, event: Uint8Array): number;
  epoll_wait(epoll: number, events: Uint8Array, count: number, milliseconds: number): number;
  timerfd_create(clock: number, flags: number): number;
  /** @param time a `struct itimerspec`, relative to now. */
  timerfd_settime(fd: number, time: Uint8Array): number;
  /** @param time receives a `struct timespec`. */
  clock_gettime(clock: number, time: Uint8Array): number;
  /** @param time a `struct timespec`. */
  nanosleep(time: Uint8Array): number;
  /** @param thread 0 for the calling one. */
  sched_getscheduler(thread: number): number;
  /** @param parameters a `struct sched_param`: the priority, of four bytes. */
  sched_getparam(thread: number, parameters: Uint8Array): number;
  sched_setscheduler(thread: number, policy: number, parameters: Uint8Array): number;
  /**
   * sched_setattr(2) of the calling thread, which the C library may not have; -1 on processors whose
   * number is unknown.
   * @param attributes a `struct sched_attr`.
   */
  sched_setattr(attributes: Uint8Array): number;
  /** Puts the calling thread into a namespace of that type. */
  setns(fd: number, type: number): number;
  /** Gives freed memory back to the system; nothing where the C library does not offer it. */
  malloc_trim(kept: number): void;
  /** The error number of the last call; to be read before anything else happens. */
  errno(): number;
  strerror(errno: number): string;
}

export interface SocketOption {
  readonly level: number;
  readonly name: number;
}

/** Value of mmap on failure: all bits set. */
const MAP_FAILED = (1n << 64n) - 1n;

let loaded: Libc | undefined;

/** @throws InputError on systems other than Linux. */
export function libc(): Libc {
  loaded ??= load();
  return loaded;
}

/**
 * Puts another system in place of the machine's, for simulations.
 * @returns what takes it back.
 * @internal
 */
export function standInForLibc(other: Libc): () => void {
  const before = loaded;
  loaded = other;
  return () => {
    loaded = before;
  };
}

/** @throws InputError with the system's reason when `result` says that a call failed. */
export function checked(result: number, what: string): number {
  if (result >= 0) return result;
  const reason = libc().strerror(libc().errno());
  throw new InputError(`${what}: ${reason}`);
}

/** Memory that stays at its address, as the kernel needs it; zeroed. */
export interface SharedMemory {
  readonly address: Address;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  release(): void;
}

export function anonymousMemory(length: number): SharedMemory {
  const PROT_READ_WRITE = 3;
  const MAP_PRIVATE_ANONYMOUS = 0x22;
  return mapMemory({ length, protection: PROT_READ_WRITE, flags: MAP_PRIVATE_ANONYMOUS, fd: -1 });
}

/** Memory that a socket shares with its owner. */
export function socketMemory(fd: number, length: number): SharedMemory {
  const PROT_READ_WRITE = 3;
  const MAP_SHARED = 1;
  return mapMemory({ length, protection: PROT_READ_WRITE, flags: MAP_SHARED, fd });
}

interface Mapping {
  readonly length: number;
  readonly protection: number;
  readonly flags: number;
  readonly fd: number;
}

function mapMemory({ length, protection, flags, fd }: Mapping): SharedMemory {
  const address = libc().mmap(length, protection, flags, fd);
  if (address === 0n || address === MAP_FAILED) checked(-1, `mapping ${length} bytes of memory`);
  const buffer = libc().memoryAt(address, length);
  return {
    address,
    bytes: new Uint8Array(buffer),
    view: new DataView(buffer),
    release: () => void libc().munmap(address, length),
  };
}

/** Numbers of system calls by `process.arch`. */
const BPF_NUMBERS: Readonly<Record<string, number>> = { x64: 321, arm64: 280, riscv64: 280 };
const SCHED_SETATTR_NUMBERS: typeof BPF_NUMBERS = { x64: 314, arm64: 274, riscv64: 274 };

type Signature<Name extends keyof Libc> = Libc[Name];
type Integers = (...integers: readonly (number | Address | Uint8Array | null)[]) => number;

function load(): Libc {
  if (process.platform !== 'linux') {
    throw new InputError(`packet sockets need Linux, and this is ${process.platform}`);
  }
  // A null name stands for what the process has loaded already, whichever C library that is.
  const library = koffi.load(null);
  const bind = (definition: string): Integers => library.func(definition) as Integers;
  // musl has no such call.
  const bindWhereItIs = (definition: string): Integers => {
    try {
      return bind(definition);
    } catch {
      return () => 0;
    }
  };
  const setsockopt = bind('int setsockopt(int fd, int level, int name, void *value, uint32_t n)');
  const getsockopt = bind('int getsockopt(int fd, int level, int name, void *value, void *n)');
  const recvmmsg = bind('int recvmmsg(int fd, void *messages, uint32_t n, int flags, void *time)');
  const mmap = library.func(
    'void *mmap(void *address, size_t n, int protection, int flags, int fd, int64_t offset)',
  ) as (...values: readonly (number | null)[]) => Address;
  const settime = bind('int timerfd_settime(int fd, int flags, void *time, void *before)');
  const nanosleep = bind('int nanosleep(void *time, void *left)');
  const syscall = bind('long syscall(long number, long command, void *attributes, long n)');
  const bpfNumber = BPF_NUMBERS[process.arch];
  const setattrNumber = SCHED_SETATTR_NUMBERS[process.arch];
  return {
    socket: bind('int socket(int domain, int type, int protocol)'),
    bind: bind('int bind(int fd, void *address, uint32_t length)'),
    setsockopt: (fd, { level, name }, value, n) => setsockopt(fd, level, name, value, n),
    getsockopt: (fd, { level, name }, value, n) => getsockopt(fd, level, name, value, n),
    ioctl: bind('int ioctl(int fd, unsigned long request, void *argument)'),
    sendmmsg: bind('int sendmmsg(int fd, void *messages, unsigned int count, int flags)'),
    recvmmsg: (fd, messages, count, flags) => recvmmsg(fd, messages, count, flags, null),
    mmap: (length, protection, flags, fd) => mmap(null, length, protection, flags, fd, 0),
    munmap: bind('int munmap(void *address, size_t length)'),
    memoryAt: (address, length) => koffi.view(address, length),
    read: bind('int64_t read(int fd, void *buffer, size_t length)'),
    write: bind('int64_t write(int fd, void *buffer, size_t length)'),
    close: bind('int close(int fd)'),
    fcntl: bind('int fcntl(int fd, int command, int argument)'),
    if_nametoindex: library.func(
      'unsigned int if_nametoindex(const char *name)',
    ) as Signature<'if_nametoindex'>,
    bpf: (command, attributes, n) =>
      bpfNumber === undefined ? -1 : syscall(bpfNumber, command, attributes, n),
    epoll_create1: bind('int epoll_create1(int flags)'),
    epoll_ctl: bind('int epoll_ctl(int epoll, int operation, int fd, void *event)'),
    epoll_wait: bind('int epoll_wait(int epoll, void *events, int n, int milliseconds)'),
    timerfd_create: bind('int timerfd_create(int clock, int flags)'),
    timerfd_settime: (fd, time) => settime(fd, 0, time, null),
    clock_gettime: bind('int clock_gettime(int clock, void *time)'),
    nanosleep: (time) => nanosleep(time, null),
    sched_getscheduler: bind('int sched_getscheduler(int thread)'),
    sched_getparam: bind('int sched_getparam(int thread, void *parameters)'),
    sched_setscheduler: bind('int sched_setscheduler(int thread, int policy, void *parameters)'),
    sched_setattr: (attributes) =>
      setattrNumber === undefined ? -1 : syscall(setattrNumber, 0, attributes, 0),
    setns: bind('int setns(int fd, int type)'),
    malloc_trim: bindWhereItIs('int malloc_trim(size_t kept)'),
    errno: () => koffi.errno(),
    strerror: library.func('const char *strerror(int errno)') as Signature<'strerror'>,
  };
}
