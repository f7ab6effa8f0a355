import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';

/** Values that the kernel writes into traces. */
export const KERNEL_NODE = { id: 0xabcdef, ingress: 0x1111, egress: 0x2222 } as const;

/** Where its routing leads from; the other side's address. */
export const KERNEL_DESTINATION = '2001:db8:b::2';
export const KERNEL_MAC = '02:00:00:00:0c:01';

const NEXT_MAC = '02:00:00:00:0d:01';

/** A namespace in which the kernel routes IPv6 and is an IOAM transit node. */
export interface KernelIoamRouter {
  /** Interfaces outside the namespace: packets go in at the first and come out at the second. */
  readonly ingress: string;
  readonly egress: string;
  remove(): void;
}

/** True if this kernel, and the `ip` command, know IOAM (Linux 5.15, iproute2 5.16). */
export const kernelHasIoam = (): boolean =>
  fs.existsSync('/proc/sys/net/ipv6/ioam6_id') &&
  spawnSync('ip', ['ioam', 'namespace', 'show']).status === 0;

/**
 * Makes the namespace and all in it. Its names hold the number of this process.
 * @param ioamNamespace the IOAM namespace that the kernel shall know.
 */
export function makeKernelIoamRouter(ioamNamespace: number): KernelIoamRouter {
  const name = `hpcck${process.pid}`;
  const [ingress, egress] = [`${name}a`, `${name}b`];
  const remove = (): void => void spawnSync('ip', ['netns', 'del', name]);
  try {
    ip('netns', 'add', name);
    cable(name, ingress, 'left');
    cable(name, egress, 'right');
    configureIoam(name, ioamNamespace);
    ip('-n', name, 'link', 'set', 'left', 'address', KERNEL_MAC);
    for (const side of ['left', 'right']) ip('-n', name, 'link', 'set', side, 'up');
    ip('-n', name, 'addr', 'add', '2001:db8:a::1/64', 'dev', 'left', 'nodad');
    ip('-n', name, 'addr', 'add', '2001:db8:b::1/64', 'dev', 'right', 'nodad');
    const neighbour = ['lladdr', NEXT_MAC, 'dev', 'right', 'nud', 'permanent'];
    ip('-n', name, 'neigh', 'add', KERNEL_DESTINATION, ...neighbour);
    return { ingress, egress, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function cable(namespace: string, outer: string, inner: string): void {
  ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', namespace);
  // The kernel on our side would mix packets of its own into the traffic.
  run('sysctl', '-qw', `net.ipv6.conf.${outer}.disable_ipv6=1`);
  ip('link', 'set', outer, 'up');
}

/** IOAM is a setting of the interface where packets come in. */
function configureIoam(namespace: string, ioamNamespace: number): void {
  const settings = [
    'conf.all.forwarding=1',
    `ioam6_id=${KERNEL_NODE.id}`,
    'conf.left.ioam6_enabled=1',
    `conf.left.ioam6_id=${KERNEL_NODE.ingress}`,
    `conf.right.ioam6_id=${KERNEL_NODE.egress}`,
  ];
  for (const setting of settings) {
    ip('netns', 'exec', namespace, 'sysctl', '-qw', `net.ipv6.${setting}`);
  }
  ip('-n', namespace, 'ioam', 'namespace', 'add', String(ioamNamespace));
}

const ip = (...args: readonly string[]): void => run('ip', ...args);

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
