import { readUint16, writeUint16 } from '../../common/wire/bytes';
import { WireFault } from '../../common/wire/fault';
import {
  emitIntMdSource,
  HP_DOMAIN,
  HP_WIDE_DOMAIN,
  INT_DSCP,
  INT_FIXED_LENGTH,
  intMdLength,
  noIntMd,
  parseIntMd,
  readHop,
  readHops,
  rereadHop,
} from '../../common/wire/int/int-md';
import type { HpHop } from '../../common/wire/int/int-md';
import type { Carrier, FoundHeaders, TelemetryReader } from './carrier';
import type { CongestionSample } from './congestion-sample';
import { IPV4_LAYER } from './network-layer';

const HOPS_MAX = 31;

/** INT-MD v2.1 between the UDP header and the transport, as the drafts' examples have it. */
function intCarrier(domain: typeof HP_DOMAIN | typeof HP_WIDE_DOMAIN): Carrier {
  return {
    name: 'int',
    network: IPV4_LAYER,
    datagramHeaders: {
      length: INT_FIXED_LENGTH,
      isCounted: true,
      emit({ hops, dscp, dsFlags }, bytes, at) {
        emitIntMdSource({ remainingHops: hops, originalDscp: dscp, domain }, bytes, at);
        writeUint16(bytes, at + INT_FIXED_LENGTH - 2, dsFlags);
      },
      find: (bytes, at) => findInt(bytes, at, FOUND),
    },
    dscp: INT_DSCP,
    losesClass: false,
    headerLength: INT_FIXED_LENGTH,
    hopLength: domain.hopLength,
    hopsMax: HOPS_MAX,
    shows: 'named-links',
    questions: 1,
    echoLength: { fixed: INT_FIXED_LENGTH, hop: domain.hopLength },
    newReader: (_baseRtt, lends = false) => (lends ? LENDING_READER : INT_READER),
  };
}

/** Refused telemetry costs the flow one measurement, not its data, as long as the shim says where that begins. */
export function findInt(
  bytes: Uint8Array,
  at: number,
  into: Mutable<FoundHeaders> = noHeaders(),
): FoundHeaders | WireFault {
  const int = parseIntMd(bytes, at, SCRATCH);
  if (!(int instanceof WireFault)) {
    into.skip = int.length;
    into.telemetryAt = at;
    into.telemetryLength = int.length;
    into.fault = undefined;
    return into;
  }
  const skip = intMdLength(bytes, at);
  if (skip instanceof WireFault) return skip;
  into.skip = skip;
  into.telemetryAt = at;
  into.telemetryLength = 0;
  into.fault = int;
  return into;
}

/** The DS flags of INT at `at`, which switches hand on; 0 without it. */
export const dsFlagsAt = (bytes: Uint8Array, at: number, length: number): number =>
  length < INT_FIXED_LENGTH ? 0 : readUint16(bytes, at + INT_FIXED_LENGTH - 2);

/** The INT bytes of that length at `at`, as they were written on the way. */
export function readInt(bytes: Uint8Array, at: number, length: number): IntSample | undefined {
  const int = parseIntMd(bytes, at, SCRATCH);
  if (int instanceof WireFault || int.length !== length) return undefined;
  const isIncomplete = int.hopLimitExceeded || int.mtuExceeded;
  return { kind: 'links', telemetry: readHops(int, bytes, at), isIncomplete };
}

type Mutable<Record> = { -readonly [Name in keyof Record]: Record[Name] };

const noHeaders = (): Mutable<FoundHeaders> => ({
  skip: 0,
  telemetryAt: 0,
  telemetryLength: 0,
  fault: undefined,
});

/** PERF: no call keeps it. */
const SCRATCH = noIntMd();
/** PERF: what was found in a frame is used before the next one is looked at. */
const FOUND = noHeaders();

/** Fills the same records in again and again. PERF: no allocation. */
class LendingReader implements TelemetryReader {
  readonly #hops: HpHop[] = [];
  /** The same records as lists, indexed by their number. */
  readonly #lists: (readonly HpHop[])[] = [];
  readonly #sample: Mutable<IntSample> = {
    kind: 'links',
    telemetry: [],
    isIncomplete: false,
    load: undefined,
    sentAtNs: undefined,
  };

  read(bytes: Uint8Array, at: number, length: number): IntSample | undefined {
    const int = parseIntMd(bytes, at, SCRATCH);
    if (int instanceof WireFault || int.length !== length) return undefined;
    if (int.hopWords !== HP_DOMAIN.hopWords) return readInt(bytes, at, length);
    const { hopCount } = int;
    // The newest hop comes first on the wire.
    let from = at + INT_FIXED_LENGTH + hopCount * HP_DOMAIN.hopLength;
    for (let i = 0; i < hopCount; i++) {
      from -= HP_DOMAIN.hopLength;
      const hop = this.#hops[i];
      if (hop === undefined) this.#hops.push(readHop(bytes, from));
      else rereadHop(bytes, from, hop);
    }
    this.#sample.telemetry = this.#lists[hopCount] ??= this.#hops.slice(0, hopCount);
    this.#sample.isIncomplete = int.hopLimitExceeded || int.mtuExceeded;
    return this.#sample;
  }
}

type IntSample = Extract<CongestionSample, { kind: 'links' }>;

const LENDING_READER: TelemetryReader = new LendingReader();

const INT_READER: TelemetryReader = { read: readInt };

export const INT_CARRIER = intCarrier(HP_DOMAIN);
/** With the time that packets wait in their queue. */
export const WIDE_INT_CARRIER = intCarrier(HP_WIDE_DOMAIN);
