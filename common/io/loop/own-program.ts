import { WITHOUT_REDUCER } from './idle-collection';
import { UNHURRIED } from './optimising';

/**
 * Options of the engine for processes that handle packets, which the launcher gives, too: machine code
 * of the simple kind from the first call on, so that a process which has just begun is slower by less
 * (a first flow used one hundredth more of a link), and collections of its own. Packets are no garbage, but what
 * clients of its servers ask for is: young objects get little room and are collected by this thread alone. Otherwise
 * packets waited for 5 to 17 ms, while the engine's helpers waited for a processor of a busy machine; so for 1 to 3.
 * Nothing is optimised before packets come.
 */
const FOR_PACKETS = [
  '--always-sparkplug',
  WITHOUT_REDUCER,
  '--max-semi-space-size=2',
  '--no-parallel-scavenge',
  UNHURRIED,
];

/** The command of this program again, for what handles packets. */
export const ownProgram = (): readonly [string, ...string[]] => [
  process.execPath,
  ...FOR_PACKETS,
  process.argv[1] ?? '',
];
