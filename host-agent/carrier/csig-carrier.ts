import { WireFault } from '../../common/wire/fault';
import { readUint16, writeUint16 } from '../../common/wire/bytes';
import {
  CSIG_LENGTH,
  CSIG_TPID,
  emitCsig,
  initialCsig,
  parseCsig,
} from '../../common/wire/csig/csig';
import {
  CSIG_FREE_EDGES,
  CSIG_FREE_SHARE,
  CSIG_MAX_DELAY,
  csigDelayEdges,
  csigMiddle,
} from '../../common/wire/csig/csig-domain';
import type { CsigDomain } from '../../common/wire/csig/csig-domain';
import { PS_PER_NS } from '../../common/units/units';
import type { Duration } from '../../common/units/units';
import type { Carrier, FoundHeaders, TelemetryReader } from './carrier';
import type { CongestionSample } from './congestion-sample';
import { IPV4_LAYER } from './network-layer';

/** Asked in turn: how much of the bottleneck is free, and how long a packet waited at most. */
const QUESTIONS = [CSIG_FREE_SHARE, CSIG_MAX_DELAY] as const;
/** EtherType and tag lie together; the true EtherType follows them. */
const ETHERTYPE_LENGTH = 2;

/** The compact tag of CSIG between the Ethernet header and IP: one signal of the whole path per packet. */
export function csigCarrier(domain: CsigDomain): Carrier {
  return {
    name: 'csig',
    network: IPV4_LAYER,
    linkHeaders: {
      etherType: CSIG_TPID,
      length: CSIG_LENGTH,
      emit({ question }, bytes, at) {
        const trueType = readUint16(bytes, at - ETHERTYPE_LENGTH);
        const type = QUESTIONS[question] ?? CSIG_FREE_SHARE;
        emitCsig(initialCsig(CSIG_TPID, type), bytes, at - ETHERTYPE_LENGTH, 'ietf');
        writeUint16(bytes, at + ETHERTYPE_LENGTH, trueType);
      },
      find: findTag,
    },
    dscp: undefined,
    losesClass: false,
    headerLength: CSIG_LENGTH,
    hopLength: 0,
    hopsMax: Infinity,
    shows: 'summary',
    questions: QUESTIONS.length,
    echoLength: { fixed: CSIG_LENGTH, hop: 0 },
    newReader: (baseRtt: Duration) => new CsigReader(domain, baseRtt / PS_PER_NS),
  };
}

function findTag(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault {
  const tag = parseCsig(bytes, at - ETHERTYPE_LENGTH, Math.min(end, bytes.length), 'ietf');
  if (tag instanceof WireFault) return tag;
  return {
    skip: CSIG_LENGTH,
    telemetryAt: at - ETHERTYPE_LENGTH,
    telemetryLength: CSIG_LENGTH,
  };
}

/**
 * U from the latest of either signal: the part of the bottleneck that is used, and what waits in the
 * longest queue as a part of T. They may be of two links, so that U is never less than that of the
 * fullest one. The former is an average already, so each sample counts for a whole T: averaged again it
 * comes so late that flows fall below their share and stay there.
 */
class CsigReader implements TelemetryReader {
  readonly #delayEdges: readonly number[];
  readonly #delayEnd: number;
  readonly #T: number;
  #used = 0;
  #delayNs = 0;

  constructor(domain: CsigDomain, T: number) {
    this.#delayEdges = csigDelayEdges(domain);
    this.#delayEnd = 2 * (this.#delayEdges.at(-1) ?? 0);
    this.#T = T;
  }

  read(bytes: Uint8Array, at: number, length: number): CongestionSample | undefined {
    const tag = parseCsig(bytes, at, at + length, 'ietf');
    if (tag instanceof WireFault || tag.tpid !== CSIG_TPID) return undefined;
    if (tag.type === CSIG_FREE_SHARE) {
      this.#used = 1 - csigMiddle(tag.signal, CSIG_FREE_EDGES, 1);
    } else if (tag.type === CSIG_MAX_DELAY) {
      // Whatever is shorter than the first edge is no queue.
      this.#delayNs =
        tag.signal === 0 ? 0 : csigMiddle(tag.signal, this.#delayEdges, this.#delayEnd);
    } else {
      return undefined;
    }
    const ratio = this.#used + this.#delayNs / this.#T;
    return { kind: 'load', ratio, intervalNs: this.#T };
  }
}
