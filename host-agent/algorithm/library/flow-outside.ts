import type { HopRecord } from '../../../common/hop/hop';
import type { Acknowledgement, FlowEnvironment, Loss } from '../congestion-control';
import type { Constants } from './constants';
import type { CustomControl } from './custom-algorithm';
import { CALLS, HOP_FIELDS, HOPS_MAX, PLACES } from './flow-inside';
import type { Call, InsideFlow, InsideModule, Returned } from './flow-inside';

/** Values that stand for those of a type, where only the type is told. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  object: {},
  string: '',
  boolean: false,
  bigint: 0n,
  symbol: Symbol.for('of an algorithm'),
  function: () => undefined,
};

/** Sign that a call goes on after it has returned. */
const PENDING = { then: (): void => undefined };

/** Room for the numbers of an acknowledgement. */
export const newNumbers = (): Float64Array =>
  new Float64Array(PLACES.firstHop + HOPS_MAX * HOP_FIELDS.length);

/**
 * Exports of an algorithm in a compartment, as those of a file that runs here: functions that hand numbers in,
 * and the rest as data.
 * @throws an error with what the algorithm threw.
 */
export function exportsOf(
  inside: InsideModule,
  numbers: Float64Array,
): Readonly<Record<string, unknown>> {
  const told = inside.description();
  if ('threw' in told) throw new Error(told.threw);
  const { create, ...rest } = JSON.parse(told.text) as { readonly create: string };
  return {
    ...rest,
    create:
      create === 'function'
        ? (environment: FlowEnvironment, constants: Constants) =>
            opened({ inside, numbers }, environment, constants)
        : SAMPLES[create],
  };
}

interface Passage {
  readonly inside: InsideModule;
  readonly numbers: Float64Array;
}

function opened(
  { inside, numbers }: Passage,
  flow: FlowEnvironment,
  constants: Constants,
): unknown {
  const own = inside.open(JSON.stringify({ flow, constants }));
  if ('threw' in own) throw new Error(own.threw);
  if (own.kind === 'null') return null;
  return own.kind === 'object' ? controlOf(own, numbers) : SAMPLES[own.kind];
}

/** A control that calls the one inside; what that one has not, this one has not either. */
function controlOf(own: InsideFlow, numbers: Float64Array): Partial<CustomControl> {
  const calls: Readonly<Record<Call, (given: never) => unknown>> = {
    onAck: (ack: Acknowledgement) => {
      writeAck(numbers, ack);
      return returned(own.onAck());
    },
    onLoss: ({ kind, sequence, nextSequence, now }: Loss) => {
      numbers[PLACES.ackSequence] = sequence;
      numbers[PLACES.nextSequence] = nextSequence;
      numbers[PLACES.now] = now;
      return returned(own.onLoss(kind));
    },
    onCongestionNotification: (now: number) => returned(own.call('onCongestionNotification', now)),
    onIdleRestart: (now: number) => returned(own.call('onIdleRestart', now)),
    onBaseRtt: (baseRtt: number) => returned(own.call('onBaseRtt', baseRtt)),
    onWakeup: (now: number) => returned(own.call('onWakeup', now)),
  };
  const present = CALLS.flatMap((name) => {
    const kind = own.kindOf(name);
    if (kind === 'undefined') return [];
    return [[name, kind === 'function' ? calls[name] : SAMPLES[kind]] as const];
  });
  const control: object = Object.fromEntries(present);
  return Object.defineProperties(control, {
    windowBytes: { get: () => sampled(read(own, 'windowBytes')) },
    pacingRate: { get: () => sampled(read(own, 'pacingRate')) },
    wakeupAt: { get: () => read(own, 'wakeupAt') },
  });
}

function returned(result: Returned): unknown {
  if (result === undefined) return undefined;
  if ('isPending' in result) return PENDING;
  throw new Error(result.threw);
}

function read(own: InsideFlow, name: string): number | string | undefined {
  const value = own.read(name);
  if (typeof value !== 'object') return value;
  throw new Error(value.threw);
}

/** A value of the type that is told in place of a number. */
const sampled = (value: number | string | undefined): unknown =>
  typeof value === 'string' ? SAMPLES[value.split(' ')[0] ?? ''] : value;

function writeAck(numbers: Float64Array, ack: Acknowledgement): void {
  numbers[PLACES.ackSequence] = ack.ackSequence;
  numbers[PLACES.nextSequence] = ack.nextSequence;
  numbers[PLACES.now] = ack.now;
  numbers[PLACES.isMarked] = ack.isMarked === true ? 1 : 0;
  numbers[PLACES.isIncomplete] = ack.isIncomplete ? 1 : 0;
  numbers[PLACES.rtt] = ack.rtt ?? NaN;
  numbers[PLACES.load] = ack.load ?? NaN;
  const { telemetry } = ack;
  const hops = Math.min(telemetry.length, HOPS_MAX);
  numbers[PLACES.hops] = hops;
  for (let hop = 0; hop < hops; hop++) writeHop(numbers, hop, telemetry[hop] as HopRecord);
}

function writeHop(numbers: Float64Array, hop: number, record: HopRecord): void {
  let at = PLACES.firstHop + hop * HOP_FIELDS.length;
  numbers[at++] = record.switchId;
  numbers[at++] = record.portId;
  numbers[at++] = record.timestamp;
  numbers[at++] = record.timestampModulus;
  numbers[at++] = record.txBytes;
  numbers[at++] = record.txBytesModulus;
  numbers[at++] = record.queueBytes;
  numbers[at++] = record.capacity;
  numbers[at++] = record.ingressPortId ?? NaN;
  numbers[at++] = record.queueId ?? NaN;
  numbers[at++] = record.sojournNs ?? NaN;
  numbers[at] = record.utilization ?? NaN;
}
