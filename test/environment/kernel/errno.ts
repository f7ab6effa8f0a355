/** Numbers of errors, as the kernel has them. */
export const ERRNO = {
  ENOENT: 2,
  EINTR: 4,
  ENXIO: 6,
  EBADF: 9,
  EAGAIN: 11,
  ENOMEM: 12,
  ENODEV: 19,
  EINVAL: 22,
  ENFILE: 23,
  EMFILE: 24,
  ENOSPC: 28,
  EMSGSIZE: 90,
  EADDRINUSE: 98,
  ENETDOWN: 100,
  ENOBUFS: 105,
  EOPNOTSUPP: 95,
} as const;

export type Errno = keyof typeof ERRNO;

/** Messages of the C library for them. */
export const STRERROR: Readonly<Record<number, string>> = {
  [ERRNO.ENXIO]: 'No such device or address',
  [ERRNO.ENOMEM]: 'Cannot allocate memory',
  [ERRNO.EINTR]: 'Interrupted system call',
  [ERRNO.EMFILE]: 'Too many open files',
  [ERRNO.ENOSPC]: 'No space left on device',
  [ERRNO.ENODEV]: 'No such device',
  [ERRNO.ENETDOWN]: 'Network is down',
  [ERRNO.ENOBUFS]: 'No buffer space available',
};

/** An error as Node's file system throws it. */
export function systemError(code: Errno, syscall: string, path?: string): Error {
  const message = `${code}: ${STRERROR[ERRNO[code]] ?? code}, ${syscall}`;
  const error = new Error(path === undefined ? message : `${message} '${path}'`);
  return Object.assign(error, { code, syscall, errno: -ERRNO[code], ...(path && { path }) });
}
