import { spawnSync } from 'node:child_process';
import { InputError } from '../../common/errors';

/** A namespace with one end of a virtual cable; the other end is in the namespace of the caller. */
export interface Leg {
  readonly namespace: string;
  /** The interface on the caller's side, for a switch. */
  readonly outer: string;
  /** The interface inside the namespace, for a host. */
  readonly inner: string;
}

/** Frames of the interfaces do not grow beyond this, whatever a switch adds to 1000 bytes. */
const MTU = 1500;

let made = 0;

/**
 * Makes a namespace with a cable to it. Its names hold the number of this process, so nothing that
 * exists is touched; {@link removeLeg} takes all of it away.
 * @throws InputError when rights or the `ip` command are missing.
 */
export function makeLeg(): Leg {
  made += 1;
  const name = `hpcc${process.pid}x${made.toString(36)}`;
  const leg = { namespace: name, outer: name, inner: 'host' };
  ip('netns', 'add', name);
  try {
    ip('link', 'add', leg.outer, 'type', 'veth', 'peer', 'name', leg.inner, 'netns', name);
    // The kernel would mix packets of its own into the traffic: router solicitations.
    withoutIpv6(['sysctl'], leg.outer);
    withoutIpv6(['ip', 'netns', 'exec', name, 'sysctl'], leg.inner);
    ip('link', 'set', leg.outer, 'mtu', String(MTU), 'up');
    ip('-n', name, 'link', 'set', leg.inner, 'mtu', String(MTU), 'up');
  } catch (error) {
    removeLeg(leg);
    throw error;
  }
  return leg;
}

/** Makes a cable of which both ends are in the namespace of the caller; it goes with either end. */
export function makeCable(): readonly [string, string] {
  made += 1;
  const name = `hpcc${process.pid}x${made.toString(36)}`;
  const ends = [`${name}0`, `${name}1`] as const;
  ip('link', 'add', ends[0], 'type', 'veth', 'peer', 'name', ends[1]);
  for (const end of ends) {
    withoutIpv6(['sysctl'], end);
    ip('link', 'set', end, 'mtu', String(MTU), 'up');
  }
  return ends;
}

export function removeCable([end]: readonly [string, string]): void {
  spawnSync('ip', ['link', 'del', end]);
}

/** Removing a namespace removes the cable that ends in it. */
export function removeLeg({ namespace }: Leg): void {
  spawnSync('ip', ['netns', 'del', namespace]);
}

/** The command line that runs a program inside the namespace. */
export const inNamespace = ({ namespace }: Leg, command: readonly string[]): string[] => [
  'ip',
  'netns',
  'exec',
  namespace,
  ...command,
];

/** Packets that the interface inside the namespace has received so far. */
export function packetsReceived({ namespace, inner }: Leg): number {
  const text = ip('-n', namespace, '-j', '-s', 'link', 'show', 'dev', inner);
  const [link] = JSON.parse(text) as { stats64: { rx: { packets: number } } }[];
  return link?.stats64.rx.packets ?? 0;
}

function withoutIpv6([command = '', ...rest]: readonly string[], name: string): void {
  // Machines without IPv6 have no such setting, and no need of it.
  spawnSync(command, [...rest, '-qw', `net.ipv6.conf.${name}.disable_ipv6=1`]);
}

function ip(...args: readonly string[]): string {
  const run = spawnSync('ip', args, { encoding: 'utf8' });
  if (run.error !== undefined) throw new InputError(`needs the ip command: ${run.error.message}`);
  if (run.status === 0) return run.stdout;
  throw new InputError(`ip ${args.join(' ')}: ${run.stderr.trim()}`);
}
