import type { ControlState, ListingStep, TracedLink, TracedVerdict } from '../result/packet-story';

export interface ListingParameters {
  readonly eta: number;
  readonly maxStage: number;
  readonly baseRttNs: number;
}

interface Taken {
  readonly kind: TracedVerdict['kind'];
  readonly links: readonly TracedLink[];
  readonly before: ControlState;
  readonly after: ControlState;
}

/**
 * The steps of the listing of draft-miao-tsv-hpcc-01 that one acknowledgement took, by the numbers of
 * its lines, with the values that they had.
 */
export function listingSteps(taken: Taken, parameters: ListingParameters): ListingStep[] {
  const { kind } = taken;
  if (kind === 'first')
    return [{ lines: '27', text: 'L = ack.L: no earlier telemetry to compare with' }];
  if (kind === 'ignored') return [{ lines: '21', text: 'telemetry ignored' }];
  return [
    ...inflightSteps(taken, parameters),
    ...windowSteps(taken, parameters),
    { lines: '27', text: `R = W / T = ${digits(taken.after.rateGbps)} Gb/s; L = ack.L` },
  ];
}

function inflightSteps({ links, before, after }: Taken, { baseRttNs }: ListingParameters) {
  const bottleneck = links.find(({ isBottleneck }) => isBottleneck);
  const moved = `U from ${digits(before.U)} to ${digits(after.U)}`;
  if (bottleneck === undefined) return [{ lines: '9', text: moved }];
  const { u, intervalNs, name } = bottleneck;
  const tau = Math.min(intervalNs, baseRttNs);
  return [
    {
      lines: '3-7',
      text: `${name} is the bottleneck link: u = ${digits(u)}, tau = ${intervalNs} ns`,
    },
    ...(tau < intervalNs ? [{ lines: '8', text: `tau = min(tau, T) = ${tau} ns` }] : []),
    { lines: '9', text: `U = (1 - tau/T) U + (tau/T) u: ${moved}` },
  ];
}

function windowSteps({ kind, before, after }: Taken, { eta, maxStage }: ListingParameters) {
  const ratio = after.U / eta;
  const isFull = ratio >= 1;
  const isLast = before.incStage >= maxStage;
  const why = isFull
    ? `U/eta = ${digits(ratio)} is at least 1`
    : `incStage ${before.incStage} ${isLast ? 'has reached' : 'is below'} maxStage ${maxStage}, U/eta = ${digits(ratio)}`;
  const isMultiplicative = isFull || isLast;
  const sum = isMultiplicative ? 'W^c / (U/eta) + W_ai' : 'W^c + W_ai';
  const commits = isMultiplicative ? '14-15' : '18-19';
  return [
    { lines: '12', text: why },
    {
      lines: isMultiplicative ? '13' : '17',
      text: `W = ${sum}: from ${bytes(before.windowBytes)} to ${bytes(after.windowBytes)}`,
    },
    kind === 'update'
      ? {
          lines: `22-24, ${commits}`,
          text: `a round is over: W^c = W, from ${bytes(before.referenceWindowBytes)} to ${bytes(after.referenceWindowBytes)}; incStage = ${after.incStage}`,
        }
      : { lines: '26', text: `within the round: W^c stays ${bytes(after.referenceWindowBytes)}` },
  ];
}

const digits = (value: number): string => String(Number(value.toPrecision(5)));
const bytes = (value: number): string => `${digits(value)} B`;
