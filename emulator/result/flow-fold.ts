import { LogHistogram, RELATIVE_ERROR } from '../../common/statistics/log-histogram';
import { SIZE_CLASSES } from './flow-totals';
import type { FlowTotals, Quantiles } from './flow-totals';
import type { FlowRecord, Result } from './result';
import type { SlowdownBin } from './slowdowns';
import { BINS_MAX, FLOWS_MIN, FLOWS_PER_BIN } from './slowdowns';
import { uncontrolledSentence } from './uncontrolled';

/** Sizes of a class differ by so much at most, unless they are equal. */
const SIZE_STEP = Math.log(1.1);

/** Finished flows of about one size. */
interface SizeClass {
  fromBytes: number;
  toBytes: number;
  readonly slowdowns: LogHistogram;
}

/** Flows of some kind: their number, and the one with the lowest number. */
class FlowsOfKind {
  count = 0;
  first: FlowRecord | undefined;

  add(flow: FlowRecord): void {
    this.count++;
    if (this.first === undefined || flow.id < this.first.id) this.first = flow;
  }
}

/** Sums up flows as they end, in memory that does not grow with them. */
export class FlowFold {
  readonly #fctUs = new LogHistogram();
  readonly #slowdowns = new LogHistogram();
  readonly #classes = SIZE_CLASSES.map(() => new LogHistogram());
  readonly #sizes = new Map<number, SizeClass>();
  readonly #uncontrolled = new FlowsOfKind();
  readonly #unfinished = new FlowsOfKind();
  /** Finished ones that have not delivered what they had. */
  readonly #short = new FlowsOfKind();
  #leastFctUs = Infinity;
  #deliveredBytes = 0;
  #retransmittedSegments = 0;
  #activeUs = 0;
  #firstStartUs = Infinity;
  #lastStartUs = 0;
  #lastEndUs = 0;
  #switchResponses: number | undefined;

  /** Adds a flow that has ended, or that the end of the run has found at work. */
  add(flow: FlowRecord): void {
    const { startUs, fctUs, slowdown, bytes, deliveredBytes } = flow;
    this.#deliveredBytes += deliveredBytes;
    this.#retransmittedSegments += flow.retransmittedSegments;
    this.#firstStartUs = Math.min(this.#firstStartUs, startUs);
    this.#lastStartUs = Math.max(this.#lastStartUs, startUs);
    if (flow.switchResponses !== undefined) {
      this.#switchResponses = (this.#switchResponses ?? 0) + flow.switchResponses;
    }
    if ((flow.uncontrolledUs ?? 0) > 0) this.#uncontrolled.add(flow);
    if (fctUs === null || slowdown === null) {
      this.#unfinished.add(flow);
      return;
    }
    if (deliveredBytes !== bytes) this.#short.add(flow);
    this.#activeUs += fctUs;
    this.#lastEndUs = Math.max(this.#lastEndUs, startUs + fctUs);
    this.#leastFctUs = Math.min(this.#leastFctUs, fctUs);
    this.#fctUs.add(fctUs);
    this.#slowdowns.add(slowdown);
    this.#classes[SIZE_CLASSES.findIndex((upTo) => bytes <= upTo)]?.add(slowdown);
    this.#sizeOf(bytes).slowdowns.add(slowdown);
  }

