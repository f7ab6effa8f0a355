import { InputError } from '../../../common/errors';
import { checked, libc } from '../../../common/io/net/libc';
import { formatIpv4 } from '../../../common/topology/topology';
import { socketAddress } from './socket-address';

const AF_INET = 2;
const SOCK_DGRAM_CLOEXEC = 2 | 0o2000000;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const EADDRINUSE = 98;

/**
 * Holds our UDP port of an address that the kernel has, without ever reading from it: the kernel
 * would answer every packet with "port unreachable" otherwise. It also keeps a second agent away
 * from the address, whose acknowledgements would contradict those of the first.
 */
export class ReservedPort {
  readonly #fd: number;

  /** @throws InputError when another process has the port. */
  constructor(address: number, port: number) {
    this.#fd = checked(libc().socket(AF_INET, SOCK_DGRAM_CLOEXEC, 0), 'opening a UDP socket');
    try {
      // The kernel keeps copies until this is full, and drops what follows without a word.
      const least = new Uint8Array(new Int32Array([1]).buffer);
      libc().setsockopt(this.#fd, { level: SOL_SOCKET, name: SO_RCVBUF }, least, least.length);
      bindTransportPort(this.#fd, address, port);
    } catch (error) {
      libc().close(this.#fd);
      throw error;
    }
  }

  close(): void {
    libc().close(this.#fd);
  }
}

/** @throws InputError when another process has the port, or the machine has no such address. */
export function bindTransportPort(fd: number, address: number, port: number): void {
  const name = socketAddress(address, port);
  const result = libc().bind(fd, name, name.length);
  const place = `UDP port ${port} of ${formatIpv4(address)}`;
  if (result < 0 && libc().errno() === EADDRINUSE) {
    throw new InputError(`${place} is in use; does another hpcc agent run here (ss -lnup)?`);
  }
  checked(result, `taking ${place}`);
}
