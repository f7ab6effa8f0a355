import type { Libc } from '../../../common/io/net/libc';
import { ERRNO, STRERROR } from './errno';
import type { Descriptor } from './descriptors';
import { NetlinkDescriptor } from './netlink';
import { PacketSocketDescriptor } from './packet-socket';
import type { System } from './system';
import { EpollDescriptor, TimerDescriptor } from './waiting';

const AF_NETLINK = 16;
const AF_PACKET = 17;
const SOL_PACKET = 263;
const PACKET_ADD_MEMBERSHIP = 1;
const PACKET_RX_RING = 5;
const PACKET_STATISTICS = 6;
const SO_ERROR = 4;
const SIOCGIFFLAGS = 0x8913;
const SIOCGIFMTU = 0x8921;
const SIOCGIFHWADDR = 0x8927;
const ANSWER_AT = 16;
const MAP_ANONYMOUS = 0x20;
const MAP_FAILED = (1n << 64n) - 1n;
const NS_PER_SECOND = 1e9;

/** A UDP socket that only asks about interfaces. */
class PlainSocket implements Descriptor {
  readonly kind = 'datagram';
  readonly isReadable = false;
  close(): void {
    // It holds nothing.
  }
}

/** The calls of the C library that the live layer makes, carried out by a simulated kernel. */
export function simulatedLibc(system: System): Libc {
  const { machine, memory, descriptors, interfaces, faults } = system;
  let errno = 0;
  /** Returns the result of a call; negative results become -1 and an error. */
  const answer = (result: number): number => {
    machine.call();
    if (result >= 0) return result;
    errno = -result;
    system.trace.note('kernel', STRERROR[errno] ?? `error ${errno}`);
    return -1;
  };
  const opened = (make: () => Descriptor): number =>
    answer(descriptors.add(make()) ?? -ERRNO.EMFILE);
  const readable = (): void => system.polling.look();
  const of = <Kind extends Descriptor>(
    type: abstract new (...values: never[]) => Kind,
    fd: number,
    use: (descriptor: Kind) => number,
  ): number => {
    const found = descriptors.get(fd);
    return answer(found instanceof type ? use(found) : -ERRNO.EBADF);
  };
  return {
    socket: (domain) =>
      opened(() => {
        if (domain === AF_PACKET) return new PacketSocketDescriptor(system, readable);
        return domain === AF_NETLINK ? new NetlinkDescriptor(system, readable) : new PlainSocket();
      }),
    bind: (fd, address) =>
      descriptors.get(fd) instanceof NetlinkDescriptor
        ? of(NetlinkDescriptor, fd, (each) => each.bind(int32(address, 8)))
        : of(PacketSocketDescriptor, fd, (each) => each.bind(int32(address, 4))),
    setsockopt: (fd, { level, name }, value) => {
      if (level !== SOL_PACKET) return answer(0);
      if (name === PACKET_ADD_MEMBERSHIP && interfaces.indexed(int32(value, 0)) === undefined) {
        return answer(-ERRNO.ENODEV);
      }
      if (name !== PACKET_RX_RING) return answer(0);
      const request = new Uint32Array(value.buffer, value.byteOffset, 4);
      return of(PacketSocketDescriptor, fd, (each) => each.makeRing(request));
    },
    getsockopt: (fd, { level, name }, value) =>
      of(PacketSocketDescriptor, fd, (each) => {
        const view = new DataView(value.buffer, value.byteOffset);
        if (level === SOL_PACKET && name === PACKET_STATISTICS) {
          view.setUint32(4, each.takeLost(), true);
        } else if (name === SO_ERROR) view.setInt32(0, each.takeError(), true);
        return 0;
      }),
    ioctl: (_fd, request, argument) => {
      const name = Buffer.from(argument.subarray(0, 16)).toString('latin1').replace(/\0.*$/s, '');
      const found = interfaces.named(name);
      if (found === undefined) return answer(-ERRNO.ENODEV);
      const view = new DataView(argument.buffer, argument.byteOffset);
      if (request === SIOCGIFMTU) view.setInt32(ANSWER_AT, found.mtu, true);
      else if (request === SIOCGIFFLAGS) view.setUint16(ANSWER_AT, found.isUp ? 1 : 0, true);
      else if (request === SIOCGIFHWADDR) {
        view.setUint16(ANSWER_AT + 2, Math.floor(found.mac / 2 ** 32));
        view.setUint32(ANSWER_AT + 4, found.mac % 2 ** 32);
      } else return answer(-ERRNO.EOPNOTSUPP);
      return answer(0);
    },
    sendmmsg: (fd, messages, count) =>
      of(PacketSocketDescriptor, fd, (each) => each.send(memory, messages, count)),
    recvmmsg: () => answer(-ERRNO.EOPNOTSUPP),
    mmap: (length, _protection, flags, fd) => {
      if (faults.strikes('enomem', 0.3)) {
        answer(-ERRNO.ENOMEM);
        return MAP_FAILED;
      }
      machine.call();
      const socket = descriptors.get(fd);
      if ((flags & MAP_ANONYMOUS) !== 0) return memory.map(length);
      return socket instanceof PacketSocketDescriptor ? socket.mapRing(memory, length) : 0n;
    },
    munmap: (address) => answer(memory.unmap(address)),
    memoryAt: (address) => memory.buffer(address),
    read: (fd, buffer, length) =>
      of(NetlinkDescriptor, fd, (each) => each.read(memory.bytes(buffer, length))),
    write: (fd, buffer, length) =>
      of(NetlinkDescriptor, fd, (each) => each.write(memory.bytes(buffer, length))),
    // Servers, whose sockets are copied, are not of the simulation.
    fcntl: () => answer(-ERRNO.EBADF),
    close: (fd) => answer(descriptors.close(fd)),
    if_nametoindex: (name) => {
      machine.call();
      return interfaces.named(name)?.index ?? 0;
    },
    bpf: () => answer(-ERRNO.EOPNOTSUPP),
    epoll_create1: () => opened(() => new EpollDescriptor(descriptors)),
    epoll_ctl: (epoll, operation, fd, event) => {
      const result = of(EpollDescriptor, epoll, (each) => each.control(operation, fd, event));
      readable();
      return result;
    },
    epoll_wait: (epoll, events, count) =>
      of(EpollDescriptor, epoll, (each) =>
        faults.strikes('eintr') ? -ERRNO.EINTR : each.collect(events, count),
      ),
    timerfd_create: () => opened(() => new TimerDescriptor(machine, readable)),
    timerfd_settime: (fd, time) => of(TimerDescriptor, fd, (each) => each.set(nsOf(time, 16))),
    nanosleep: (time) => {
      const ns = nsOf(time, 0);
      const isCut = faults.strikes('eintr');
      machine.pass(isCut ? faults.some(ns) : ns);
      return answer(isCut ? -ERRNO.EINTR : 0);
    },
    // Nothing asks what its processor time is.
    clock_gettime: () => answer(-ERRNO.EINVAL),
    // Nothing here is scheduled in real time.
    sched_getscheduler: () => answer(0),
    sched_getparam: () => answer(0),
    sched_setscheduler: () => answer(-ERRNO.EOPNOTSUPP),
    sched_setattr: () => 0,
    setns: () => answer(-ERRNO.EOPNOTSUPP),
    malloc_trim: () => undefined,
    errno: () => errno,
    strerror: (code) => STRERROR[code] ?? `error ${code}`,
  };
}

const int32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getInt32(at, true);

/** A `struct timespec`. */
function nsOf(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  return view.getUint32(0, true) * NS_PER_SECOND + view.getUint32(8, true);
}
