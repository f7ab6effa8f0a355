import { compiledProgram } from './compiled-program';

/** The port of packets to and from controllers, in the externs program. */
export const CPU_PORT = 510;

/**
 * A learning switch with everything that P4Runtime can write besides action profiles; its source
 * says what.
 */
export const EXTERNS = compiledProgram('externs');

export const EXTERNS_P4INFO = EXTERNS.p4info;

/** The program's BMv2 JSON as text. */
export const EXTERNS_PROGRAM = EXTERNS.json;
