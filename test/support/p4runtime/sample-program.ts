import { compiledProgram } from './compiled-program';

/** A program with every kind of table; its source says which. */
export const SAMPLE = compiledProgram('sample');

export const SAMPLE_P4INFO = SAMPLE.p4info;

/** The program's BMv2 JSON as text, which is what a switch is given. */
export const SAMPLE_PROGRAM = SAMPLE.json;

type Json = Readonly<Record<string, unknown>>;

/** The program's BMv2 JSON as an object, for tests that change something in it. */
export const sampleProgram = (): Json => JSON.parse(SAMPLE_PROGRAM) as Json;
