import { checked, libc } from './libc';

export const AF_NETLINK = 16;
const SOCK_RAW_NONBLOCKING = 3 | 0o4000;
const NETLINK_ROUTE = 0;

/**
 * Opens a socket for rtnetlink(7) in the present network namespace, and returns its descriptor.
 * @throws InputError when the process has no descriptors left, or on systems other than Linux.
 */
export const openNetlinkSocket = (): number =>
  checked(
    libc().socket(AF_NETLINK, SOCK_RAW_NONBLOCKING, NETLINK_ROUTE),
    'opening a netlink socket',
  );
