import { InputError } from '../../common/errors';
import { parseWhole } from '../../common/units/number-text';
import { note } from '../../common/io/terminal';
import { TraceFile } from '../../emulator/io/trace-file';
import { tracerOf } from '../../emulator/io/trace-file';
import type { RunOptions } from '../../emulator/io/run-scenario';

/** Flags of `hpcc run` for its trace. */
export interface TraceFlags {
  readonly trace?: string;
  readonly traceFlows?: string;
  readonly tracePorts?: string;
  readonly traceFromUs?: number;
  readonly traceToUs?: number;
  readonly traceMaxMb: number;
  /** Given if captures are wanted as well. */
  readonly pcap?: readonly unknown[];
  readonly workers?: number;
}

export interface OpenTrace {
  readonly observer: NonNullable<RunOptions['observer']>;
  /** Writes the rest, and says so where something was left out. */
  close(): void;
}

const MEGA = 1e6;

/** @throws InputError for options without a trace, flows that are no numbers, workers, and files. */
export function openTrace(flags: TraceFlags): OpenTrace | undefined {
  const { trace, traceFlows, tracePorts, traceFromUs, traceToUs, traceMaxMb } = flags;
  if (trace !== undefined && flags.pcap !== undefined) {
    throw new InputError('--trace and --pcap are of one run each: give one of them');
  }
  if (trace === undefined) {
    const isGiven = [traceFlows, tracePorts, traceFromUs, traceToUs].some(
      (one) => one !== undefined,
    );
    if (isGiven) throw new InputError('--trace-flows, -ports, -from-us and -to-us need --trace');
    return undefined;
  }
  const { workers = 1 } = flags;
  if (workers > 1) {
    throw new InputError(
      `--trace follows packets through the whole network, of which each of ${workers} ` +
        'workers has a part: use --workers 1',
    );
  }
  if (!(traceMaxMb > 0)) throw new InputError(`--trace-max-mb is above 0, not ${traceMaxMb}`);
  const flows = traceFlows?.split(',').map(flowNumber);
  const file = new TraceFile(trace, traceMaxMb * MEGA);
  const options = {
    write: file.write,
    flows,
    ports: tracePorts?.split(','),
    fromUs: traceFromUs,
    toUs: traceToUs,
  };
  return {
    observer: (simulation) => tracerOf(simulation, options),
    close: () => {
      file.close();
      if (file.isFull) note(`hpcc: the trace ends at ${traceMaxMb} MB; --trace-max-mb allows more`);
    },
  };
}

function flowNumber(text: string): number {
  const number = parseWhole(text);
  if (number !== undefined && number > 0) return number;
  throw new InputError(`--trace-flows takes numbers from 1, and '${text}' was given`);
}
