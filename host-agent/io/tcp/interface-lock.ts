import { InputError } from '../../../common/errors';
import { checked, libc } from '../../../common/io/net/libc';

const AF_UNIX = 1;
const SOCK_STREAM_CLOEXEC = 1 | 0o2000000;
const EADDRINUSE = 98;
/** What an earlier process left may still be taken away. */
const PATIENCE_MS = 3000;
const RETRY_MS = 20;

/**
 * Keeps a second process from controlling the same interface: a name that one process of a network
 * namespace can have, and that goes with the last process that holds the descriptor.
 * @returns the descriptor.
 * @throws InputError when another process has it and keeps it.
 */
export async function lockInterface(device: string): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  const fd = checked(libc().socket(AF_UNIX, SOCK_STREAM_CLOEXEC, 0), 'opening a lock');
  const name = abstractName(`hpcc-tcp-${device}`);
  while (libc().bind(fd, name, name.length) < 0) {
    const code = libc().errno();
    if (code !== EADDRINUSE || performance.now() > deadline) {
      libc().close(fd);
      const reason = libc().strerror(code);
      throw new InputError(
        code === EADDRINUSE
          ? `another hpcc agent controls TCP on ${device} already`
          : `locking interface ${device}: ${reason}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return fd;
}

/** The C structure sockaddr_un with a name that is no file: it begins with a zero byte. */
function abstractName(text: string): Uint8Array {
  const bytes = new Uint8Array(3 + text.length);
  bytes[0] = AF_UNIX;
  bytes.set(new TextEncoder().encode(text), 3);
  return bytes;
}
