import { WITHOUT_REDUCER } from './idle-collection';

/** The command of this program again, as the launcher gives it, for what handles packets. */
export const ownProgram = (): readonly [string, string, string] => [
  process.execPath,
  WITHOUT_REDUCER,
  process.argv[1] ?? '',
];
