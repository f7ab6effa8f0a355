import * as path from 'node:path';
import { WITHOUT_REDUCER } from '../../common/io/loop/memory-reducer';
import { UNHURRIED } from '../../common/io/loop/optimising';
import { ownProgram } from '../../common/io/loop/own-program';

/** The command line program as the tests' own build has it. */
export const PROGRAM = path.join(__dirname, '..', '..', 'cli', 'main.js');

/** The same for what handles packets, as the launcher starts it: with options of the engine, and compiled code is kept. */
export const LIVE_PROGRAM = [...ownProgram().slice(0, -1), PROGRAM];

/**
 * Arguments of Node.js for another command. PERF: compiled code is kept as for those above, and nothing is optimised
 * before virtual time begins; short commands take a tenth to a quarter less.
 */
export const keptCommand = (...words: readonly string[]): string[] => [
  WITHOUT_REDUCER,
  UNHURRIED,
  PROGRAM,
  ...words,
];