  /** @param run what sums over all flows of the run leave open. */
  totals(run: {
    readonly flows: number;
    readonly listed: number;
    readonly rows: string | null;
    readonly durationUs: number;
  }): FlowTotals {
    const { flows, listed, rows, durationUs } = run;
    const finished = this.#fctUs.count;
    const isWhole = finished === flows;
    return {
      flows,
      finished,
      listed,
      rows,
      deliveredBytes: this.#deliveredBytes,
      retransmittedSegments: this.#retransmittedSegments,
      activeUs: this.#activeUs + this.#unfinished.count * durationUs,
      firstStartUs: Math.min(this.#firstStartUs, this.#lastStartUs),
      lastStartUs: this.#lastStartUs,
      lastEndUs: isWhole ? this.#lastEndUs : durationUs,
      ...(this.#switchResponses !== undefined && { switchResponses: this.#switchResponses }),
      relativeError: RELATIVE_ERROR,
      fctUs: quantilesOf(this.#fctUs),
      slowdown: quantilesOf(this.#slowdowns),
      classes: this.#classes.flatMap((one, i) => {
        const slowdown = quantilesOf(one);
        const upTo = SIZE_CLASSES[i] ?? Infinity;
        const upToBytes = upTo === Infinity ? null : upTo;
        return slowdown === null ? [] : [{ upToBytes, flows: one.count, slowdown }];
      }),
    };
  }

  /** Completion times of the finished flows; null without any. */
  get fctUs(): Result['fctUs'] {
    if (this.#fctUs.count === 0) return null;
    const median = Math.max(this.#leastFctUs, this.#fctUs.percentile(0.5));
    return { min: this.#leastFctUs, median, max: this.#fctUs.max };
  }

  /** Slowdowns in bins of about equally many flows, whose borders are those of classes of size. */
  get slowdowns(): SlowdownBin[] | undefined {
    const classes = [...this.#sizes.entries()].sort(([a], [b]) => a - b).map(([, one]) => one);
    const count = this.#slowdowns.count;
    if (count < FLOWS_MIN || classes[0]?.fromBytes === classes.at(-1)?.toBytes) return undefined;
    const most = Math.min(BINS_MAX, Math.floor(count / FLOWS_PER_BIN));
    const bins: SlowdownBin[] = [];
    let [taken, waiting] = [0, [] as SizeClass[]];
    for (const one of classes) {
      waiting.push(one);
      taken += one.slowdowns.count;
      if (taken < (count * (bins.length + 1)) / most && one !== classes.at(-1)) continue;
      bins.push(binOf(waiting));
      waiting = [];
    }
    return bins;
  }

  /** The first of the flows that have not finished, and how many they are. */
  get unfinished(): { readonly count: number; readonly first: FlowRecord | undefined } {
    return this.#unfinished;
  }

  /** Names the flows that sent without control; undefined if there are none. */
  uncontrolledText(total: number): string | undefined {
    const { count, first } = this.#uncontrolled;
    return first === undefined ? undefined : uncontrolledSentence(first, { count, total });
  }

  /** Names flows that are complete and have not delivered all; empty in every sound run. */
  get faults(): string[] {
    const { count, first } = this.#short;
    if (first === undefined) return [];
    const which = `flow ${first.id} is complete with ${first.deliveredBytes} of ${first.bytes} bytes delivered`;
    return [count === 1 ? which : `${which}, and ${count - 1} more flows`];
  }

  #sizeOf(bytes: number): SizeClass {
    const key = Math.ceil(Math.log(bytes) / SIZE_STEP);
    const known = this.#sizes.get(key);
    if (known === undefined) {
      const fresh = { fromBytes: bytes, toBytes: bytes, slowdowns: new LogHistogram() };
      this.#sizes.set(key, fresh);
      return fresh;
    }
    known.fromBytes = Math.min(known.fromBytes, bytes);
    known.toBytes = Math.max(known.toBytes, bytes);
    return known;
  }
}

function binOf(classes: readonly SizeClass[]): SlowdownBin {
  const all = new LogHistogram();
  for (const { slowdowns } of classes) all.addAll(slowdowns);
  return {
    fromBytes: classes[0]?.fromBytes ?? 0,
    toBytes: classes.at(-1)?.toBytes ?? 0,
    flows: all.count,
    p50: all.percentile(0.5),
    p95: all.percentile(0.95),
    p99: all.percentile(0.99),
    p999: all.percentile(0.999),
  };
}

function quantilesOf(values: LogHistogram): Quantiles | null {
  if (values.count === 0) return null;
  const at = (share: number): number => values.percentile(share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: values.max };
}
