import { WITHOUT_REDUCER } from './memory-reducer';
import { UNHURRIED } from './optimising';

/**
 * Options of the engine for processes that handle packets, which the launcher gives, too: collections of its own, and no
 * hurry to optimise before packets come. Packets are no garbage, but what clients of its servers ask for is: young
 * objects get little room and are collected by this thread alone. Otherwise packets waited for 5 to 17 ms, while the
 * engine's helpers waited for a processor of a busy machine; so for 1 to 3.
 */
const FOR_PACKETS = [
  WITHOUT_REDUCER,
  '--max-semi-space-size=2',
  '--no-parallel-scavenge',
  '--v8-pool-size=1',
  UNHURRIED,
];

/** The command of this program again, for what handles packets. */
export const ownProgram = (): readonly [string, ...string[]] => [
  process.execPath,
  ...FOR_PACKETS,
  process.argv[1] ?? '',
];
