import { InputError } from '../../common/errors';
import { INTERCEPTION_PREFERENCE, ROOT_HANDLE } from './tc-commands';

/** State of an interface before control begins. */
export interface QdiscState {
  /** An earlier process ended without taking its own away. */
  readonly hasOwnRoot: boolean;
  /** Filters at the ingress can be added. */
  readonly hasIngress: boolean;
}

/** An element of what `tc -json qdisc show` prints, as far as it matters. */
interface ShownQdisc {
  readonly kind?: unknown;
  readonly handle?: unknown;
  readonly root?: unknown;
}

/**
 * Reads what `tc -json qdisc show dev DEVICE` printed.
 * @throws InputError when somebody has set up the interface: that would have to be destroyed.
 */
export function judgeQdiscs(device: string, shown: string): QdiscState {
  const qdiscs = JSON.parse(shown) as readonly ShownQdisc[];
  const root = qdiscs.find((qdisc) => qdisc.root === true);
  const kinds = qdiscs.map(({ kind }) => kind);
  const state = {
    hasOwnRoot: root?.kind === 'htb' && root.handle === ROOT_HANDLE,
    hasIngress: kinds.includes('clsact') || kinds.includes('ingress'),
  };
  // The kernel's own choice has no number.
  if (root === undefined || root.handle === '0:' || state.hasOwnRoot) return state;
  const found = `${String(root.kind)} ${String(root.handle)}`;
  throw new InputError(
    `interface ${device} has the queueing discipline ${found} of somebody else, and control needs ` +
      `that place; if nobody misses it: tc qdisc del dev ${device} root`,
  );
}

/** True if our filter is among those that `tc filter show dev DEVICE ingress` printed. */
export const hasInterception = (shown: string): boolean =>
  new RegExp(`^filter .*\\bpref ${INTERCEPTION_PREFERENCE}\\b`, 'm').test(shown);
