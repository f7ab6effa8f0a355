import type { Bytes } from '../../../common/units/units';
import type { SenderSettings } from './sender-options';

/** Decides which segments of one flow collect telemetry. */
export interface TelemetrySpacing {
  /** Asked once for each segment, from 0 on, while the window is what it is. PERF: no allocation. */
  collects(segment: number, windowBytes: Bytes): boolean;
}

/** One segment in k, the first one among them; 0: none. */
class OneInK implements TelemetrySpacing {
  constructor(private readonly k: number) {}

  collects(segment: number): boolean {
    return segment % this.k === 0;
  }
}

/** PERF: by k, the same object for all flows. */
const ONE_IN_K = new Map<number, OneInK>();

function oneIn(k: number): OneInK {
  const known = ONE_IN_K.get(k) ?? new OneInK(k);
  ONE_IN_K.set(k, known);
  return known;
}

/**
 * The same number of samples from every window: k grows and shrinks with the window. A full window
 * spares most of the telemetry, and flows of few packets per round trip, which are what remains of an
 * incast, still hear of every one.
 */
class SoManyPerWindow implements TelemetrySpacing {
  #latest = 0;

  constructor(
    private readonly samples: number,
    private readonly segmentBytes: Bytes,
  ) {}

  collects(segment: number, windowBytes: Bytes): boolean {
    const k = Math.floor(windowBytes / (this.samples * this.segmentBytes));
    // The first sample only gives the next one something to be compared with.
    if (segment >= BASELINE_SAMPLES && segment - this.#latest < k) return false;
    this.#latest = segment;
    return true;
  }
}

const BASELINE_SAMPLES = 2;

export function newTelemetrySpacing({
  collectEvery = 1,
  samplesPerWindow = 0,
  mss,
}: SenderSettings): TelemetrySpacing {
  if (samplesPerWindow === 0 || collectEvery === 0) return oneIn(collectEvery);
  return new SoManyPerWindow(samplesPerWindow, mss);
}
