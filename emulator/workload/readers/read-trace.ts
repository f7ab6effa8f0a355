import { firstSchemaFault } from '../../../common/document/schema-faults';
import { InputError } from '../../../common/errors';
import type { Trace } from '../tasks/trace';
import { traceSchema } from '../tasks/trace';
import { CHAKRA } from './chakra';
import { CHAKRA_JSON } from './chakra-json';
import { GOAL } from './goal';
import { GOAL_BINARY } from './goal-binary';
import { HTSIM } from './htsim';
import { MPI } from './mpi';
import { MSCCL } from './msccl';
import { SIMAI } from './simai';
import { namesOf } from './reader';
import type { TraceFile, TraceOptions, TraceReader } from './reader';

/** Formats in the order in which files are tried. */
const READERS: readonly TraceReader[] = [
  GOAL,
  GOAL_BINARY,
  MPI,
  SIMAI,
  MSCCL,
  HTSIM,
  CHAKRA_JSON,
  CHAKRA,
];

export interface RecognisedTrace {
  readonly format: string;
  readonly trace: Trace;
  readonly warnings: readonly string[];
}

/**
 * Reads a trace in whichever format it is.
 * @throws InputError for files of no known format, and for faults of one, with file and line.
 */
export function readTrace(files: readonly TraceFile[], options: TraceOptions): RecognisedTrace {
  const names = namesOf(files);
  const empty = files.find(({ bytes }) => bytes.length === 0);
  if (empty !== undefined) throw new InputError(`${empty.name}: the file is empty`);
  const reader = READERS.find(({ recognises }) => recognises(files));
  if (reader === undefined) {
    const known = READERS.map(({ format }) => format).join(', ');
    throw new InputError(`${names}: none of the formats that are read: ${known}`);
  }
  const { trace, warnings } = reader.read(files, options);
  const checked = traceSchema.safeParse(trace);
  if (checked.success) return { format: reader.format, trace: checked.data, warnings };
  throw new InputError(`${names}: ${firstSchemaFault(checked.error)}`);
}
