import { InputError } from '../../common/errors';
import type { HopRecord } from '../../common/hop/hop';
import { PS_PER_NS } from '../../common/units/units';
import { HpccRateForm } from '../algorithm/rate-form';
import type { ExpectedState, RecordedHop } from './vector-line';
import { isVectorHeader, parseVectorLine } from './vector-line';
import type { RateFormOptions } from '../algorithm/rate-form';
import type { BitsPerSecond, Bytes } from '../../common/units/units';

export interface ReplayResult {
  /** Lines compared. */
  readonly acks: number;
  /** Lines of which at least one column differs. */
  readonly mismatches: number;
  readonly firstMismatch: Mismatch | undefined;
}

export interface Mismatch {
  /** Counted from 1; the header is line 1. */
  readonly line: number;
  readonly column: string;
  readonly expected: string;
  readonly got: string;
}

/** The files print U with nine decimals. */
const U_TOLERANCE = 1e-9;

/**
 * Feeds the telemetry of a recorded run, line by line, to the algorithm in its rate form and
 * compares the outcome with the recorded one: integers exactly, U within 1e-9. Every flow starts
 * afresh; a mismatch does not stop the replay, and the flow goes on from its own state.
 */
export class VectorReplay {
  readonly #options: ReplayOptions;
  readonly #flows = new Map<string, HpccRateForm>();
  #line = 0;
  #acks = 0;
  #mismatches = 0;
  #firstMismatch: Mismatch | undefined = undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /**
   * Takes the next line of the file, without its line end. Empty lines are skipped.
   * @throws InputError naming the line if it is malformed.
   */
  feed(line: string): void {
    this.#line++;
    if (this.#line === 1) {
      if (isVectorHeader(line)) return;
      throw new InputError(`line 1: wanted the header "t_ns,src,dst,...", got "${line}"`);
    }
    if (line === '') return;
    this.#replay(line);
  }

  result(): ReplayResult {
    return {
      acks: this.#acks,
      mismatches: this.#mismatches,
      firstMismatch: this.#firstMismatch,
    };
  }

  #replay(line: string): void {
    const recorded = parseVectorLine(line, `line ${this.#line}`);
    if (this.#acks === 0) this.#checkBaseRtt(recorded.expected);
    const flow = this.#flow(recorded.flow);
    const lastUpdateSequence = flow.lastUpdateSequence ?? 0;
    const kind = flow.onAck({
      ackSequence: recorded.ackSequence,
      nextSequence: recorded.nextSequence,
      telemetry: this.#telemetry(recorded.hops),
      isIncomplete: false,
      now: recorded.timeNs * PS_PER_NS,
    });
    this.#acks++;
    this.#compare(recorded.expected, {
      kind,
      last_update_seq_before: lastUpdateSequence,
      U: flow.normalizedInflight,
      inc_stage: flow.incStage,
      rate_bps: flow.rate,
      rc_bps: flow.referenceRate,
      win_bytes: flow.windowBytes,
    });
  }

  /** A flow's first window, at full rate, is what leaves within T; that tells which T a run had. */
  #checkBaseRtt({ kind, rate_bps: rate, win_bytes: window }: ExpectedState): void {
    const { linkRate, windowBytesMax, baseRttNs } = this.#options;
    if (kind !== 'first' || rate !== linkRate || window === windowBytesMax) return;
    const recorded = Math.round((window * BITS_NS_PER_BYTE_SECOND) / linkRate);
    throw new InputError(
      `line ${this.#line}: the first window is ${window} bytes, so T was ${recorded} ns, ` +
        `and not ${baseRttNs} ns: give --base-rtt-us ${recorded / 1000}`,
    );
  }

  #flow(name: string): HpccRateForm {
    let flow = this.#flows.get(name);
    if (flow === undefined) {
      flow = new HpccRateForm(this.#options);
      this.#flows.set(name, flow);
    }
    return flow;
  }

  /** The recorded telemetry names no links; on a fixed path the position does. */
  #telemetry(hops: readonly RecordedHop[]): HopRecord[] {
    const rates = this.#options.linkRatesByHops.get(hops.length);
    if (rates === undefined) {
      throw new InputError(`line ${this.#line}: no link rates are known for ${hops.length} hops`);
    }
    return hops.map((hop, position) => ({
      ...hop,
      switchId: position,
      portId: 0,
      timestampModulus: this.#options.timestampModulusNs,
      txBytesModulus: this.#options.txBytesModulus,
      capacity: rates[position] ?? 0,
    }));
  }

  #compare(expected: ExpectedState, got: ExpectedState): void {
    const column = COLUMNS.find((name) => !isEqual(name, expected, got));
    if (column === undefined) return;
    this.#mismatches++;
    this.#firstMismatch ??= {
      line: this.#line,
      column,
      expected: String(expected[column]),
      got: String(got[column]),
    };
  }
}

const COLUMNS = [
  'kind',
  'last_update_seq_before',
  'U',
  'inc_stage',
  'rate_bps',
  'rc_bps',
  'win_bytes',
] as const;

function isEqual(column: keyof ExpectedState, a: ExpectedState, b: ExpectedState): boolean {
  if (column === 'U') return Math.abs(a.U - b.U) <= U_TOLERANCE;
  return a[column] === b[column];
}

/** Constants of the recorded run that its file does not state. */
export interface ReplayOptions extends RateFormOptions {
  readonly timestampModulusNs: number;
  readonly txBytesModulus: Bytes;
  /** Capacities along a path, from the sender, by its number of hops. */
  readonly linkRatesByHops: ReadonlyMap<number, readonly BitsPerSecond[]>;
}

/** Settings that all recorded runs have in common. */
const COMMON = {
  linkRate: 100e9,
  rateMin: 1e9,
  additiveIncrease: 50e6,
  targetUtilization: 0.95,
  maxHops: 5,
  timestampModulusNs: 2 ** 24,
  // The simulator's 20-bit counter of 128-byte units, in the multiples of four that it was run with.
  txBytesModulus: 2 ** 20 * 128 * 4,
} as const;

/** Bits times ns in a byte times a second: a rate in bits/s times ns is so many bytes. */
const BITS_NS_PER_BYTE_SECOND = 8e9;

/** 16 hosts and a receiver on one switch, 100 Gb/s and 1 us per link. */
const STAR = {
  ...COMMON,
  baseRttNs: 4160,
  windowBytesMax: 52_000,
  linkRatesByHops: new Map([[1, [100e9]]]),
};

/** 32 hosts at 100 Gb/s, 4 leaves and 2 spines at 400 Gb/s, 1 us per link. */
const LEAF_SPINE = {
  ...COMMON,
  baseRttNs: 8200,
  windowBytesMax: 102_500,
  linkRatesByHops: new Map([
    [1, [100e9]],
    [3, [400e9, 400e9, 100e9]],
  ]),
};

/**
 * The constants of the recorded runs: the star if no path of the file has more than one hop, else
 * the leaf-spine network.
 * @param maxStage cannot be told from a file's contents: files named mi0 need 0, mi5 need 5.
 * @param baseRttNs T of the run in whole ns, where links were longer or shorter than the network's; the
 * window at full rate follows from it.
 */
export function presetForHops(
  hopsMax: number,
  maxStage: number,
  baseRttNs?: number,
): ReplayOptions {
  const preset = hopsMax <= 1 ? STAR : LEAF_SPINE;
  if (baseRttNs === undefined) return { ...preset, maxStage };
  const windowBytesMax = Math.floor((baseRttNs * preset.linkRate) / BITS_NS_PER_BYTE_SECOND);
  return { ...preset, maxStage, baseRttNs, windowBytesMax };
}
