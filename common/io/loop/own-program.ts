import { WITHOUT_REDUCER } from './idle-collection';

/**
 * Options of the engine for processes that handle packets, which the launcher gives, too: machine code
 * of the simple kind from the first call on, so that a process which has just begun is slower by less
 * (a first flow used one hundredth more of a link), and collections of its own.
 */
const FOR_PACKETS = ['--always-sparkplug', WITHOUT_REDUCER];

/** The command of this program again, for what handles packets. */
export const ownProgram = (): readonly [string, ...string[]] => [
  process.execPath,
  ...FOR_PACKETS,
  process.argv[1] ?? '',
];
